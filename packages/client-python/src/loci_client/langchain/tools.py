"""Tools for models, for agents of LangChain."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from langchain.tools import ToolRuntime
from langchain_core.tools import BaseTool, StructuredTool

from loci_client.agent import AgentTool, AgentTools, AsyncAgentTools, Conversation
from loci_client.agent.tool_forms import chosen_tools
from loci_client.asynchronous.client import AsyncLoci
from loci_client.langchain.request import LociRequest
from loci_client.synchronous.client import Loci


def loci_tools(
    loci: Loci | AsyncLoci,
    *,
    conversation: Conversation | Callable[[LociRequest[Any]], Any],
    names: Iterable[str] | None = None,
) -> list[BaseTool]:
    """Tools with which a model recalls, remembers, and proposes changes of blocks, for `tools` of an agent.

    With `Loci` for agents that are invoked in both ways, with `AsyncLoci` for those that are invoked asynchronously.

    Args:
        conversation: Who speaks: always the same, or by what the agent was invoked with. Never by what a model says.
        names: Which of them, of `recall`, `remember`, `view_blocks` and `edit_block`. Default: all.

    Raises:
        ValueError: There is no such tool.
    """
    if isinstance(loci, AsyncLoci):
        waiting = AsyncAgentTools[LociRequest[Any]](loci, conversation=conversation)
        return [_awaited(tool, waiting) for tool in chosen_tools(names)]
    blocking = AgentTools[LociRequest[Any]](loci, conversation=conversation)
    return [_either(tool, blocking) for tool in chosen_tools(names)]


def _either(tool: AgentTool, tools: AgentTools[LociRequest[Any]]) -> BaseTool:
    def called(runtime: ToolRuntime, **given: Any) -> str:
        return tools.run(tool.name, given, _request(runtime), call_id=runtime.tool_call_id)

    async def awaited(runtime: ToolRuntime, **given: Any) -> str:
        return await asyncio.to_thread(tools.run, tool.name, given, _request(runtime), call_id=runtime.tool_call_id)

    return _structured(tool, func=called, coroutine=awaited)


def _awaited(tool: AgentTool, tools: AsyncAgentTools[LociRequest[Any]]) -> BaseTool:
    async def awaited(runtime: ToolRuntime, **given: Any) -> str:
        return await tools.run(tool.name, given, _request(runtime), call_id=runtime.tool_call_id)

    return _structured(tool, coroutine=awaited)


def _structured(tool: AgentTool, **does: Any) -> BaseTool:
    return StructuredTool.from_function(
        name=tool.name, description=tool.description, args_schema=dict(tool.input_schema), infer_schema=False, **does
    )


def _request(runtime: ToolRuntime) -> LociRequest[Any]:
    return LociRequest(runtime.context, runtime.config.get("configurable", {}))
