"""The Python SDK `mcp` 1.x: mcp1.py SERVER RECORDS."""

import sys
from contextlib import asynccontextmanager

from mcp import ClientSession, McpError, StdioServerParameters
from mcp.client.stdio import stdio_client

import checks


class Session:
    Refused = McpError

    def __init__(self, session, version):
        self.session = session
        self.version = version
        self.ping = session.send_ping

    async def list(self):
        return wire(await self.session.list_tools())["tools"]

    async def call(self, name, arguments):
        return wire(await self.session.call_tool(name, arguments))


def wire(model):
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


@asynccontextmanager
async def connect(command):
    async with stdio_client(StdioServerParameters(command=command[0], args=command[1:])) as (read, write):
        async with ClientSession(read, write) as session:
            initialized = await session.initialize()
            yield Session(session, initialized.protocolVersion)


checks.run("python mcp 1", *sys.argv[1:], connect, "2025-11-25")
