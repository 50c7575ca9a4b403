"""The Python SDK `mcp` 2.x: mcp2.py SERVER RECORDS MODE, where MODE is `auto`, `legacy` or a modern revision.

`auto` asks `server/discover` and falls back to `initialize`; a revision is spoken from the first request on, unasked.
"""

import sys
from contextlib import asynccontextmanager

from mcp import Client, MCPError, StdioServerParameters
from mcp_types import PromptReference, ResourceTemplateReference

import checks


class Session:
    Refused = MCPError

    def __init__(self, client):
        self.client = client
        self.version = client.protocol_version
        self.ping = client.session.send_ping

    async def list(self):
        return wire(await self.client.list_tools())["tools"]

    async def call(self, name, arguments, progress=None):
        return wire(await self.client.call_tool(name, arguments, progress_callback=progress))

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
async def connect(command):
    async with Client(StdioServerParameters(command=command[0], args=command[1:]), mode=mode) as client:
        yield Session(client)


checks.run(f"python mcp 2 {mode}", server, records, connect, "2025-11-25" if mode == "legacy" else checks.MODERN)
