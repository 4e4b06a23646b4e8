"""A history of messages that Loci keeps."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timezone
from typing import Any, Union

from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.messages import BaseMessage

from loci_client.agent.keepable_turns import cut_turn
from loci_client.agent.matched_calls import without_call
from loci_client.errors import InvalidArgumentError
from loci_client.langchain.growing_session import GrowingSession
from loci_client.langchain.message_records import MessageRecords, SaidMessage
from loci_client.langchain.message_turns import message_of, turn_of
from loci_client.scope import Scope
from loci_client.synchronous.client import Loci
from loci_client.types import CaptureMoment

_MOST_TURNS = 100


class LociChatMessageHistory(BaseChatMessageHistory):
    """A conversation that Loci keeps as a session.

    Messages come back as they went in: what turns of a session do not have, such as ids and images, is kept beside it.
    The asynchronous methods work in threads.
    """

    def __init__(
        self,
        loci: Loci,
        *,
        scope: Union[str, Scope],
        session: str,
        agent: str | None = None,
        project: str | None = None,
        title: str | None = None,
        capture_moment: CaptureMoment | None = None,
        capture_every_turns: int | None = None,
        keep_secrets: bool = False,
    ) -> None:
        """The history of one conversation.

        Args:
            scope: Whose session it is, such as `user:ann`. From your application, never from what a model said.
            session: The session's id, 1 to 177 bytes.
            agent: As for `loci.sessions.create`, like the others. The session is made when the first message comes.
        """
        super().__init__()
        settings: dict[str, Any] = {
            "agent": agent,
            "project": project,
            "title": title,
            "capture_moment": capture_moment,
            "capture_every_turns": capture_every_turns,
            "keep_secrets": keep_secrets,
        }
        self._session = GrowingSession(loci, (scope, session), settings)
        self._records = MessageRecords(loci, (scope, session), keep_secrets)
        self._guard = threading.Lock()

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override]
        """All messages, oldest first; none where there is no session yet."""
        turns = self._session.turns()
        beyond = self._records.read()
        return [message_of(turn, beyond(turn)) for turn in turns]

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Up to 100 are appended all or none, more in several steps."""
        now = datetime.now(timezone.utc)
        time = now.replace(microsecond=now.microsecond // 1000 * 1000)
        said = [SaidMessage(message, replace(cut_turn(turn_of(message)), time=time)) for message in messages]
        # Messages stand in the order in which they were given, whichever thread they come from.
        with self._guard:
            for first in range(0, len(said), _MOST_TURNS):
                self._append(said[first : first + _MOST_TURNS])

    def clear(self) -> None:
        """Deletes the session. Memories that were made of it stay."""
        with self._guard:
            self._records.delete()
            self._session.delete()

    def _append(self, said: list[SaidMessage]) -> None:
        while True:
            try:
                turns = [turn for _, turn in said]
                self._session.append(turns, lambda first: self._records.keep(said, first))
                return
            except InvalidArgumentError as error:
                at = _result_without_call(error, said)
                if at is None:
                    raise
                said = [*said[:at], SaidMessage(said[at].message, without_call(said[at].turn)), *said[at + 1 :]]


def _result_without_call(error: InvalidArgumentError, said: Sequence[SaidMessage]) -> int | None:
    """Which message's call does not stand before it in the session: it was cut off, or somebody else spoke in between."""
    if error.reason != "INVALID_MESSAGES" or not (error.field or "").endswith(("tool_call_id", "toolCallId")):
        return None
    at = int(error.details["turn"])
    return at if said[at].turn.tool_call_id is not None else None
