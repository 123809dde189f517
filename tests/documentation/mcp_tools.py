"""Names of an MCP server's tools, by the entry of a client's configuration: `python mcp_tools.py ENTRY`.

Runs in the environment that the pages install.
"""

import asyncio
import json
import os
import sys
from contextlib import AsyncExitStack
from typing import Any

import httpx2
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client


async def main(entry: dict[str, Any]) -> None:
    """Start or reach the server as the entry says and print the names of its tools."""
    async with AsyncExitStack() as stack:
        if "url" in entry:
            http = await stack.enter_async_context(httpx2.AsyncClient(headers=entry.get("headers", {})))
            client = Client(streamable_http_client(entry["url"], http_client=http))
        else:
            environment = {**os.environ, **entry.get("env", {})}
            client = Client(StdioServerParameters(command=entry["command"], args=entry["args"], env=environment))
        await stack.enter_async_context(client)
        print(*(tool.name for tool in (await client.list_tools()).tools), sep="\n")


asyncio.run(main(json.loads(sys.argv[1])))
