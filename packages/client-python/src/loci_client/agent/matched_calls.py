"""The calls and results of a run as a session takes them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from loci_client.types import ToolCall, Turn

_MOST_CALLS = 128


def with_matched_calls(turns: Iterable[Turn]) -> list[Turn]:
    """The turns of a run with the calls and results that a session takes, which refuses all of them for one that it does not take.

    A call that cannot be answered, without an id or with that of another call of its turn, is left out. A result whose call does
    not stand before it is kept as something that was shown.
    """
    matched = []
    open_calls: set[str | None] = set()
    for turn in turns:
        if turn.role != "tool":
            turn = replace(turn, tool_calls=_answerable(turn.tool_calls))
            open_calls = {call.id for call in turn.tool_calls}
        elif turn.tool_call_id in open_calls:
            open_calls.remove(turn.tool_call_id)
        else:
            turn = without_call(turn)
        matched.append(turn)
    return matched


def without_call(turn: Turn) -> Turn:
    """The result of a tool whose call does not stand before it: no user's words, and nothing is learnt from it."""
    return replace(turn, role="assistant", tool_call_id=None, recalled=True)


def _answerable(calls: Iterable[ToolCall]) -> tuple[ToolCall, ...]:
    by_id: dict[str, ToolCall] = {}
    for call in calls:
        if call.id and call.name:
            by_id.setdefault(call.id, call)
    return tuple(by_id.values())[:_MOST_CALLS]
