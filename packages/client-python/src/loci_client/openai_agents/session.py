"""A history of a conversation, in Loci."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agents import TResponseInputItem
from agents.memory import SessionSettings
from agents.memory.session_settings import resolve_session_limit

from loci_client.asynchronous.client import AsyncLoci
from loci_client.openai_agents.history_log import HistoryChange, HistoryLog
from loci_client.openai_agents.items import without_block
from loci_client.scope import Scope

_PREFIX = "openai-agents-python:"


class LociSession:
    """The history of a conversation: the Agents SDK reads it before a run, and writes to it what a run added.

    It stands in a session of its own, whose turns say what was added and what was removed: `pop_item` and `clear_session`
    lose nothing. Items come back as they went in. Nothing is learnt of it: memories are made of what `keep_run` keeps.
    """

    def __init__(
        self,
        loci: AsyncLoci,
        *,
        scope: str | Scope,
        id: str,
        keep_secrets: bool = False,
        session_settings: SessionSettings | None = None,
    ) -> None:
        """The history of one conversation.

        Args:
            scope: Whose conversation it is: from the application, never from messages.
            id: Names it in that scope, 1 to 166 bytes.
            keep_secrets: Items come back with the secrets in them. Default: each stands there as `[redacted: …]`.
            session_settings: Such as how many of the newest items a run is given. Default: all.
        """
        self.session_id = id
        self.session_settings: SessionSettings | None = session_settings or SessionSettings()
        self._log = HistoryLog(loci, scope, f"{_PREFIX}{id}", keep_secrets)

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The newest items, oldest first. Default: as the settings say."""
        items, _ = await self._log.read(resolve_session_limit(limit, self.session_settings))
        return items

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Adds items at the end."""
        given: Iterable[Any] = items
        if items:
            await self._log.append(HistoryChange(0, [without_block(item) for item in given]))

    async def pop_item(self) -> TResponseInputItem | None:
        """Removes the newest item, and gives it."""
        while True:
            items, last_turn = await self._log.read(1)
            if not items:
                return None
            newest: TResponseInputItem = items[0]
            if await self._log.append(HistoryChange(1, []), last_turn):
                return newest

    async def clear_session(self) -> None:
        """Removes all items."""
        items, _ = await self._log.read(1)
        if items:
            await self._log.append(HistoryChange("all", []))
