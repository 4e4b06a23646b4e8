"""What an agent in Python does over MCP, by the protocol's own SDK. Each line of output is one thing that was seen."""

import asyncio
import json
import os
import sys
from collections.abc import Callable
from typing import Any

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import ElicitResult

scope = "loci://scope/user/ann"
question = {"query": "When does the ferry leave?"}


def over_standard_input() -> Any:
    program, *command = json.loads(os.environ["LOCI_TEST_MCP_COMMAND"])
    return StdioServerParameters(command=program, args=command)


def over_http() -> Any:
    headers = {"Authorization": f"Bearer {os.environ['LOCI_TEST_API_KEY']}"}
    return streamable_http_client(os.environ["LOCI_TEST_MCP_URL"], http_client=httpx2.AsyncClient(headers=headers))


async def decide(_: Any, form: Any) -> ElicitResult:
    print("form:", form.message.splitlines()[-1])
    return ElicitResult(action="accept", content={"decision": "forget"})


async def call(client: Client, tool: str, arguments: dict[str, str]) -> Any:
    result = await client.call_tool(tool, arguments)
    if result.is_error:
        raise AssertionError(f"{tool}: {result.content}")
    return result.structured_content


async def tour(connect: Callable[[], Any], mode: Any, text: str) -> None:
    async with Client(connect(), mode=mode, elicitation_callback=decide) as client:
        print("protocol:", client.protocol_version)
        print("tools:", *[tool.name for tool in (await client.list_tools()).tools])
        stored = await call(client, "remember", {"text": text})
        print("recalled:", *[each["text"] for each in (await call(client, "recall", question))["memories"]])
        print("scope:", text in (await client.read_resource(scope)).contents[0].text)
        await client.call_tool("forget", {"id": stored["id"]})
        print("left:", *[each["text"] for each in (await call(client, "recall", question))["memories"]])
        refused = await client.call_tool("remember", {"words": text})
        print("refused:", refused.is_error)


async def heard(connect: Callable[[], Any]) -> None:
    async with Client(connect()) as listening, Client(connect()) as writing:
        async with listening.listen(resource_subscriptions=[scope]) as events:
            await call(writing, "remember", {"text": "The inn is in Oslo."})
            async for event in events:
                print("heard:", event.uri)
                return


async def main() -> None:
    await tour(over_standard_input, "auto", "The ferry leaves at nine.")
    await tour(over_standard_input, "legacy", "The ferry leaves at ten.")
    await tour(over_http, "auto", "The ferry leaves at eleven.")
    await asyncio.wait_for(heard(over_http), 20)


sys.stdout.reconfigure(line_buffering=True)
asyncio.run(main())
