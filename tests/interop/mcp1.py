"""The Python SDK `mcp` 1.x: mcp1.py SERVER RECORDS."""

import sys
from contextlib import asynccontextmanager

from mcp import ClientSession, McpError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import PromptReference, ResourceTemplateReference
from pydantic import AnyUrl

import checks


class Session:
    Refused = McpError

    def __init__(self, session, version, logs):
        self.session = session
        self.version = version
        self.ping = session.send_ping
        self.logs = logs

    async def list(self):
        return wire(await self.session.list_tools())["tools"]

    async def call(self, name, arguments, progress=None):
        return wire(await self.session.call_tool(name, arguments, progress_callback=progress))

    async def call_logged(self, name, arguments, level):
        await self.session.set_logging_level(level)
        return await self.call(name, arguments)

    async def resources(self):
        return wire(await self.session.list_resources())["resources"]

    async def templates(self):
        return wire(await self.session.list_resource_templates())["resourceTemplates"]

    async def read(self, uri):
        return wire(await self.session.read_resource(AnyUrl(uri)))["contents"]

    async def prompts(self):
        return wire(await self.session.list_prompts())["prompts"]

    async def prompt(self, name, arguments):
        return wire(await self.session.get_prompt(name, arguments))["messages"]

    async def complete_prompt(self, name, argument, value):
        return await self.complete(PromptReference(type="ref/prompt", name=name), argument, value)

    async def complete_address(self, uri, variable, value):
        return await self.complete(ResourceTemplateReference(type="ref/resource", uri=uri), variable, value)

    async def complete(self, reference, name, value):
        return (await self.session.complete(reference, {"name": name, "value": value})).completion.values


def wire(model):
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


@asynccontextmanager
async def connect(command, user=None):
    logs = []

    async def log(params):
        logs.append((params.level, params.data))

    async with stdio_client(StdioServerParameters(command=command[0], args=command[1:])) as (read, write):
        async with ClientSession(read, write, logging_callback=log) as session:
            initialized = await session.initialize()
            yield Session(session, initialized.protocolVersion, logs)


checks.run("python mcp 1", *sys.argv[1:], connect, "2025-11-25")
