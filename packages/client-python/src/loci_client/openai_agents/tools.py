"""Tools for models, for agents of OpenAI's Agents SDK."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

from agents import FunctionTool, Tool
from agents.tool_context import ToolContext

from loci_client.agent import AgentTool, AgentTools, AsyncAgentTools, Conversation
from loci_client.agent.tool_forms import chosen_tools
from loci_client.asynchronous.client import AsyncLoci
from loci_client.synchronous.client import Loci


def loci_tools(
    loci: Loci | AsyncLoci,
    *,
    conversation: Conversation | Callable[[Any], Any],
    names: Iterable[str] | None = None,
) -> list[Tool]:
    """Tools with which a model recalls, remembers, and proposes changes of blocks, for `Agent(tools=…)`.

    Args:
        conversation: Who speaks: always the same, or by the `context` of the run. Never by what a model says.
        names: Which of them, of `recall`, `remember`, `view_blocks` and `edit_block`. Default: all.

    Raises:
        ValueError: There is no such tool.
    """
    tools: AgentTools[Any] | AsyncAgentTools[Any]
    if isinstance(loci, AsyncLoci):
        tools = AsyncAgentTools(loci, conversation=conversation)
    else:
        tools = AgentTools(loci, conversation=conversation)
    return [_function_tool(tool, tools) for tool in chosen_tools(names)]


def _function_tool(tool: AgentTool, tools: AgentTools[Any] | AsyncAgentTools[Any]) -> Tool:
    async def called(run: ToolContext[Any], given: str) -> str:
        if isinstance(tools, AsyncAgentTools):
            return await tools.run(tool.name, given, run.context, call_id=run.tool_call_id)
        return await asyncio.to_thread(tools.run, tool.name, given, run.context, call_id=run.tool_call_id)

    # Strict schemas would have every field required.
    return FunctionTool(
        name=tool.name,
        description=tool.description,
        params_json_schema=deepcopy(dict(tool.input_schema)),
        on_invoke_tool=called,
        strict_json_schema=False,
    )
