import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from loci_client.v1 import filter_pb2 as _filter_pb2
from loci_client.v1 import scope_pb2 as _scope_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Repeat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REPEAT_UNSPECIFIED: _ClassVar[Repeat]
    REPEAT_REFRESH: _ClassVar[Repeat]
    REPEAT_ADD: _ClassVar[Repeat]

class TurnRole(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TURN_ROLE_UNSPECIFIED: _ClassVar[TurnRole]
    TURN_ROLE_PERSON: _ClassVar[TurnRole]
    TURN_ROLE_ASSISTANT: _ClassVar[TurnRole]
    TURN_ROLE_TOOL: _ClassVar[TurnRole]

class Origin(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ORIGIN_UNSPECIFIED: _ClassVar[Origin]
    ORIGIN_MANUAL: _ClassVar[Origin]
    ORIGIN_CAPTURE: _ClassVar[Origin]
    ORIGIN_CORRECTION: _ClassVar[Origin]
    ORIGIN_POST_MORTEM: _ClassVar[Origin]
    ORIGIN_IMPORT: _ClassVar[Origin]

class ProvenanceKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROVENANCE_KIND_UNSPECIFIED: _ClassVar[ProvenanceKind]
    PROVENANCE_KIND_ADR: _ClassVar[ProvenanceKind]
    PROVENANCE_KIND_COMMIT: _ClassVar[ProvenanceKind]
    PROVENANCE_KIND_CONVERSATION: _ClassVar[ProvenanceKind]
    PROVENANCE_KIND_INCIDENT: _ClassVar[ProvenanceKind]
    PROVENANCE_KIND_DOCUMENT: _ClassVar[ProvenanceKind]

class Trust(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TRUST_UNSPECIFIED: _ClassVar[Trust]
    TRUST_TRUSTED: _ClassVar[Trust]
    TRUST_UNTRUSTED: _ClassVar[Trust]

class MemoryState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MEMORY_STATE_UNSPECIFIED: _ClassVar[MemoryState]
    MEMORY_STATE_ACTIVE: _ClassVar[MemoryState]
    MEMORY_STATE_QUARANTINED: _ClassVar[MemoryState]
    MEMORY_STATE_DELETED: _ClassVar[MemoryState]

class EmbeddingState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EMBEDDING_STATE_UNSPECIFIED: _ClassVar[EmbeddingState]
    EMBEDDING_STATE_READY: _ClassVar[EmbeddingState]
    EMBEDDING_STATE_PENDING: _ClassVar[EmbeddingState]
REPEAT_UNSPECIFIED: Repeat
REPEAT_REFRESH: Repeat
REPEAT_ADD: Repeat
TURN_ROLE_UNSPECIFIED: TurnRole
TURN_ROLE_PERSON: TurnRole
TURN_ROLE_ASSISTANT: TurnRole
TURN_ROLE_TOOL: TurnRole
ORIGIN_UNSPECIFIED: Origin
ORIGIN_MANUAL: Origin
ORIGIN_CAPTURE: Origin
ORIGIN_CORRECTION: Origin
ORIGIN_POST_MORTEM: Origin
ORIGIN_IMPORT: Origin
PROVENANCE_KIND_UNSPECIFIED: ProvenanceKind
PROVENANCE_KIND_ADR: ProvenanceKind
PROVENANCE_KIND_COMMIT: ProvenanceKind
PROVENANCE_KIND_CONVERSATION: ProvenanceKind
PROVENANCE_KIND_INCIDENT: ProvenanceKind
PROVENANCE_KIND_DOCUMENT: ProvenanceKind
TRUST_UNSPECIFIED: Trust
TRUST_TRUSTED: Trust
TRUST_UNTRUSTED: Trust
MEMORY_STATE_UNSPECIFIED: MemoryState
MEMORY_STATE_ACTIVE: MemoryState
MEMORY_STATE_QUARANTINED: MemoryState
MEMORY_STATE_DELETED: MemoryState
EMBEDDING_STATE_UNSPECIFIED: EmbeddingState
EMBEDDING_STATE_READY: EmbeddingState
EMBEDDING_STATE_PENDING: EmbeddingState

class Memory(_message.Message):
    __slots__ = ("id", "text", "scope", "category", "importance", "confidence", "is_static", "tags", "slot", "origin", "provenance", "trust", "metadata", "create_time", "update_time", "record_time", "valid_from", "valid_to", "expire_time", "version", "etag", "superseded_by", "state", "usage", "embedding", "repeat", "is_pinned", "slot_value", "approved_by", "approve_time", "warnings", "key")
    class MetadataEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _filter_pb2.Value
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_filter_pb2.Value, _Mapping]] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    IMPORTANCE_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    IS_STATIC_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    SLOT_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    PROVENANCE_FIELD_NUMBER: _ClassVar[int]
    TRUST_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    RECORD_TIME_FIELD_NUMBER: _ClassVar[int]
    VALID_FROM_FIELD_NUMBER: _ClassVar[int]
    VALID_TO_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDED_BY_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    USAGE_FIELD_NUMBER: _ClassVar[int]
    EMBEDDING_FIELD_NUMBER: _ClassVar[int]
    REPEAT_FIELD_NUMBER: _ClassVar[int]
    IS_PINNED_FIELD_NUMBER: _ClassVar[int]
    SLOT_VALUE_FIELD_NUMBER: _ClassVar[int]
    APPROVED_BY_FIELD_NUMBER: _ClassVar[int]
    APPROVE_TIME_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    id: str
    text: str
    scope: _scope_pb2.Scope
    category: str
    importance: float
    confidence: float
    is_static: bool
    tags: _containers.RepeatedScalarFieldContainer[str]
    slot: str
    origin: Origin
    provenance: Provenance
    trust: Trust
    metadata: _containers.MessageMap[str, _filter_pb2.Value]
    create_time: _timestamp_pb2.Timestamp
    update_time: _timestamp_pb2.Timestamp
    record_time: _timestamp_pb2.Timestamp
    valid_from: _timestamp_pb2.Timestamp
    valid_to: _timestamp_pb2.Timestamp
    expire_time: _timestamp_pb2.Timestamp
    version: int
    etag: str
    superseded_by: str
    state: MemoryState
    usage: MemoryUsage
    embedding: EmbeddingState
    repeat: Repeat
    is_pinned: bool
    slot_value: str
    approved_by: str
    approve_time: _timestamp_pb2.Timestamp
    warnings: _containers.RepeatedCompositeFieldContainer[MemoryWarning]
    key: str
    def __init__(self, id: _Optional[str] = ..., text: _Optional[str] = ..., scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., category: _Optional[str] = ..., importance: _Optional[float] = ..., confidence: _Optional[float] = ..., is_static: _Optional[bool] = ..., tags: _Optional[_Iterable[str]] = ..., slot: _Optional[str] = ..., origin: _Optional[_Union[Origin, str]] = ..., provenance: _Optional[_Union[Provenance, _Mapping]] = ..., trust: _Optional[_Union[Trust, str]] = ..., metadata: _Optional[_Mapping[str, _filter_pb2.Value]] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., update_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., record_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., valid_from: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., valid_to: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expire_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., version: _Optional[int] = ..., etag: _Optional[str] = ..., superseded_by: _Optional[str] = ..., state: _Optional[_Union[MemoryState, str]] = ..., usage: _Optional[_Union[MemoryUsage, _Mapping]] = ..., embedding: _Optional[_Union[EmbeddingState, str]] = ..., repeat: _Optional[_Union[Repeat, str]] = ..., is_pinned: _Optional[bool] = ..., slot_value: _Optional[str] = ..., approved_by: _Optional[str] = ..., approve_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., warnings: _Optional[_Iterable[_Union[MemoryWarning, _Mapping]]] = ..., key: _Optional[str] = ...) -> None: ...

class MemoryWarning(_message.Message):
    __slots__ = ("reason", "message", "advice")
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    ADVICE_FIELD_NUMBER: _ClassVar[int]
    reason: str
    message: str
    advice: str
    def __init__(self, reason: _Optional[str] = ..., message: _Optional[str] = ..., advice: _Optional[str] = ...) -> None: ...

class Provenance(_message.Message):
    __slots__ = ("source_id", "kind", "confidence", "position", "create_time", "retrieval_score", "speaker", "role")
    SOURCE_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    RETRIEVAL_SCORE_FIELD_NUMBER: _ClassVar[int]
    SPEAKER_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    source_id: str
    kind: ProvenanceKind
    confidence: float
    position: int
    create_time: _timestamp_pb2.Timestamp
    retrieval_score: float
    speaker: str
    role: TurnRole
    def __init__(self, source_id: _Optional[str] = ..., kind: _Optional[_Union[ProvenanceKind, str]] = ..., confidence: _Optional[float] = ..., position: _Optional[int] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., retrieval_score: _Optional[float] = ..., speaker: _Optional[str] = ..., role: _Optional[_Union[TurnRole, str]] = ...) -> None: ...

class MemoryUsage(_message.Message):
    __slots__ = ("access_count", "last_access_time")
    ACCESS_COUNT_FIELD_NUMBER: _ClassVar[int]
    LAST_ACCESS_TIME_FIELD_NUMBER: _ClassVar[int]
    access_count: int
    last_access_time: _timestamp_pb2.Timestamp
    def __init__(self, access_count: _Optional[int] = ..., last_access_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
