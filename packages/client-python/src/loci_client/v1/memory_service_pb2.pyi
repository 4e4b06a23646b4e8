import datetime

from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from loci_client.v1 import filter_pb2 as _filter_pb2
from loci_client.v1 import memory_pb2 as _memory_pb2
from loci_client.v1 import recall_pb2 as _recall_pb2
from loci_client.v1 import scope_pb2 as _scope_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MemoryOrder(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MEMORY_ORDER_UNSPECIFIED: _ClassVar[MemoryOrder]
    MEMORY_ORDER_CREATED: _ClassVar[MemoryOrder]
    MEMORY_ORDER_UPDATED: _ClassVar[MemoryOrder]
    MEMORY_ORDER_USED: _ClassVar[MemoryOrder]
    MEMORY_ORDER_USES: _ClassVar[MemoryOrder]
    MEMORY_ORDER_IMPORTANCE: _ClassVar[MemoryOrder]
MEMORY_ORDER_UNSPECIFIED: MemoryOrder
MEMORY_ORDER_CREATED: MemoryOrder
MEMORY_ORDER_UPDATED: MemoryOrder
MEMORY_ORDER_USED: MemoryOrder
MEMORY_ORDER_USES: MemoryOrder
MEMORY_ORDER_IMPORTANCE: MemoryOrder

class CreateMemoryRequest(_message.Message):
    __slots__ = ("memory", "request_id")
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    memory: _memory_pb2.Memory
    request_id: str
    def __init__(self, memory: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ..., request_id: _Optional[str] = ...) -> None: ...

class CreateMemoryResponse(_message.Message):
    __slots__ = ("memory",)
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    memory: _memory_pb2.Memory
    def __init__(self, memory: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ...) -> None: ...

class BatchCreateMemoriesRequest(_message.Message):
    __slots__ = ("memories", "request_id")
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    memories: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Memory]
    request_id: str
    def __init__(self, memories: _Optional[_Iterable[_Union[_memory_pb2.Memory, _Mapping]]] = ..., request_id: _Optional[str] = ...) -> None: ...

class BatchCreateMemoriesResponse(_message.Message):
    __slots__ = ("memories",)
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    memories: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Memory]
    def __init__(self, memories: _Optional[_Iterable[_Union[_memory_pb2.Memory, _Mapping]]] = ...) -> None: ...

class CreateMemoriesFromConversationRequest(_message.Message):
    __slots__ = ("session", "scope", "turns", "request_id")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    session: str
    scope: _scope_pb2.Scope
    turns: _containers.RepeatedCompositeFieldContainer[ConversationTurn]
    request_id: str
    def __init__(self, session: _Optional[str] = ..., scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., turns: _Optional[_Iterable[_Union[ConversationTurn, _Mapping]]] = ..., request_id: _Optional[str] = ...) -> None: ...

class ConversationTurn(_message.Message):
    __slots__ = ("id", "speaker", "content", "time", "role")
    ID_FIELD_NUMBER: _ClassVar[int]
    SPEAKER_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    id: str
    speaker: str
    content: str
    time: _timestamp_pb2.Timestamp
    role: _memory_pb2.TurnRole
    def __init__(self, id: _Optional[str] = ..., speaker: _Optional[str] = ..., content: _Optional[str] = ..., time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., role: _Optional[_Union[_memory_pb2.TurnRole, str]] = ...) -> None: ...

class CreateMemoriesFromConversationResponse(_message.Message):
    __slots__ = ("memories",)
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    memories: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Memory]
    def __init__(self, memories: _Optional[_Iterable[_Union[_memory_pb2.Memory, _Mapping]]] = ...) -> None: ...

class GetMemoryRequest(_message.Message):
    __slots__ = ("id", "scope", "key")
    ID_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    id: str
    scope: _scope_pb2.Scope
    key: str
    def __init__(self, id: _Optional[str] = ..., scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., key: _Optional[str] = ...) -> None: ...

class GetMemoryResponse(_message.Message):
    __slots__ = ("memory",)
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    memory: _memory_pb2.Memory
    def __init__(self, memory: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ...) -> None: ...

class BatchGetMemoriesRequest(_message.Message):
    __slots__ = ("ids", "text_bytes", "with_deleted")
    IDS_FIELD_NUMBER: _ClassVar[int]
    TEXT_BYTES_FIELD_NUMBER: _ClassVar[int]
    WITH_DELETED_FIELD_NUMBER: _ClassVar[int]
    ids: _containers.RepeatedScalarFieldContainer[str]
    text_bytes: int
    with_deleted: bool
    def __init__(self, ids: _Optional[_Iterable[str]] = ..., text_bytes: _Optional[int] = ..., with_deleted: _Optional[bool] = ...) -> None: ...

class BatchGetMemoriesResponse(_message.Message):
    __slots__ = ("memories", "cut_ids", "missing_ids", "unread_ids")
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    CUT_IDS_FIELD_NUMBER: _ClassVar[int]
    MISSING_IDS_FIELD_NUMBER: _ClassVar[int]
    UNREAD_IDS_FIELD_NUMBER: _ClassVar[int]
    memories: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Memory]
    cut_ids: _containers.RepeatedScalarFieldContainer[str]
    missing_ids: _containers.RepeatedScalarFieldContainer[str]
    unread_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, memories: _Optional[_Iterable[_Union[_memory_pb2.Memory, _Mapping]]] = ..., cut_ids: _Optional[_Iterable[str]] = ..., missing_ids: _Optional[_Iterable[str]] = ..., unread_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class ListMemoriesRequest(_message.Message):
    __slots__ = ("scopes", "categories", "page_size", "page_token", "evaluation_time", "states", "valid_at")
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    CATEGORIES_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    EVALUATION_TIME_FIELD_NUMBER: _ClassVar[int]
    STATES_FIELD_NUMBER: _ClassVar[int]
    VALID_AT_FIELD_NUMBER: _ClassVar[int]
    scopes: _containers.RepeatedCompositeFieldContainer[_scope_pb2.Scope]
    categories: _containers.RepeatedScalarFieldContainer[str]
    page_size: int
    page_token: str
    evaluation_time: _timestamp_pb2.Timestamp
    states: _containers.RepeatedScalarFieldContainer[_memory_pb2.MemoryState]
    valid_at: _timestamp_pb2.Timestamp
    def __init__(self, scopes: _Optional[_Iterable[_Union[_scope_pb2.Scope, _Mapping]]] = ..., categories: _Optional[_Iterable[str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., evaluation_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., states: _Optional[_Iterable[_Union[_memory_pb2.MemoryState, str]]] = ..., valid_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListMemoriesResponse(_message.Message):
    __slots__ = ("memories", "next_page_token")
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    memories: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Memory]
    next_page_token: str
    def __init__(self, memories: _Optional[_Iterable[_Union[_memory_pb2.Memory, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListMemoryIdsRequest(_message.Message):
    __slots__ = ("scopes", "all_scopes", "states", "categories", "where", "text", "order_by", "evaluation_time")
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    ALL_SCOPES_FIELD_NUMBER: _ClassVar[int]
    STATES_FIELD_NUMBER: _ClassVar[int]
    CATEGORIES_FIELD_NUMBER: _ClassVar[int]
    WHERE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    ORDER_BY_FIELD_NUMBER: _ClassVar[int]
    EVALUATION_TIME_FIELD_NUMBER: _ClassVar[int]
    scopes: _containers.RepeatedCompositeFieldContainer[_scope_pb2.Scope]
    all_scopes: bool
    states: _containers.RepeatedScalarFieldContainer[_memory_pb2.MemoryState]
    categories: _containers.RepeatedScalarFieldContainer[str]
    where: _filter_pb2.Filter
    text: str
    order_by: MemoryOrder
    evaluation_time: _timestamp_pb2.Timestamp
    def __init__(self, scopes: _Optional[_Iterable[_Union[_scope_pb2.Scope, _Mapping]]] = ..., all_scopes: _Optional[bool] = ..., states: _Optional[_Iterable[_Union[_memory_pb2.MemoryState, str]]] = ..., categories: _Optional[_Iterable[str]] = ..., where: _Optional[_Union[_filter_pb2.Filter, _Mapping]] = ..., text: _Optional[str] = ..., order_by: _Optional[_Union[MemoryOrder, str]] = ..., evaluation_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListMemoryIdsResponse(_message.Message):
    __slots__ = ("ids", "offset", "total", "sequence", "cursor")
    IDS_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    ids: bytes
    offset: int
    total: int
    sequence: int
    cursor: str
    def __init__(self, ids: _Optional[bytes] = ..., offset: _Optional[int] = ..., total: _Optional[int] = ..., sequence: _Optional[int] = ..., cursor: _Optional[str] = ...) -> None: ...

class ListMemoryScopesRequest(_message.Message):
    __slots__ = ("kind", "page_size", "page_token")
    KIND_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    kind: _scope_pb2.ScopeKind
    page_size: int
    page_token: str
    def __init__(self, kind: _Optional[_Union[_scope_pb2.ScopeKind, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListMemoryScopesResponse(_message.Message):
    __slots__ = ("scopes", "next_page_token")
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    scopes: _containers.RepeatedCompositeFieldContainer[ScopeMemories]
    next_page_token: str
    def __init__(self, scopes: _Optional[_Iterable[_Union[ScopeMemories, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ScopeMemories(_message.Message):
    __slots__ = ("scope", "memories")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    scope: _scope_pb2.Scope
    memories: int
    def __init__(self, scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., memories: _Optional[int] = ...) -> None: ...

class UpdateMemoryRequest(_message.Message):
    __slots__ = ("memory", "update_mask", "request_id", "allow_missing")
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    ALLOW_MISSING_FIELD_NUMBER: _ClassVar[int]
    memory: _memory_pb2.Memory
    update_mask: _field_mask_pb2.FieldMask
    request_id: str
    allow_missing: bool
    def __init__(self, memory: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ..., request_id: _Optional[str] = ..., allow_missing: _Optional[bool] = ...) -> None: ...

class UpdateMemoryResponse(_message.Message):
    __slots__ = ("memory",)
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    memory: _memory_pb2.Memory
    def __init__(self, memory: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ...) -> None: ...

class DeleteMemoryRequest(_message.Message):
    __slots__ = ("id", "etag", "request_id")
    ID_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    etag: str
    request_id: str
    def __init__(self, id: _Optional[str] = ..., etag: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteMemoryResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListMemoryVersionsRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class ListMemoryVersionsResponse(_message.Message):
    __slots__ = ("memories",)
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    memories: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Memory]
    def __init__(self, memories: _Optional[_Iterable[_Union[_memory_pb2.Memory, _Mapping]]] = ...) -> None: ...

class RestoreMemoryRequest(_message.Message):
    __slots__ = ("id", "version", "request_id")
    ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    version: int
    request_id: str
    def __init__(self, id: _Optional[str] = ..., version: _Optional[int] = ..., request_id: _Optional[str] = ...) -> None: ...

class RestoreMemoryResponse(_message.Message):
    __slots__ = ("memory",)
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    memory: _memory_pb2.Memory
    def __init__(self, memory: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ...) -> None: ...

class MarkMemoriesUsedRequest(_message.Message):
    __slots__ = ("ids",)
    IDS_FIELD_NUMBER: _ClassVar[int]
    ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, ids: _Optional[_Iterable[str]] = ...) -> None: ...

class MarkMemoriesUsedResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class WatchMemoriesRequest(_message.Message):
    __slots__ = ("scopes", "all_scopes", "cursor", "beginning")
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    ALL_SCOPES_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    BEGINNING_FIELD_NUMBER: _ClassVar[int]
    scopes: _containers.RepeatedCompositeFieldContainer[_scope_pb2.Scope]
    all_scopes: bool
    cursor: str
    beginning: bool
    def __init__(self, scopes: _Optional[_Iterable[_Union[_scope_pb2.Scope, _Mapping]]] = ..., all_scopes: _Optional[bool] = ..., cursor: _Optional[str] = ..., beginning: _Optional[bool] = ...) -> None: ...

class WatchMemoriesResponse(_message.Message):
    __slots__ = ("cursor", "written", "removed_id")
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    WRITTEN_FIELD_NUMBER: _ClassVar[int]
    REMOVED_ID_FIELD_NUMBER: _ClassVar[int]
    cursor: str
    written: _memory_pb2.Memory
    removed_id: str
    def __init__(self, cursor: _Optional[str] = ..., written: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ..., removed_id: _Optional[str] = ...) -> None: ...

class MemoryServiceExportMemoriesRequest(_message.Message):
    __slots__ = ("after_id",)
    AFTER_ID_FIELD_NUMBER: _ClassVar[int]
    after_id: str
    def __init__(self, after_id: _Optional[str] = ...) -> None: ...

class MemoryServiceExportMemoriesResponse(_message.Message):
    __slots__ = ("id", "line")
    ID_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    id: str
    line: str
    def __init__(self, id: _Optional[str] = ..., line: _Optional[str] = ...) -> None: ...
