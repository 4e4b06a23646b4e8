"""What messages have and turns do not."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Union

from langchain_core.messages import BaseMessage

from loci_client.agent.raw_texts import with_texts_back, with_texts_behind
from loci_client.agent.text_in_parts import text_in_parts
from loci_client.errors import invalid
from loci_client.langchain.growing_session import GrowingSession
from loci_client.langchain.message_fields import MessageFields
from loci_client.langchain.message_turns import beyond_turn
from loci_client.scope import Scope
from loci_client.synchronous.client import Loci
from loci_client.types import Turn

# Behind the id of the session whose messages they are.
_SUFFIX = ":langchain"
# What a turn that holds a part of a large record is called.
_PART = re.compile(r"langchain (\d{1,3})/(\d{1,3})")
_MOST_TURNS = 100
# A server takes requests of 4 MiB, as it is set up by default: a few images.
_MOST_BYTES_AT_ONCE = 2 * 1024 * 1024


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
                records.append(_turns_of_record(record, turn))
        for turns in _in_requests(records):
            self._session.append(turns)

    def read(self) -> Callable[[Turn], MessageFields | None]:
        """Finds what belongs to a turn.

        A record whose turn was never appended, as somebody else was quicker, belongs to none: there are several for a number.
        """
        records: dict[int, list[dict[str, Any]]] = {}
        for record in _records_of(self._session.turns()):
            records.setdefault(record["number"], []).append(record)

        def find(turn: Turn) -> MessageFields | None:
            return next((record for record in records.get(turn.number, []) if _belongs(record, turn)), None)

        return find

    def delete(self) -> None:
        self._session.delete()


def _turns_of_record(record: dict[str, Any], of: Turn) -> list[Turn]:
    """One turn, or parts that are appended together.

    Raises:
        InvalidArgumentError: `TEXT_TOO_LARGE`, there is more of it than a session takes at once.
    """
    parts = text_in_parts(with_texts_behind(record))
    if len(parts) > _MOST_TURNS:
        raise invalid(
            "TEXT_TOO_LARGE",
            f"A message is too large for a history: it takes {len(parts)} turns of a session, and at most {_MOST_TURNS} are "
            "appended together.",
            field="messages",
            advice="Pass large files and images by their address.",
        )
    names = [None] if len(parts) == 1 else [f"langchain {at}/{len(parts)}" for at in range(1, len(parts) + 1)]
    return [
        Turn(role="developer", name=name, content=part, time=of.time, recalled=True) for name, part in zip(names, parts)
    ]


def _in_requests(records: Iterable[Sequence[Turn]]) -> Iterator[list[Turn]]:
    """The parts of a record stay together: others may append between two requests."""
    turns: list[Turn] = []
    size = 0
    for parts in records:
        more = sum([len(part.content.encode()) for part in parts])
        if turns and (size + more > _MOST_BYTES_AT_ONCE or len(turns) + len(parts) > _MOST_TURNS):
            yield turns
            turns, size = [], 0
        turns = [*turns, *parts]
        size += more
    yield turns


def _records_of(turns: Iterable[Turn]) -> Iterator[dict[str, Any]]:
    parts: list[str] = []
    for turn in turns:
        found = _PART.fullmatch(turn.name or "")
        part, of = (1, 1) if found is None else (int(found[1]), int(found[2]))
        if part == 1:
            parts = []
        parts.append(turn.content)
        record = _read("".join(parts)) if part == of == len(parts) else None
        if record is not None:
            yield record


def _read(written: str) -> dict[str, Any] | None:
    """`None` for what can no longer be read: the message is then what its turn says."""
    try:
        record = with_texts_back(written)
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
