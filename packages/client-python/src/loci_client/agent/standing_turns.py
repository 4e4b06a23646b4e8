"""Finds turns of a run among those that a session has."""

from __future__ import annotations

from collections.abc import Sequence

from loci_client.types import Turn

MOST_TURNS = 100
"""Most turns of one call."""

_REDACTED = "[redacted: "


def in_parts(turns: Sequence[Turn]) -> list[Sequence[Turn]]:
    """At most 100 turns each, results of tools together with their calls."""
    parts: list[Sequence[Turn]] = []
    while len(turns) > MOST_TURNS:
        ends = [at for at in range(1, MOST_TURNS + 1) if turns[at].role != "tool"]
        length = ends[-1] if ends else MOST_TURNS
        parts.append(turns[:length])
        turns = turns[length:]
    return [*parts, turns]


def places_of(turns: Sequence[Turn], among: Sequence[Turn]) -> list[int]:
    """Where the turns stand in a row, without those that overlap."""
    places: list[int] = []
    place = 0
    while place + len(turns) <= len(among):
        if all(_may_be_same(turn, among[place + at]) for at, turn in enumerate(turns)):
            places.append(place)
            place += len(turns) - 1
        place += 1
    return places


def _may_be_same(turn: Turn, other: Turn) -> bool:
    """As far as it can be seen: secrets are not kept as they were said."""
    return (
        turn.role == other.role
        and turn.tool_call_id == other.tool_call_id
        and (turn.content == other.content or _REDACTED in other.content)
        and [call.id for call in turn.tool_calls] == [call.id for call in other.tool_calls[: len(turn.tool_calls)]]
    )
