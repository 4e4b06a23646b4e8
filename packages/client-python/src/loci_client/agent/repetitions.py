"""Finds a run among the turns that its session has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from loci_client.types import Turn

# How a secret stands in a session.
_REDACTION = re.compile(r"\[redacted: [^\]]{1,40}\]")


def repetitions(
    turns: Sequence[Turn],
    before: Sequence[Turn],
    session: Sequence[Turn],
    *,
    is_late: bool = False,
    first: int = 0,
) -> list[int]:
    """Where the turns of a run may stand already among those of a session, newest first.

    Not where somebody said the same before: of what stands before a run in its session, as much is known from `before` as of
    the whole session; and where the session ends with what was said before, the run is not in it, unless it is late and
    somebody may have said the same again since.

    Args:
        before: What was said before the run, as far as it is known; the session may lack some of it.
        first: The run is known not to begin before this place of `session`.
    """
    texts: dict[str, str] = {}
    run, known, kept = [[_said(turn, texts) for turn in each] for each in (turns, before, session)]
    last = len(kept) - len(run)
    whole = _found(known, kept, len(kept))
    ends_with_before = not is_late and whole.newest == len(kept) - 1
    return [
        place
        for place in range(last, first - 1, -1)
        if (place == last or not ends_with_before)
        and all(_may_be_same(turn, kept[place + at]) for at, turn in enumerate(run))
        and _found(known, kept, place).turns >= whole.turns
    ]


class _Said(NamedTuple):
    """What a turn is compared by."""

    role: str
    call: str | None
    calls: tuple[str, ...]
    text: str
    parts: tuple[str, ...]
    """What stands between secrets that were taken out. Empty: there are none."""


class _Found(NamedTuple):
    """How much of what was said before stands in a session."""

    turns: int
    newest: int
    """The place of the newest one; -1: there is none."""


def _said(turn: Turn, texts: dict[str, str]) -> _Said:
    # Equal texts as one: long ones are then compared at once, however often.
    text = texts.setdefault(turn.content, turn.content)
    parts = tuple(_REDACTION.split(text)) if "[redacted: " in text else ()
    return _Said(turn.role, turn.tool_call_id, tuple([call.id for call in turn.tool_calls]), text, parts)


def _found(before: Sequence[_Said], session: Sequence[_Said], length: int) -> _Found:
    """How much of what was said before stands, in its order, among the first turns of a session."""
    turns, newest, end = 0, -1, length
    for turn in reversed(before):
        place = end - 1
        while place >= 0 and not _may_be_same(turn, session[place]):
            place -= 1
        if place < 0:
            continue
        if turns == 0:
            newest = place
        turns += 1
        end = place
    return _Found(turns, newest)


def _may_be_same(turn: _Said, kept: _Said) -> bool:
    is_alike = turn.role == kept.role and turn.call == kept.call and turn.calls == kept.calls[: len(turn.calls)]
    return is_alike and (turn.text == kept.text or _may_be_kept_so(turn.text, kept.parts))


def _may_be_kept_so(text: str, parts: tuple[str, ...]) -> bool:
    """Whether it is a text whose secrets were taken out."""
    if len(parts) < 2 or not text.startswith(parts[0]):
        return False
    place = len(parts[0])
    for part in parts[1:]:
        place = text.find(part, place)
        if place < 0:
            return False
        place += len(part)
    return text.endswith(parts[-1])
