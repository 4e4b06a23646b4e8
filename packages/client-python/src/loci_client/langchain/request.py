"""What LangChain tells of a call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic

from langchain.agents.middleware.types import ContextT
from langgraph.config import get_config
from langgraph.runtime import Runtime


@dataclass(frozen=True)
class LociRequest(Generic[ContextT]):
    """By what your application says who speaks."""

    context: ContextT
    """The `context` that the agent was invoked with."""
    configurable: Mapping[str, Any]
    """What the agent was invoked with as `configurable`, such as `thread_id`."""


def request_of(runtime: Runtime[ContextT]) -> LociRequest[ContextT]:
    """The same of what a hook is given."""
    try:
        configurable = get_config().get("configurable", {})
    except RuntimeError:
        # Coroutines of Python 3.10 are not told.
        configurable = {}
    return LociRequest(runtime.context, configurable)
