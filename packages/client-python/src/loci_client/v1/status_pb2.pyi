import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Caller(_message.Message):
    __slots__ = ("tenant", "subject", "roles", "scope_patterns", "version", "services")
    TENANT_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    SCOPE_PATTERNS_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    SERVICES_FIELD_NUMBER: _ClassVar[int]
    tenant: str
    subject: str
    roles: _containers.RepeatedScalarFieldContainer[str]
    scope_patterns: _containers.RepeatedScalarFieldContainer[str]
    version: str
    services: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, tenant: _Optional[str] = ..., subject: _Optional[str] = ..., roles: _Optional[_Iterable[str]] = ..., scope_patterns: _Optional[_Iterable[str]] = ..., version: _Optional[str] = ..., services: _Optional[_Iterable[str]] = ...) -> None: ...

class LociStatus(_message.Message):
    __slots__ = ("ledger", "projections", "jobs", "embedding_cache")
    LEDGER_FIELD_NUMBER: _ClassVar[int]
    PROJECTIONS_FIELD_NUMBER: _ClassVar[int]
    JOBS_FIELD_NUMBER: _ClassVar[int]
    EMBEDDING_CACHE_FIELD_NUMBER: _ClassVar[int]
    ledger: LedgerStatus
    projections: _containers.RepeatedCompositeFieldContainer[ProjectionStatus]
    jobs: _containers.RepeatedCompositeFieldContainer[JobsStatus]
    embedding_cache: EmbeddingCacheStatus
    def __init__(self, ledger: _Optional[_Union[LedgerStatus, _Mapping]] = ..., projections: _Optional[_Iterable[_Union[ProjectionStatus, _Mapping]]] = ..., jobs: _Optional[_Iterable[_Union[JobsStatus, _Mapping]]] = ..., embedding_cache: _Optional[_Union[EmbeddingCacheStatus, _Mapping]] = ...) -> None: ...

class LedgerStatus(_message.Message):
    __slots__ = ("sequence", "record_time", "memories", "kept", "scopes", "bytes")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    RECORD_TIME_FIELD_NUMBER: _ClassVar[int]
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    KEPT_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    BYTES_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    record_time: _timestamp_pb2.Timestamp
    memories: int
    kept: int
    scopes: int
    bytes: int
    def __init__(self, sequence: _Optional[int] = ..., record_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., memories: _Optional[int] = ..., kept: _Optional[int] = ..., scopes: _Optional[int] = ..., bytes: _Optional[int] = ...) -> None: ...

class ProjectionStatus(_message.Message):
    __slots__ = ("name", "checkpoint", "behind", "oldest_time", "rate_per_second", "failure")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    BEHIND_FIELD_NUMBER: _ClassVar[int]
    OLDEST_TIME_FIELD_NUMBER: _ClassVar[int]
    RATE_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    name: str
    checkpoint: int
    behind: int
    oldest_time: _timestamp_pb2.Timestamp
    rate_per_second: float
    failure: ProjectionFailure
    def __init__(self, name: _Optional[str] = ..., checkpoint: _Optional[int] = ..., behind: _Optional[int] = ..., oldest_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., rate_per_second: _Optional[float] = ..., failure: _Optional[_Union[ProjectionFailure, _Mapping]] = ...) -> None: ...

class ProjectionFailure(_message.Message):
    __slots__ = ("reason", "since_time")
    REASON_FIELD_NUMBER: _ClassVar[int]
    SINCE_TIME_FIELD_NUMBER: _ClassVar[int]
    reason: str
    since_time: _timestamp_pb2.Timestamp
    def __init__(self, reason: _Optional[str] = ..., since_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class JobsStatus(_message.Message):
    __slots__ = ("kind", "queued", "running", "dead")
    KIND_FIELD_NUMBER: _ClassVar[int]
    QUEUED_FIELD_NUMBER: _ClassVar[int]
    RUNNING_FIELD_NUMBER: _ClassVar[int]
    DEAD_FIELD_NUMBER: _ClassVar[int]
    kind: str
    queued: int
    running: int
    dead: int
    def __init__(self, kind: _Optional[str] = ..., queued: _Optional[int] = ..., running: _Optional[int] = ..., dead: _Optional[int] = ...) -> None: ...

class EmbeddingCacheStatus(_message.Message):
    __slots__ = ("requested", "memory", "shared", "ledger", "embedder", "entries", "failures")
    REQUESTED_FIELD_NUMBER: _ClassVar[int]
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    SHARED_FIELD_NUMBER: _ClassVar[int]
    LEDGER_FIELD_NUMBER: _ClassVar[int]
    EMBEDDER_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    FAILURES_FIELD_NUMBER: _ClassVar[int]
    requested: int
    memory: int
    shared: int
    ledger: int
    embedder: int
    entries: int
    failures: int
    def __init__(self, requested: _Optional[int] = ..., memory: _Optional[int] = ..., shared: _Optional[int] = ..., ledger: _Optional[int] = ..., embedder: _Optional[int] = ..., entries: _Optional[int] = ..., failures: _Optional[int] = ...) -> None: ...
