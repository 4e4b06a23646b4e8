"""What messages have and turns do not."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Union

from langchain_core.messages import BaseMessage

from loci_client.agent.raw_texts import with_texts_back, with_texts_behind
from loci_client.langchain.growing_session import GrowingSession
from loci_client.langchain.message_fields import MessageFields
from loci_client.langchain.message_turns import beyond_turn
from loci_client.scope import Scope
from loci_client.synchronous.client import Loci
from loci_client.types import Turn

# Behind the id of the session whose messages they are.
_SUFFIX = ":langchain"


class SaidMessage(NamedTuple):
    """A message and the turn that is made of it."""

    message: BaseMessage
    turn: Turn
    """With the time at which it was said."""


class MessageRecords:
    """Ids, images and what a provider says of an answer: kept beside the session of the turns, in one of its own.

    Nothing is learnt of it.
    """

    def __init__(self, loci: Loci, key: tuple[Union[str, Scope], str], keep_secrets: bool) -> None:
        settings = {"capture_moment": "off", "keep_secrets": keep_secrets}
        self._session = GrowingSession(loci, (key[0], f"{key[1]}{_SUFFIX}"), settings)

    def keep(self, said: Sequence[SaidMessage], first: int) -> None:
        """Keeps what the turns do not say, before they are appended.

        Args:
            first: The number that the first of them gets.
        """
        records = []
        for number, (message, turn) in enumerate(said, first):
            beyond = beyond_turn(turn, message)
            if beyond is not None:
                record = {"number": number, "at": _milliseconds(turn), "digest": _digest(turn), **beyond}
                records.append(Turn(role="developer", content=with_texts_behind(record), time=turn.time, recalled=True))
        self._session.append(records)

    def read(self) -> Callable[[Turn], MessageFields | None]:
        """Finds what belongs to a turn.

        A record whose turn was never appended, as somebody else was quicker, belongs to none: there are several for a number.
        """
        records: dict[int, list[dict[str, Any]]] = {}
        for turn in self._session.turns():
            record = _read(turn)
            if record is not None:
                records.setdefault(record["number"], []).append(record)

        def find(turn: Turn) -> MessageFields | None:
            return next((record for record in records.get(turn.number, []) if _belongs(record, turn)), None)

        return find

    def delete(self) -> None:
        self._session.delete()


def _read(turn: Turn) -> dict[str, Any] | None:
    """`None` for what can no longer be read: the message is then what its turn says."""
    try:
        record = with_texts_back(turn.content)
    except ValueError:
        return None
    return record if isinstance(record, dict) else None


def _belongs(record: dict[str, Any], turn: Turn) -> bool:
    """A text that held a secret is kept without it, and has another digest."""
    is_same = record["digest"] == _digest(turn) or "[redacted: " in turn.content
    return is_same and record["at"] == _milliseconds(turn)


def _milliseconds(turn: Turn) -> int | None:
    return None if turn.time is None else round(turn.time.timestamp() * 1000)


def _digest(turn: Turn) -> str:
    """Of the turn's text: another process may have had other words at the same place in the same millisecond."""
    digest = hashlib.sha256(turn.content.encode()).digest()
    return base64.urlsafe_b64encode(digest).decode()[:16]
