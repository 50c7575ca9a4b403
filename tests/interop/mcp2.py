"""The Python SDK `mcp` 2.x: mcp2.py SERVER RECORDS MODE, where MODE is `auto`, `legacy` or a modern revision.

`auto` asks `server/discover` and falls back to `initialize`; a revision is spoken from the first request on, unasked.
"""

import sys
import warnings
from contextlib import asynccontextmanager

from mcp import Client, MCPError, StdioServerParameters
from mcp_types import ElicitResult, PromptReference, ResourceTemplateReference

import checks


class Session:
    Refused = MCPError

    def __init__(self, client):
        self.client = client
        self.version = client.protocol_version
        self.ping = client.session.send_ping
        self.logs = []

    async def list(self):
        return wire(await self.client.list_tools())["tools"]

    async def call(self, name, arguments, progress=None):
        return wire(await self.client.call_tool(name, arguments, progress_callback=progress))

    async def call_logged(self, name, arguments, level):
        meta = None
        if self.version == checks.MODERN:
            meta = {"io.modelcontextprotocol/logLevel": level}
        else:
            with warnings.catch_warnings(action="ignore"):
                await self.client.set_logging_level(level)
        return wire(await self.client.call_tool(name, arguments, meta=meta))

    async def resources(self):
        return wire(await self.client.list_resources())["resources"]

    async def templates(self):
        return wire(await self.client.list_resource_templates())["resourceTemplates"]

    async def read(self, uri):
        return wire(await self.client.read_resource(uri))["contents"]

    async def prompts(self):
        return wire(await self.client.list_prompts())["prompts"]

    async def prompt(self, name, arguments):
        return wire(await self.client.get_prompt(name, arguments))["messages"]

    async def complete_prompt(self, name, argument, value):
        return await self.complete(PromptReference(name=name), argument, value)

    async def complete_address(self, uri, variable, value):
        return await self.complete(ResourceTemplateReference(uri=uri), variable, value)

    async def complete(self, reference, name, value):
        return (await self.client.complete(reference, {"name": name, "value": value})).completion.values


def wire(model):
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


server, records, mode = sys.argv[1:]


@asynccontextmanager
async def connect(command, user=None):
    async def elicit(context, params):
        action, content = await user(params.message, params.requested_schema)
        return ElicitResult(action=action, content=content)

    async def log(params):
        logs.append((params.level, params.data))

    server = StdioServerParameters(command=command[0], args=command[1:])
    elicitation = elicit if user else None
    async with Client(server, mode=mode, elicitation_callback=elicitation, logging_callback=log) as client:
        session = Session(client)
        logs = session.logs
        yield session


checks.run(f"python mcp 2 {mode}", server, records, connect, "2025-11-25" if mode == "legacy" else checks.MODERN)
