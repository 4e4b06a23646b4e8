"""The turns of a run as a session takes them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Union

from loci_client import v1
from loci_client.agent.tool_forms import AGENT_TOOLS
from loci_client.agent.well_formed import well_formed
from loci_client.agent.without_recalled import without_recalled
from loci_client.fill import fill, listed
from loci_client.record import fields_of
from loci_client.types import Turn

TurnInput = Union[Turn, Mapping[str, object]]
"""What somebody said, or what a tool returned: `{"role": "user", "content": "…"}`."""

_MOST_BYTES = 256 * 1024
# Marks the end of what was cut, as everywhere in Loci.
_CUT_MARK = "..."
# The tools with which a model is shown memory.
_RECALLING_TOOLS = frozenset([tool.name for tool in AGENT_TOOLS if tool.shows_memory])


def keepable_turns(given: Iterable[TurnInput]) -> tuple[Turn, ...]:
    """Turns without what was recalled for the question, and cut to what a turn may have.

    What a tool of memory returned is marked as recalled, so that nothing is learnt of it again.
    """
    filled = fill(v1.AppendTurnsRequest(), {"turns": [_well_formed(turn) for turn in listed(given, "turns")]})
    turns = [Turn.from_proto(turn) for turn in filled.turns]
    recalling = {call.id for turn in turns for call in turn.tool_calls if call.name in _RECALLING_TOOLS}
    return tuple([_keepable(turn, turn.role == "tool" and turn.tool_call_id in recalling) for turn in turns])


def digest_of(turns: Iterable[Turn]) -> bytes:
    """Tells turns from others without holding what they say."""
    digest = hashlib.sha256()
    for turn in turns:
        written = turn.proto.SerializeToString(deterministic=True)
        digest.update(len(written).to_bytes(8, "big") + written)
    return digest.digest()


def _keepable(turn: Turn, is_recalled: bool) -> Turn:
    said = without_recalled(turn.content) if turn.role == "user" else turn.content
    beside = [turn.name or "", turn.tool_call_id or ""]
    beside += [text for call in turn.tool_calls for text in (call.id, call.name, call.arguments)]
    content = _cut(said, _MOST_BYTES - sum([len(text.encode()) for text in beside]))
    return replace(turn, content=content, recalled=turn.recalled or is_recalled)


def _well_formed(turn: Any) -> Mapping[str, object]:
    fields = dict(fields_of(turn) if isinstance(turn, Turn) else turn)
    if isinstance(fields.get("content"), str):
        fields["content"] = well_formed(fields["content"])
    return fields


def _cut(text: str, most: int) -> str:
    written = text.encode()
    if len(written) <= most:
        return text
    return written[: max(0, most - len(_CUT_MARK))].decode(errors="ignore") + _CUT_MARK
