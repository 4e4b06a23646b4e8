"""Generated from loci/v1/memory.proto."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
import datetime
from typing import Final, Literal

from loci_client.record import Record
from loci_client.scope import Scope
from loci_client.v1 import memory_pb2
from loci_client.values import Value, read_time, read_value


Repeat = Literal["unspecified", "refresh", "add"]
"""What becomes of a text that an active memory says already, in the same scope, with the same key, category, slot,
trust and time of being true.
"""
REPEAT_NAMES: Final[dict[int, Repeat]] = {
    0: "unspecified",
    1: "refresh",
    2: "add",
}


TurnRole = Literal["unspecified", "person", "assistant", "tool"]
"""Who may say a turn of a conversation."""
TURN_ROLE_NAMES: Final[dict[int, TurnRole]] = {
    0: "unspecified",
    1: "person",
    2: "assistant",
    3: "tool",
}


Origin = Literal["unspecified", "manual", "capture", "correction", "post_mortem", "import"]
"""Where a memory came from."""
ORIGIN_NAMES: Final[dict[int, Origin]] = {
    0: "unspecified",
    1: "manual",
    2: "capture",
    3: "correction",
    4: "post_mortem",
    5: "import",
}


ProvenanceKind = Literal["unspecified", "adr", "commit", "conversation", "incident", "document"]
"""The kinds of source a memory can cite."""
PROVENANCE_KIND_NAMES: Final[dict[int, ProvenanceKind]] = {
    0: "unspecified",
    1: "adr",
    2: "commit",
    3: "conversation",
    4: "incident",
    5: "document",
}


Trust = Literal["unspecified", "trusted", "untrusted"]
"""Whether the words are the caller's own."""
TRUST_NAMES: Final[dict[int, Trust]] = {
    0: "unspecified",
    1: "trusted",
    2: "untrusted",
}


MemoryState = Literal["unspecified", "active", "quarantined", "deleted"]
"""Whether a memory can be recalled."""
MEMORY_STATE_NAMES: Final[dict[int, MemoryState]] = {
    0: "unspecified",
    1: "active",
    2: "quarantined",
    3: "deleted",
}


EmbeddingState = Literal["unspecified", "ready", "pending"]
"""Whether a memory can be found by meaning yet."""
EMBEDDING_STATE_NAMES: Final[dict[int, EmbeddingState]] = {
    0: "unspecified",
    1: "ready",
    2: "pending",
}


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Memory(Record[memory_pb2.Memory]):
    """Something worth remembering. Times are whole milliseconds: what is finer is cut off."""

    id: str = ""
    """A UUIDv7."""
    text: str = ""
    """Required. 1 byte to 64 KiB of UTF-8, without NUL, and something in it that can be seen."""
    scope: Scope
    """Required. Fixed once the memory exists."""
    category: str | None = None
    """Optional. fact, decision, preference, entity, procedure, note, learning, or a lower-case word of your own.
    Default fact.
    """
    importance: float | None = None
    """Optional. 0 to 1. Default by category and origin; a given 0 is kept."""
    confidence: float | None = None
    """Optional. 0 to 1: how sure it is that this is true. Default 1."""
    is_static: bool | None = None
    """Optional. A static memory never fades with time. Default false."""
    tags: tuple[str, ...] = ()
    """Optional. At most 32, of 1 to 64 bytes."""
    slot: str | None = None
    """Optional. What the memory is the value of, such as "theme". Memories of one slot contradict each other."""
    origin: str = "unspecified"
    """Optional. Default ORIGIN_MANUAL. Fixed once the memory exists."""
    provenance: Provenance | None = None
    """Optional. What the memory cites."""
    trust: str = "unspecified"
    """Optional. Default TRUST_TRUSTED. Fixed once the memory exists."""
    metadata: Mapping[str, Value] = field(default_factory=dict, hash=False)
    """Optional. Fields of your own, at most 40 KiB."""
    create_time: datetime.datetime
    """Optional. When it was said. Default now. Once the memory exists, only saying it again changes it."""
    update_time: datetime.datetime
    """When this version was made."""
    record_time: datetime.datetime
    """When the ledger recorded this version, by the ledger's clock."""
    valid_from: datetime.datetime | None = None
    """Optional. When it began to be true. An update of text alone sets it to the time of the update, see
    UpdateMemoryRequest.
    """
    valid_to: datetime.datetime | None = None
    """Optional. When it ceased to be true; exclusive."""
    expire_time: datetime.datetime | None = None
    """Optional. From then on it is neither recalled nor listed."""
    version: int = 0
    """Counts the versions, from 1."""
    etag: str = ""
    """Stands for this version; send it back with an update."""
    superseded_by: str | None = None
    """Optional. The id of the memory that took this one's place."""
    state: str = "unspecified"
    usage: MemoryUsage
    """How often it was used."""
    embedding: str = "unspecified"
    repeat: str = "unspecified"
    """Input only. Optional. What becomes of a text that a memory of the scope says already. Default REPEAT_REFRESH."""
    is_pinned: bool | None = None
    """Optional. It stands in every context of its scope, whether the query finds it or not. At most 50 a scope. Default
    false.
    """
    slot_value: str | None = None
    """What the slot is set to, in a few words. At most 200 bytes."""
    approved_by: str | None = None
    """The subject of whoever approved what it says."""
    approve_time: datetime.datetime | None = None
    """When it was approved."""
    warnings: tuple[MemoryWarning, ...] = ()
    """Output only, in the answer to the call that stored the text: what whoever stored it should know. Not kept."""
    key: str | None = None
    """Optional. What the application calls it: 1 to 512 bytes of UTF-8 without NUL, compared byte for byte. One memory
    of a scope has a key, until it is forgotten. Fixed once the memory exists.
    """

    @staticmethod
    def _new() -> memory_pb2.Memory:
        return memory_pb2.Memory()

    @classmethod
    def from_proto(cls, message: memory_pb2.Memory) -> Memory:
        return cls(
            id=message.id,
            text=message.text,
            scope=Scope.from_proto(message.scope),
            category=message.category if message.HasField("category") else None,
            importance=message.importance if message.HasField("importance") else None,
            confidence=message.confidence if message.HasField("confidence") else None,
            is_static=message.is_static if message.HasField("is_static") else None,
            tags=tuple(message.tags),
            slot=message.slot if message.HasField("slot") else None,
            origin=ORIGIN_NAMES.get(message.origin) or str(int(message.origin)),
            provenance=Provenance.from_proto(message.provenance) if message.HasField("provenance") else None,
            trust=TRUST_NAMES.get(message.trust) or str(int(message.trust)),
            metadata={name: read_value(value) for name, value in message.metadata.items()},
            create_time=read_time(message.create_time),
            update_time=read_time(message.update_time),
            record_time=read_time(message.record_time),
            valid_from=read_time(message.valid_from) if message.HasField("valid_from") else None,
            valid_to=read_time(message.valid_to) if message.HasField("valid_to") else None,
            expire_time=read_time(message.expire_time) if message.HasField("expire_time") else None,
            version=message.version,
            etag=message.etag,
            superseded_by=message.superseded_by if message.HasField("superseded_by") else None,
            state=MEMORY_STATE_NAMES.get(message.state) or str(int(message.state)),
            usage=MemoryUsage.from_proto(message.usage),
            embedding=EMBEDDING_STATE_NAMES.get(message.embedding) or str(int(message.embedding)),
            repeat=REPEAT_NAMES.get(message.repeat) or str(int(message.repeat)),
            is_pinned=message.is_pinned if message.HasField("is_pinned") else None,
            slot_value=message.slot_value if message.HasField("slot_value") else None,
            approved_by=message.approved_by if message.HasField("approved_by") else None,
            approve_time=read_time(message.approve_time) if message.HasField("approve_time") else None,
            warnings=tuple([MemoryWarning.from_proto(value) for value in message.warnings]),
            key=message.key if message.HasField("key") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class MemoryWarning(Record[memory_pb2.MemoryWarning]):
    """Something that whoever stored a memory should know. The memory is stored all the same."""

    reason: str = ""
    """In UPPER_SNAKE: HOLDS_SECRET, ALREADY_EXPIRED, TIME_IN_SECONDS."""
    message: str = ""
    """Of a secret it names the class, never the secret."""
    advice: str = ""

    @staticmethod
    def _new() -> memory_pb2.MemoryWarning:
        return memory_pb2.MemoryWarning()

    @classmethod
    def from_proto(cls, message: memory_pb2.MemoryWarning) -> MemoryWarning:
        return cls(
            reason=message.reason,
            message=message.message,
            advice=message.advice,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Provenance(Record[memory_pb2.Provenance]):
    """What a memory cites."""

    source_id: str = ""
    """Required. The source's own name, such as "ADR-007". Shown to the model. 1 to 200 bytes."""
    kind: str = "unspecified"
    """Required."""
    confidence: float | None = None
    """Optional. How far the source is trusted to say this, 0 to 1."""
    position: int | None = None
    """Optional. The place inside the source, from 0: for a conversation, the turn."""
    create_time: datetime.datetime | None = None
    """Optional. When the source came to be."""
    retrieval_score: float | None = None
    """Optional. The score with which another retriever found it."""
    speaker: str | None = None
    """Optional. Who said it, for the turn of a conversation. 1 to 200 bytes."""
    role: str = "unspecified"
    """Optional. What that speaker is. Unspecified: the name tells, such as "assistant" or "tool"."""

    @staticmethod
    def _new() -> memory_pb2.Provenance:
        return memory_pb2.Provenance()

    @classmethod
    def from_proto(cls, message: memory_pb2.Provenance) -> Provenance:
        return cls(
            source_id=message.source_id,
            kind=PROVENANCE_KIND_NAMES.get(message.kind) or str(int(message.kind)),
            confidence=message.confidence if message.HasField("confidence") else None,
            position=message.position if message.HasField("position") else None,
            create_time=read_time(message.create_time) if message.HasField("create_time") else None,
            retrieval_score=message.retrieval_score if message.HasField("retrieval_score") else None,
            speaker=message.speaker if message.HasField("speaker") else None,
            role=TURN_ROLE_NAMES.get(message.role) or str(int(message.role)),
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class MemoryUsage(Record[memory_pb2.MemoryUsage]):
    """How often a memory was used. Using a memory does not change its version."""

    access_count: int = 0
    last_access_time: datetime.datetime | None = None
    """Absent when it was never used."""

    @staticmethod
    def _new() -> memory_pb2.MemoryUsage:
        return memory_pb2.MemoryUsage()

    @classmethod
    def from_proto(cls, message: memory_pb2.MemoryUsage) -> MemoryUsage:
        return cls(
            access_count=message.access_count,
            last_access_time=read_time(message.last_access_time) if message.HasField("last_access_time") else None,
        )._from(message)
