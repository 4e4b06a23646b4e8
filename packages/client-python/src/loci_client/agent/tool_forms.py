"""The tools for models in the forms that providers take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from loci_client.agent.tool_table import TOOL_TABLE


@dataclass(frozen=True)
class AgentTool:
    """A tool as a framework takes it apart. What a model asks of it is done by `AgentTools.run`."""

    name: str
    description: str
    input_schema: Mapping[str, Any]
    """A JSON schema of an object."""
    shows_memory: bool
    """Whether it shows what is remembered: nothing is learnt of that again."""


AGENT_TOOLS = tuple([AgentTool(name, **deepcopy(fields)) for name, fields in TOOL_TABLE.items()])
"""`recall`, `remember`, `view_blocks` and `edit_block`."""


def chosen_tools(names: Iterable[str] | None = None) -> tuple[AgentTool, ...]:
    """Those with these names, in the order of the table.

    Raises:
        ValueError: There is no such tool.
    """
    wanted = list(TOOL_TABLE) if names is None else list(names)
    for name in wanted:
        if name not in TOOL_TABLE:
            raise ValueError(f"There is no tool {name!r}. There are: {', '.join(TOOL_TABLE)}.")
    return tuple([tool for tool in AGENT_TOOLS if tool.name in wanted])


def openai_tools(names: Iterable[str] | None = None, *, responses: bool = False) -> list[dict[str, Any]]:
    """The tools as OpenAI's API takes them in `tools`.

    Args:
        names: Which of them. Default: all.
        responses: For `client.responses.create`. Default: for `client.chat.completions.create`.

    Raises:
        ValueError: There is no such tool.
    """
    functions = [
        {"name": tool.name, "description": tool.description, "parameters": deepcopy(dict(tool.input_schema))}
        for tool in chosen_tools(names)
    ]
    if responses:
        # Strict schemas would have every field required.
        return [{"type": "function", "strict": False, **function} for function in functions]
    return [{"type": "function", "function": function} for function in functions]


def anthropic_tools(names: Iterable[str] | None = None) -> list[dict[str, Any]]:
    """The tools as Anthropic's API takes them in `tools`.

    Args:
        names: Which of them. Default: all.

    Raises:
        ValueError: There is no such tool.
    """
    return [
        {"name": tool.name, "description": tool.description, "input_schema": deepcopy(dict(tool.input_schema))}
        for tool in chosen_tools(names)
    ]
