"""Generated from loci/v1/status.proto."""

from __future__ import annotations

from dataclasses import dataclass
import datetime

from loci_client.record import Record
from loci_client.v1 import status_pb2
from loci_client.values import read_time


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Caller(Record[status_pb2.Caller]):
    """Whom the server takes a caller for, and who answers."""

    tenant: str = ""
    """The tenant of the credential."""
    subject: str = ""
    """The name that ends up as the author of what the caller writes, such as api-key:ci."""
    roles: tuple[str, ...] = ()
    """What the credential may do: read, write, approve, admin, operate."""
    scope_patterns: tuple[str, ...] = ()
    """Which scopes it may touch: exact (user:alice), all of a kind (user:*), or everything (*)."""
    version: str = ""
    """The version of the server, such as 0.1.0."""
    services: tuple[str, ...] = ()
    """The services that it has, such as loci.v1.MemoryService."""

    @staticmethod
    def _new() -> status_pb2.Caller:
        return status_pb2.Caller()

    @classmethod
    def from_proto(cls, message: status_pb2.Caller) -> Caller:
        return cls(
            tenant=message.tenant,
            subject=message.subject,
            roles=tuple(message.roles),
            scope_patterns=tuple(message.scope_patterns),
            version=message.version,
            services=tuple(message.services),
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class LociStatus(Record[status_pb2.LociStatus]):
    """How the server is, as far as it concerns the caller's tenant."""

    ledger: LedgerStatus | None = None
    projections: tuple[ProjectionStatus, ...] = ()
    """What follows the log: the indexes, and whatever else does."""
    jobs: tuple[JobsStatus, ...] = ()
    """Durable work of the tenant, by its kind. Kinds of which nothing waits, is under way or has failed are left out.
    """
    embedding_cache: EmbeddingCacheStatus | None = None
    """Who had the vectors that were asked for. Of every tenant: only with the role operate. Absent without a cache."""

    @staticmethod
    def _new() -> status_pb2.LociStatus:
        return status_pb2.LociStatus()

    @classmethod
    def from_proto(cls, message: status_pb2.LociStatus) -> LociStatus:
        return cls(
            ledger=LedgerStatus.from_proto(message.ledger) if message.HasField("ledger") else None,
            projections=tuple([ProjectionStatus.from_proto(value) for value in message.projections]),
            jobs=tuple([JobsStatus.from_proto(value) for value in message.jobs]),
            embedding_cache=EmbeddingCacheStatus.from_proto(message.embedding_cache) if message.HasField("embedding_cache") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class LedgerStatus(Record[status_pb2.LedgerStatus]):
    """What the ledger holds of the tenant."""

    sequence: int = 0
    """Of the last entry of the tenant's log; 0 before the first."""
    record_time: datetime.datetime | None = None
    """When that was recorded."""
    memories: int = 0
    """Active memories. One that has expired counts until the job expire has found it."""
    kept: int = 0
    """All that there are, with those that wait for approval and the tombstones of those that were forgotten."""
    scopes: int = 0
    """Scopes that hold active memories."""
    bytes: int | None = None
    """What the database takes, of every tenant: only with the role operate."""

    @staticmethod
    def _new() -> status_pb2.LedgerStatus:
        return status_pb2.LedgerStatus()

    @classmethod
    def from_proto(cls, message: status_pb2.LedgerStatus) -> LedgerStatus:
        return cls(
            sequence=message.sequence,
            record_time=read_time(message.record_time) if message.HasField("record_time") else None,
            memories=message.memories,
            kept=message.kept,
            scopes=message.scopes,
            bytes=message.bytes if message.HasField("bytes") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ProjectionStatus(Record[status_pb2.ProjectionStatus]):
    """How far something has followed the tenant's log."""

    name: str = ""
    """Such as vectors, text or capture-triggers."""
    checkpoint: int | None = None
    """The last entry that it has seen. Absent: it does not answer."""
    behind: int | None = None
    """Entries between that and the last one that concerns it. Those that do not concern it may be among them."""
    oldest_time: datetime.datetime | None = None
    """When the oldest of them was recorded. Absent: it is up to date."""
    rate_per_second: float = 0.0
    """Entries a second that this server has brought to it over the last 10 to 20 s."""
    failure: ProjectionFailure | None = None
    """Why it could not be brought up to date the last time. Absent: it could."""

    @staticmethod
    def _new() -> status_pb2.ProjectionStatus:
        return status_pb2.ProjectionStatus()

    @classmethod
    def from_proto(cls, message: status_pb2.ProjectionStatus) -> ProjectionStatus:
        return cls(
            name=message.name,
            checkpoint=message.checkpoint if message.HasField("checkpoint") else None,
            behind=message.behind if message.HasField("behind") else None,
            oldest_time=read_time(message.oldest_time) if message.HasField("oldest_time") else None,
            rate_per_second=message.rate_per_second,
            failure=ProjectionFailure.from_proto(message.failure) if message.HasField("failure") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ProjectionFailure(Record[status_pb2.ProjectionFailure]):
    """Why a projection stays behind."""

    reason: str = ""
    """In UPPER_SNAKE, such as STORE_UNAVAILABLE. The server's log says more."""
    since_time: datetime.datetime | None = None
    """Since when every try has failed."""

    @staticmethod
    def _new() -> status_pb2.ProjectionFailure:
        return status_pb2.ProjectionFailure()

    @classmethod
    def from_proto(cls, message: status_pb2.ProjectionFailure) -> ProjectionFailure:
        return cls(
            reason=message.reason,
            since_time=read_time(message.since_time) if message.HasField("since_time") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class JobsStatus(Record[status_pb2.JobsStatus]):
    """Durable work of one kind."""

    kind: str = ""
    """Such as capture."""
    queued: int = 0
    running: int = 0
    dead: int = 0
    """Those that have failed for good, for as long as they are kept."""

    @staticmethod
    def _new() -> status_pb2.JobsStatus:
        return status_pb2.JobsStatus()

    @classmethod
    def from_proto(cls, message: status_pb2.JobsStatus) -> JobsStatus:
        return cls(
            kind=message.kind,
            queued=message.queued,
            running=message.running,
            dead=message.dead,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class EmbeddingCacheStatus(Record[status_pb2.EmbeddingCacheStatus]):
    """How many texts a vector was asked for, since the server began, and who had it."""

    requested: int = 0
    memory: int = 0
    """The layer in the server's memory."""
    shared: int = 0
    """Asked for twice at once: the other's work."""
    ledger: int = 0
    """The layer in the ledger."""
    embedder: int = 0
    """Nobody: they were embedded."""
    entries: int = 0
    """Vectors in the server's memory now."""
    failures: int = 0
    """Times the ledger's layer failed or was too slow."""

    @staticmethod
    def _new() -> status_pb2.EmbeddingCacheStatus:
        return status_pb2.EmbeddingCacheStatus()

    @classmethod
    def from_proto(cls, message: status_pb2.EmbeddingCacheStatus) -> EmbeddingCacheStatus:
        return cls(
            requested=message.requested,
            memory=message.memory,
            shared=message.shared,
            ledger=message.ledger,
            embedder=message.embedder,
            entries=message.entries,
            failures=message.failures,
        )._from(message)
