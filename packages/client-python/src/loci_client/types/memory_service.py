"""Generated from loci/v1/memory_service.proto."""

from __future__ import annotations

from dataclasses import dataclass
import datetime
from typing import Final, Literal

from loci_client.record import Record
from loci_client.scope import Scope
from loci_client.types.memory import Memory, TURN_ROLE_NAMES
from loci_client.v1 import memory_service_pb2
from loci_client.values import read_time


MemoryOrder = Literal["unspecified", "created", "updated", "used", "uses", "importance"]
"""What memories are ordered by, the largest first. Those that are alike are in the order of their ids."""
MEMORY_ORDER_NAMES: Final[dict[int, MemoryOrder]] = {
    0: "unspecified",
    1: "created",
    2: "updated",
    3: "used",
    4: "uses",
    5: "importance",
}


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ConversationTurn(Record[memory_service_pb2.ConversationTurn]):
    """One thing that was said."""

    id: str = ""
    """Required. Unique in the conversation."""
    speaker: str = ""
    """Required."""
    content: str = ""
    """Required."""
    time: datetime.datetime
    """Required. When it was said."""
    role: str = "unspecified"
    """Optional. What the speaker is. Unspecified: the name tells, such as "assistant" or "tool"."""

    @staticmethod
    def _new() -> memory_service_pb2.ConversationTurn:
        return memory_service_pb2.ConversationTurn()

    @classmethod
    def from_proto(cls, message: memory_service_pb2.ConversationTurn) -> ConversationTurn:
        return cls(
            id=message.id,
            speaker=message.speaker,
            content=message.content,
            time=read_time(message.time),
            role=TURN_ROLE_NAMES.get(message.role) or str(int(message.role)),
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ManyMemories(Record[memory_service_pb2.BatchGetMemoriesResponse]):
    """Each id that was asked for is that of a memory, or is missing, or is unread."""

    memories: tuple[Memory, ...] = ()
    """In the order of the ids."""
    cut_ids: tuple[str, ...] = ()
    """Ids of those memories whose text is only its beginning."""
    missing_ids: tuple[str, ...] = ()
    """Where there is no memory that the caller may read; see GetMemory."""
    unread_ids: tuple[str, ...] = ()
    """What the answer had no room for: it takes 2 MiB, or one memory. Ask for these again, or for less of each text."""

    @staticmethod
    def _new() -> memory_service_pb2.BatchGetMemoriesResponse:
        return memory_service_pb2.BatchGetMemoriesResponse()

    @classmethod
    def from_proto(cls, message: memory_service_pb2.BatchGetMemoriesResponse) -> ManyMemories:
        return cls(
            memories=tuple([Memory.from_proto(value) for value in message.memories]),
            cut_ids=tuple(message.cut_ids),
            missing_ids=tuple(message.missing_ids),
            unread_ids=tuple(message.unread_ids),
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class MemoryPage(Record[memory_service_pb2.ListMemoriesResponse]):
    """A page of memories."""

    memories: tuple[Memory, ...] = ()
    """Newest first."""
    next_page_token: str = ""
    """Empty on the last page."""

    @staticmethod
    def _new() -> memory_service_pb2.ListMemoriesResponse:
        return memory_service_pb2.ListMemoriesResponse()

    @classmethod
    def from_proto(cls, message: memory_service_pb2.ListMemoriesResponse) -> MemoryPage:
        return cls(
            memories=tuple([Memory.from_proto(value) for value in message.memories]),
            next_page_token=message.next_page_token,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class MemoryIds(Record[memory_service_pb2.ListMemoryIdsResponse]):
    """A part of the list. Of an empty list there is one part, without ids."""

    ids: bytes = b""
    """Up to 4,096 ids of 16 bytes each, one behind the other."""
    offset: int = 0
    """The place of the first of them in the list. At 0 the list begins: anew, when the connection was lost midway."""
    total: int = 0
    """How many ids the whole list has."""
    sequence: int = 0
    """Up to which change of the log the list is complete. What came behind it may be in the list, or not."""
    cursor: str = ""
    """The same place as a cursor: WatchMemories tells what was changed since."""

    @staticmethod
    def _new() -> memory_service_pb2.ListMemoryIdsResponse:
        return memory_service_pb2.ListMemoryIdsResponse()

    @classmethod
    def from_proto(cls, message: memory_service_pb2.ListMemoryIdsResponse) -> MemoryIds:
        return cls(
            ids=message.ids,
            offset=message.offset,
            total=message.total,
            sequence=message.sequence,
            cursor=message.cursor,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ScopePage(Record[memory_service_pb2.ListMemoryScopesResponse]):
    """A page of scopes."""

    scopes: tuple[ScopeMemories, ...] = ()
    """In the order of their names, such as user:alice, by code points."""
    next_page_token: str = ""
    """Empty on the last page."""

    @staticmethod
    def _new() -> memory_service_pb2.ListMemoryScopesResponse:
        return memory_service_pb2.ListMemoryScopesResponse()

    @classmethod
    def from_proto(cls, message: memory_service_pb2.ListMemoryScopesResponse) -> ScopePage:
        return cls(
            scopes=tuple([ScopeMemories.from_proto(value) for value in message.scopes]),
            next_page_token=message.next_page_token,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ScopeMemories(Record[memory_service_pb2.ScopeMemories]):
    """How much is remembered in a scope."""

    scope: Scope | None = None
    memories: int = 0
    """How many active memories there are, at least 1. One that has expired counts until the job expire has found it."""

    @staticmethod
    def _new() -> memory_service_pb2.ScopeMemories:
        return memory_service_pb2.ScopeMemories()

    @classmethod
    def from_proto(cls, message: memory_service_pb2.ScopeMemories) -> ScopeMemories:
        return cls(
            scope=Scope.from_proto(message.scope) if message.HasField("scope") else None,
            memories=message.memories,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class MemoryChange(Record[memory_service_pb2.WatchMemoriesResponse]):
    """What happened to a memory. Without a change: everything up to here was told; sent whenever there is nothing more
    to tell for now, and then at least every 30 s.
    """

    cursor: str = ""
    """Where a watch can go on from. Opaque."""
    written: Memory | None = None
    """It came to be or was changed, and is active. As it is when it is read."""
    removed_id: str | None = None
    """The id of one that is active no more: forgotten, expired, held back or erased. Of one that never was active, as
    it waits for approval or was rejected, nothing is told. That one was erased is told to those only who watch all
    scopes with a credential that covers them all.
    """

    @staticmethod
    def _new() -> memory_service_pb2.WatchMemoriesResponse:
        return memory_service_pb2.WatchMemoriesResponse()

    @classmethod
    def from_proto(cls, message: memory_service_pb2.WatchMemoriesResponse) -> MemoryChange:
        return cls(
            cursor=message.cursor,
            written=Memory.from_proto(message.written) if message.HasField("written") else None,
            removed_id=message.removed_id if message.HasField("removed_id") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ExportedMemory(Record[memory_service_pb2.MemoryServiceExportMemoriesResponse]):
    """A memory as the ledger holds it."""

    id: str = ""
    line: str = ""
    """A JSON object without a line break. ImportMemories takes it."""

    @staticmethod
    def _new() -> memory_service_pb2.MemoryServiceExportMemoriesResponse:
        return memory_service_pb2.MemoryServiceExportMemoriesResponse()

    @classmethod
    def from_proto(cls, message: memory_service_pb2.MemoryServiceExportMemoriesResponse) -> ExportedMemory:
        return cls(
            id=message.id,
            line=message.line,
        )._from(message)
