"""Tools for models, for agents of LlamaIndex."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

from llama_index.core.tools import AsyncBaseTool, BaseTool, ToolMetadata, ToolOutput

from loci_client.agent import AgentTool, AgentTools, AsyncAgentTools, Conversation
from loci_client.agent.json_text import json_text
from loci_client.agent.tool_forms import chosen_tools
from loci_client.asynchronous.client import AsyncLoci
from loci_client.synchronous.client import Loci


def loci_tools(
    loci: Loci | AsyncLoci,
    request: Any = None,
    *,
    conversation: Conversation | Callable[[Any], Any],
    names: Iterable[str] | None = None,
) -> list[BaseTool]:
    """Tools with which a model recalls, remembers, and proposes changes of blocks, for the `tools` of one conversation's agent.

    With `Loci` for agents that are run in both ways, with `AsyncLoci` for those that are run asynchronously.

    Args:
        request: By what the function `conversation` says who speaks, as for `loci_memory`. Never what a model said.
        conversation: Who speaks: always the same, or by `request`.
        names: Which of them, of `recall`, `remember`, `view_blocks` and `edit_block`. Default: all.

    Raises:
        ValueError: There is no such tool.
    """
    tools: AgentTools[Any] | AsyncAgentTools[Any]
    if isinstance(loci, AsyncLoci):
        tools = AsyncAgentTools(loci, conversation=conversation)
    else:
        tools = AgentTools(loci, conversation=conversation)
    return [_LociTool(tool, tools, request) for tool in chosen_tools(names)]


class _Metadata(ToolMetadata):
    """What a model is told of a tool: the schema of every language, which no class of Python stands for."""

    def __init__(self, tool: AgentTool) -> None:
        super().__init__(description=tool.description, name=tool.name, fn_schema=None)
        self._schema = tool.input_schema

    def get_parameters_dict(self) -> dict[str, Any]:
        """The JSON schema of its input."""
        return deepcopy(dict(self._schema))

    @property
    def fn_schema_str(self) -> str:
        """The same as text, for agents that write it into their instructions."""
        return json_text(self.get_parameters_dict())


class _LociTool(AsyncBaseTool):
    """A tool of one conversation."""

    def __init__(self, tool: AgentTool, tools: AgentTools[Any] | AsyncAgentTools[Any], request: Any) -> None:
        self._metadata = _Metadata(tool)
        self._tools = tools
        self._request = request
        self._name = tool.name

    @property
    def metadata(self) -> ToolMetadata:
        """Its name, its description and the schema of its input."""
        return self._metadata

    def call(self, *args: Any, **given: Any) -> ToolOutput:
        """Does what a model asked.

        Raises:
            TypeError: It was made with `AsyncLoci`, which is awaited.
        """
        if isinstance(self._tools, AsyncAgentTools):
            raise TypeError(f"The tool {self._name} was made with AsyncLoci: await acall(), or make it with Loci.")
        return self._output(given, self._tools.run(self._name, given, self._request))

    async def acall(self, *args: Any, **given: Any) -> ToolOutput:
        """Does what a model asked."""
        if isinstance(self._tools, AsyncAgentTools):
            return self._output(given, await self._tools.run(self._name, given, self._request))
        return await asyncio.to_thread(self.call, **given)

    def _output(self, given: dict[str, Any], told: str) -> ToolOutput:
        return ToolOutput(tool_name=self._name, content=told, raw_input=given, raw_output=told)
