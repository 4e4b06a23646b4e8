"""Divides a run into what is appended at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from loci_client.types import Turn

_MOST_TURNS = 100
# So much of what was said before is compared.
_MOST_BEFORE = 200


@dataclass
class RunPart:
    """Turns of a run that are appended together."""

    turns: Sequence[Turn]
    before: Sequence[Turn]
    """What was said before them, oldest first."""
    run_length: int
    """How many turns the whole run has."""
    not_up_to: int = 0
    """They were looked for among the session's turns up to this number, and were not there."""


def in_parts(run: Sequence[Turn], before: Sequence[Turn]) -> tuple[RunPart, ...]:
    """At most 100 turns each, as many as are appended at once, results of tools together with their calls."""
    parts: list[RunPart] = []
    start = 0
    while start < len(run):
        turns = _part_from(run[start:])
        said = [*before, *run[:start]]
        parts.append(RunPart(turns, said[-_MOST_BEFORE:], len(run)))
        start += len(turns)
    return tuple(parts)


def _part_from(rest: Sequence[Turn]) -> Sequence[Turn]:
    if len(rest) <= _MOST_TURNS:
        return rest
    ends = [at for at in range(1, _MOST_TURNS + 1) if rest[at].role != "tool"]
    return rest[: ends[-1] if ends else _MOST_TURNS]
