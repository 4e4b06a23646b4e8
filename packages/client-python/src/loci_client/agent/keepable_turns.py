"""The turns of a run as a session takes them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Union

from loci_client import v1
from loci_client.agent.matched_calls import with_matched_calls
from loci_client.agent.tool_forms import AGENT_TOOLS
from loci_client.agent.well_formed import well_formed
from loci_client.agent.without_recalled import without_recalled
from loci_client.fill import fill, listed
from loci_client.record import fields_of
from loci_client.types import ToolCall, Turn

TurnInput = Union[Turn, Mapping[str, object]]
"""What somebody said, or what a tool returned: `{"role": "user", "content": "…"}`."""

_MOST_BYTES = 256 * 1024
# What calls may take of a turn that is too long: the rest is for what was said with them.
_MOST_CALL_BYTES = _MOST_BYTES // 2
# Marks the end of what was cut, as everywhere in Loci.
_CUT_MARK = "..."
# The tools with which a model is shown memory.
_RECALLING_TOOLS = frozenset([tool.name for tool in AGENT_TOOLS if tool.shows_memory])


def keepable_turns(given: Iterable[TurnInput]) -> tuple[Turn, ...]:
    """Turns without what was recalled for the question, with calls and results that belong together, and cut to what a turn may have.

    What a tool of memory returned is marked as recalled, so that nothing is learnt of it again.
    """
    filled = fill(v1.AppendTurnsRequest(), {"turns": [_well_formed(turn) for turn in listed(given, "turns")]})
    turns = [Turn.from_proto(turn) for turn in filled.turns]
    recalling = {call.id for turn in turns for call in turn.tool_calls if call.name in _RECALLING_TOOLS}
    matched = with_matched_calls(turns)
    return tuple([_keepable(turn, turn.role == "tool" and turn.tool_call_id in recalling) for turn in matched])


def digest_of(turns: Iterable[Turn]) -> bytes:
    """Tells turns from others without holding what they say."""
    digest = hashlib.sha256()
    for turn in turns:
        written = turn.proto.SerializeToString(deterministic=True)
        digest.update(len(written).to_bytes(8, "big") + written)
    return digest.digest()


def cut_turn(turn: Turn) -> Turn:
    """A turn that is cut to what it may have."""
    if len(turn.content.encode()) + _bytes_beside(turn) > _MOST_BYTES:
        turn = _with_short_calls(turn)
    return replace(turn, content=_cut(turn.content, _MOST_BYTES - _bytes_beside(turn)))


def _keepable(turn: Turn, is_recalled: bool) -> Turn:
    said = without_recalled(turn.content) if turn.role == "user" else turn.content
    return cut_turn(replace(turn, content=said, recalled=turn.recalled or is_recalled))


def _bytes_beside(turn: Turn) -> int:
    beside = [turn.name or "", turn.tool_call_id or ""]
    beside += [text for call in turn.tool_calls for text in (call.id, call.name, call.arguments)]
    return sum([len(text.encode()) for text in beside])


def _with_short_calls(turn: Turn) -> Turn:
    """With arguments that can be kept: a model may write a whole file as one."""
    if not turn.tool_calls:
        return turn
    most = _MOST_CALL_BYTES // len(turn.tool_calls)
    calls = [replace(call, arguments=_cut(call.arguments, most)) for call in turn.tool_calls]
    return replace(turn, tool_calls=tuple(calls))


def _well_formed(given: Any) -> Any:
    """Without halves of characters, which no text of the contract may hold."""
    if isinstance(given, str):
        return well_formed(given)
    if isinstance(given, (Turn, ToolCall)):
        given = fields_of(given)
    if isinstance(given, Mapping):
        return {name: _well_formed(value) for name, value in given.items()}
    return [_well_formed(each) for each in given] if isinstance(given, (list, tuple)) else given


def _cut(text: str, most: int) -> str:
    written = text.encode()
    if len(written) <= most:
        return text
    return written[: max(0, most - len(_CUT_MARK))].decode(errors="ignore") + _CUT_MARK
