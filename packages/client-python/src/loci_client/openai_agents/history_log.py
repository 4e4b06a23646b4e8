"""The changes of a history, one behind the other."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Union
from uuid import uuid4

from loci_client.agent.raw_texts import with_texts_back, with_texts_behind
from loci_client.agent.text_in_parts import text_in_parts
from loci_client.asynchronous.client import AsyncLoci
from loci_client.errors import AlreadyExistsError, ConflictError, NotFoundError, invalid
from loci_client.scope import Scope

# What a turn that holds a part of a change is called: `openai-agents 1/3`.
_PART = re.compile(r"openai-agents (\d{1,3})/(\d{1,3})")
_MOST_TURNS = 100


@dataclass(frozen=True)
class HistoryChange:
    """So many items go from the end of a history, then these come."""

    removed: Union[int, Literal["all"]]
    items: Sequence[Any]


class HistoryLog:
    """Keeps the changes of one history in a session: they are appended, and nothing that stands there is changed."""

    def __init__(self, loci: AsyncLoci, scope: str | Scope, id: str, keep_secrets: bool) -> None:
        self._loci = loci
        self._key = (scope, id)
        self._keep_secrets = keep_secrets
        self._last_turn = 0

    async def append(self, change: HistoryChange, expected_last_turn: int | None = None) -> bool:
        """Appends a change.

        Args:
            expected_last_turn: Where the history ended when the change was decided. Default: wherever it ends.

        Returns:
            False when it went on meanwhile, so that nothing was changed.
        """
        turns = _turns_of(change)
        if expected_last_turn is not None:
            self._last_turn = expected_last_turn
        while True:
            try:
                appended = await self._loci.sessions.append(self._key, turns, expected_last_turn=self._last_turn)
                self._last_turn = appended.last_turn
                return True
            except NotFoundError:
                await self._begin()
            except ConflictError as error:
                self._last_turn = int(error.details["lastTurn"])
                if expected_last_turn is not None:
                    return False

    async def read(self, limit: int | None = None) -> tuple[list[Any], int]:
        """The items of the history, oldest first, and where it ends.

        Args:
            limit: Only so many, the newest.
        """
        items: list[Any] = []
        removed, last_turn = 0, 0
        async for change, number in self._newest_first():
            last_turn = max(last_turn, number)
            kept = list(change.items[: max(0, len(change.items) - removed)])
            removed = max(0, removed - len(change.items))
            items[:0] = kept
            if change.removed == "all":
                break
            removed += change.removed
            if limit is not None and len(items) >= limit:
                break
        return items if limit is None else items[max(0, len(items) - limit) :], last_turn

    async def _newest_first(self) -> AsyncIterator[tuple[HistoryChange, int]]:
        """Changes, each with the number of its last turn. Turns of others are passed over."""
        parts: list[str] = []
        last_turn = 0
        try:
            async for turn in self._loci.sessions.turns(self._key, order="newest_first", page_size=200):
                found = _PART.fullmatch(turn.name or "")
                if found is None:
                    continue
                if found[1] == found[2]:
                    parts, last_turn = [], turn.number
                parts.append(turn.content)
                if found[1] == "1" and len(parts) == int(found[2]):
                    change = _change_of("".join(reversed(parts)))
                    if change is not None:
                        yield change, last_turn
        except NotFoundError:
            # Nothing was ever added.
            return

    async def _begin(self) -> None:
        try:
            await self._loci.sessions.create(self._key, capture_moment="off", keep_secrets=self._keep_secrets)
        except AlreadyExistsError:
            pass


def _turns_of(change: HistoryChange) -> list[dict[str, object]]:
    """A change as turns that are appended together. They are no turns of anybody, and nothing is learnt of them."""
    # The id tells it from another one that does the same.
    written = with_texts_behind({"id": uuid4().hex[:12], "removed": change.removed, "items": change.items})
    parts = text_in_parts(written)
    if len(parts) > _MOST_TURNS:
        raise invalid(
            "TEXT_TOO_LARGE",
            f"The {len(change.items)} items have {len(written)} characters, more than {_MOST_TURNS} turns of a session hold.",
            field="items",
            advice="Add fewer items at a time, and pass large files and images by their address.",
        )
    return [
        {"role": "developer", "name": f"openai-agents {at}/{len(parts)}", "content": part, "recalled": True}
        for at, part in enumerate(parts, 1)
    ]


def _change_of(written: str) -> HistoryChange | None:
    """`None` where a text was taken out as a secret so that the rest cannot be read: what else is kept can be used."""
    try:
        read = with_texts_back(written)
        return HistoryChange(read["removed"], read["items"])
    except (KeyError, TypeError, ValueError):
        return None
