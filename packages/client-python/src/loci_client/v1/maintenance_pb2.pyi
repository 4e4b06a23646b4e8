import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from loci_client.v1 import scope_pb2 as _scope_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MaintenanceJob(_message.Message):
    __slots__ = ("reindex", "verify", "expire", "prune", "compact", "reweigh", "review", "backup", "erase", "encrypt")
    REINDEX_FIELD_NUMBER: _ClassVar[int]
    VERIFY_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_FIELD_NUMBER: _ClassVar[int]
    PRUNE_FIELD_NUMBER: _ClassVar[int]
    COMPACT_FIELD_NUMBER: _ClassVar[int]
    REWEIGH_FIELD_NUMBER: _ClassVar[int]
    REVIEW_FIELD_NUMBER: _ClassVar[int]
    BACKUP_FIELD_NUMBER: _ClassVar[int]
    ERASE_FIELD_NUMBER: _ClassVar[int]
    ENCRYPT_FIELD_NUMBER: _ClassVar[int]
    reindex: ReindexJob
    verify: VerifyJob
    expire: ExpireJob
    prune: PruneJob
    compact: CompactJob
    reweigh: ReweighJob
    review: ReviewJob
    backup: BackupJob
    erase: EraseJob
    encrypt: EncryptJob
    def __init__(self, reindex: _Optional[_Union[ReindexJob, _Mapping]] = ..., verify: _Optional[_Union[VerifyJob, _Mapping]] = ..., expire: _Optional[_Union[ExpireJob, _Mapping]] = ..., prune: _Optional[_Union[PruneJob, _Mapping]] = ..., compact: _Optional[_Union[CompactJob, _Mapping]] = ..., reweigh: _Optional[_Union[ReweighJob, _Mapping]] = ..., review: _Optional[_Union[ReviewJob, _Mapping]] = ..., backup: _Optional[_Union[BackupJob, _Mapping]] = ..., erase: _Optional[_Union[EraseJob, _Mapping]] = ..., encrypt: _Optional[_Union[EncryptJob, _Mapping]] = ...) -> None: ...

class ReindexJob(_message.Message):
    __slots__ = ("to", "embedder", "drop_old")
    TO_FIELD_NUMBER: _ClassVar[int]
    EMBEDDER_FIELD_NUMBER: _ClassVar[int]
    DROP_OLD_FIELD_NUMBER: _ClassVar[int]
    to: str
    embedder: str
    drop_old: bool
    def __init__(self, to: _Optional[str] = ..., embedder: _Optional[str] = ..., drop_old: _Optional[bool] = ...) -> None: ...

class VerifyJob(_message.Message):
    __slots__ = ("repair",)
    REPAIR_FIELD_NUMBER: _ClassVar[int]
    repair: bool
    def __init__(self, repair: _Optional[bool] = ...) -> None: ...

class ExpireJob(_message.Message):
    __slots__ = ("evaluation_time",)
    EVALUATION_TIME_FIELD_NUMBER: _ClassVar[int]
    evaluation_time: _timestamp_pb2.Timestamp
    def __init__(self, evaluation_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class PruneJob(_message.Message):
    __slots__ = ("dormant_days", "remove_after_days", "evaluation_time")
    DORMANT_DAYS_FIELD_NUMBER: _ClassVar[int]
    REMOVE_AFTER_DAYS_FIELD_NUMBER: _ClassVar[int]
    EVALUATION_TIME_FIELD_NUMBER: _ClassVar[int]
    dormant_days: float
    remove_after_days: float
    evaluation_time: _timestamp_pb2.Timestamp
    def __init__(self, dormant_days: _Optional[float] = ..., remove_after_days: _Optional[float] = ..., evaluation_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class CompactJob(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class EncryptJob(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ReweighJob(_message.Message):
    __slots__ = ("evaluation_time",)
    EVALUATION_TIME_FIELD_NUMBER: _ClassVar[int]
    evaluation_time: _timestamp_pb2.Timestamp
    def __init__(self, evaluation_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ReviewJob(_message.Message):
    __slots__ = ("static_days", "evaluation_time")
    STATIC_DAYS_FIELD_NUMBER: _ClassVar[int]
    EVALUATION_TIME_FIELD_NUMBER: _ClassVar[int]
    static_days: float
    evaluation_time: _timestamp_pb2.Timestamp
    def __init__(self, static_days: _Optional[float] = ..., evaluation_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class BackupJob(_message.Message):
    __slots__ = ("directory",)
    DIRECTORY_FIELD_NUMBER: _ClassVar[int]
    directory: str
    def __init__(self, directory: _Optional[str] = ...) -> None: ...

class EraseJob(_message.Message):
    __slots__ = ("user", "scope", "tenant")
    USER_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    user: str
    scope: _scope_pb2.Scope
    tenant: str
    def __init__(self, user: _Optional[str] = ..., scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., tenant: _Optional[str] = ...) -> None: ...

class MaintenanceProgress(_message.Message):
    __slots__ = ("activity", "done", "total", "rate_per_second")
    ACTIVITY_FIELD_NUMBER: _ClassVar[int]
    DONE_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    RATE_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    activity: str
    done: float
    total: float
    rate_per_second: float
    def __init__(self, activity: _Optional[str] = ..., done: _Optional[float] = ..., total: _Optional[float] = ..., rate_per_second: _Optional[float] = ...) -> None: ...

class MaintenanceFinding(_message.Message):
    __slots__ = ("memory", "reason", "details")
    class DetailsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    memory: str
    reason: str
    details: _containers.ScalarMap[str, str]
    def __init__(self, memory: _Optional[str] = ..., reason: _Optional[str] = ..., details: _Optional[_Mapping[str, str]] = ...) -> None: ...

class MaintenanceReport(_message.Message):
    __slots__ = ("job", "dry_run", "counts", "findings", "notes")
    class CountsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    JOB_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    FINDINGS_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    job: str
    dry_run: bool
    counts: _containers.ScalarMap[str, float]
    findings: _containers.RepeatedCompositeFieldContainer[MaintenanceFinding]
    notes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, job: _Optional[str] = ..., dry_run: _Optional[bool] = ..., counts: _Optional[_Mapping[str, float]] = ..., findings: _Optional[_Iterable[_Union[MaintenanceFinding, _Mapping]]] = ..., notes: _Optional[_Iterable[str]] = ...) -> None: ...
