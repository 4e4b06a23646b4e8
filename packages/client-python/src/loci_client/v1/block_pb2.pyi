import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from loci_client.v1 import scope_pb2 as _scope_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class BlockPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BLOCK_POLICY_UNSPECIFIED: _ClassVar[BlockPolicy]
    BLOCK_POLICY_APPROVE: _ClassVar[BlockPolicy]
    BLOCK_POLICY_AUTO: _ClassVar[BlockPolicy]
    BLOCK_POLICY_READ_ONLY: _ClassVar[BlockPolicy]

class BlockOperationKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BLOCK_OPERATION_KIND_UNSPECIFIED: _ClassVar[BlockOperationKind]
    BLOCK_OPERATION_KIND_SET: _ClassVar[BlockOperationKind]
    BLOCK_OPERATION_KIND_APPEND: _ClassVar[BlockOperationKind]
    BLOCK_OPERATION_KIND_REMOVE: _ClassVar[BlockOperationKind]
    BLOCK_OPERATION_KIND_REPLACE: _ClassVar[BlockOperationKind]

class BlockEditState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BLOCK_EDIT_STATE_UNSPECIFIED: _ClassVar[BlockEditState]
    BLOCK_EDIT_STATE_PENDING: _ClassVar[BlockEditState]
    BLOCK_EDIT_STATE_APPROVED: _ClassVar[BlockEditState]
    BLOCK_EDIT_STATE_REJECTED: _ClassVar[BlockEditState]
    BLOCK_EDIT_STATE_SUPERSEDED: _ClassVar[BlockEditState]
    BLOCK_EDIT_STATE_EXPIRED: _ClassVar[BlockEditState]
    BLOCK_EDIT_STATE_WITHDRAWN: _ClassVar[BlockEditState]

class BlockFieldType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BLOCK_FIELD_TYPE_UNSPECIFIED: _ClassVar[BlockFieldType]
    BLOCK_FIELD_TYPE_STRING: _ClassVar[BlockFieldType]
    BLOCK_FIELD_TYPE_TEXT: _ClassVar[BlockFieldType]
    BLOCK_FIELD_TYPE_INTEGER: _ClassVar[BlockFieldType]
    BLOCK_FIELD_TYPE_BOOLEAN: _ClassVar[BlockFieldType]
    BLOCK_FIELD_TYPE_DATE: _ClassVar[BlockFieldType]
    BLOCK_FIELD_TYPE_CHOICE: _ClassVar[BlockFieldType]
    BLOCK_FIELD_TYPE_LIST: _ClassVar[BlockFieldType]

class BlockOverflow(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BLOCK_OVERFLOW_UNSPECIFIED: _ClassVar[BlockOverflow]
    BLOCK_OVERFLOW_REFUSE: _ClassVar[BlockOverflow]
    BLOCK_OVERFLOW_ARCHIVE: _ClassVar[BlockOverflow]
BLOCK_POLICY_UNSPECIFIED: BlockPolicy
BLOCK_POLICY_APPROVE: BlockPolicy
BLOCK_POLICY_AUTO: BlockPolicy
BLOCK_POLICY_READ_ONLY: BlockPolicy
BLOCK_OPERATION_KIND_UNSPECIFIED: BlockOperationKind
BLOCK_OPERATION_KIND_SET: BlockOperationKind
BLOCK_OPERATION_KIND_APPEND: BlockOperationKind
BLOCK_OPERATION_KIND_REMOVE: BlockOperationKind
BLOCK_OPERATION_KIND_REPLACE: BlockOperationKind
BLOCK_EDIT_STATE_UNSPECIFIED: BlockEditState
BLOCK_EDIT_STATE_PENDING: BlockEditState
BLOCK_EDIT_STATE_APPROVED: BlockEditState
BLOCK_EDIT_STATE_REJECTED: BlockEditState
BLOCK_EDIT_STATE_SUPERSEDED: BlockEditState
BLOCK_EDIT_STATE_EXPIRED: BlockEditState
BLOCK_EDIT_STATE_WITHDRAWN: BlockEditState
BLOCK_FIELD_TYPE_UNSPECIFIED: BlockFieldType
BLOCK_FIELD_TYPE_STRING: BlockFieldType
BLOCK_FIELD_TYPE_TEXT: BlockFieldType
BLOCK_FIELD_TYPE_INTEGER: BlockFieldType
BLOCK_FIELD_TYPE_BOOLEAN: BlockFieldType
BLOCK_FIELD_TYPE_DATE: BlockFieldType
BLOCK_FIELD_TYPE_CHOICE: BlockFieldType
BLOCK_FIELD_TYPE_LIST: BlockFieldType
BLOCK_OVERFLOW_UNSPECIFIED: BlockOverflow
BLOCK_OVERFLOW_REFUSE: BlockOverflow
BLOCK_OVERFLOW_ARCHIVE: BlockOverflow

class Block(_message.Message):
    __slots__ = ("id", "owner", "label", "schema", "values", "policy", "description", "version", "etag", "create_time", "update_time")
    class ValuesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: BlockValue
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[BlockValue, _Mapping]] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    POLICY_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    id: str
    owner: _scope_pb2.Scope
    label: str
    schema: str
    values: _containers.MessageMap[str, BlockValue]
    policy: BlockPolicy
    description: str
    version: int
    etag: str
    create_time: _timestamp_pb2.Timestamp
    update_time: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., owner: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., label: _Optional[str] = ..., schema: _Optional[str] = ..., values: _Optional[_Mapping[str, BlockValue]] = ..., policy: _Optional[_Union[BlockPolicy, str]] = ..., description: _Optional[str] = ..., version: _Optional[int] = ..., etag: _Optional[str] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., update_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class BlockDocument(_message.Message):
    __slots__ = ("block", "text", "markdown", "toml", "commit_id")
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    MARKDOWN_FIELD_NUMBER: _ClassVar[int]
    TOML_FIELD_NUMBER: _ClassVar[int]
    COMMIT_ID_FIELD_NUMBER: _ClassVar[int]
    block: Block
    text: str
    markdown: str
    toml: str
    commit_id: str
    def __init__(self, block: _Optional[_Union[Block, _Mapping]] = ..., text: _Optional[str] = ..., markdown: _Optional[str] = ..., toml: _Optional[str] = ..., commit_id: _Optional[str] = ...) -> None: ...

class BlockValue(_message.Message):
    __slots__ = ("text", "number", "boolean", "entries")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    BOOLEAN_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    text: str
    number: float
    boolean: bool
    entries: BlockEntries
    def __init__(self, text: _Optional[str] = ..., number: _Optional[float] = ..., boolean: _Optional[bool] = ..., entries: _Optional[_Union[BlockEntries, _Mapping]] = ...) -> None: ...

class BlockEntries(_message.Message):
    __slots__ = ("entries",)
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, entries: _Optional[_Iterable[str]] = ...) -> None: ...

class BlockValues(_message.Message):
    __slots__ = ("values",)
    class ValuesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: BlockValue
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[BlockValue, _Mapping]] = ...) -> None: ...
    VALUES_FIELD_NUMBER: _ClassVar[int]
    values: _containers.MessageMap[str, BlockValue]
    def __init__(self, values: _Optional[_Mapping[str, BlockValue]] = ...) -> None: ...

class BlockVersion(_message.Message):
    __slots__ = ("version", "commit_id", "author", "approver", "message", "time")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    COMMIT_ID_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    APPROVER_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    version: int
    commit_id: str
    author: str
    approver: str
    message: str
    time: _timestamp_pb2.Timestamp
    def __init__(self, version: _Optional[int] = ..., commit_id: _Optional[str] = ..., author: _Optional[str] = ..., approver: _Optional[str] = ..., message: _Optional[str] = ..., time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class BlockFieldChange(_message.Message):
    __slots__ = ("field", "before", "after")
    FIELD_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    field: str
    before: BlockValue
    after: BlockValue
    def __init__(self, field: _Optional[str] = ..., before: _Optional[_Union[BlockValue, _Mapping]] = ..., after: _Optional[_Union[BlockValue, _Mapping]] = ...) -> None: ...

class BlockOperation(_message.Message):
    __slots__ = ("op", "field", "value", "old")
    OP_FIELD_NUMBER: _ClassVar[int]
    FIELD_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    OLD_FIELD_NUMBER: _ClassVar[int]
    op: BlockOperationKind
    field: str
    value: BlockValue
    old: str
    def __init__(self, op: _Optional[_Union[BlockOperationKind, str]] = ..., field: _Optional[str] = ..., value: _Optional[_Union[BlockValue, _Mapping]] = ..., old: _Optional[str] = ...) -> None: ...

class BlockOperations(_message.Message):
    __slots__ = ("operations",)
    OPERATIONS_FIELD_NUMBER: _ClassVar[int]
    operations: _containers.RepeatedCompositeFieldContainer[BlockOperation]
    def __init__(self, operations: _Optional[_Iterable[_Union[BlockOperation, _Mapping]]] = ...) -> None: ...

class BlockHunks(_message.Message):
    __slots__ = ("positions",)
    POSITIONS_FIELD_NUMBER: _ClassVar[int]
    positions: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, positions: _Optional[_Iterable[int]] = ...) -> None: ...

class BlockEdit(_message.Message):
    __slots__ = ("id", "owner", "label", "base_version", "operations", "state", "stale", "propose_time", "proposer", "reason", "decide_time", "decider", "approved_hunks")
    ID_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    BASE_VERSION_FIELD_NUMBER: _ClassVar[int]
    OPERATIONS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    STALE_FIELD_NUMBER: _ClassVar[int]
    PROPOSE_TIME_FIELD_NUMBER: _ClassVar[int]
    PROPOSER_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    DECIDE_TIME_FIELD_NUMBER: _ClassVar[int]
    DECIDER_FIELD_NUMBER: _ClassVar[int]
    APPROVED_HUNKS_FIELD_NUMBER: _ClassVar[int]
    id: str
    owner: _scope_pb2.Scope
    label: str
    base_version: int
    operations: _containers.RepeatedCompositeFieldContainer[BlockOperation]
    state: BlockEditState
    stale: bool
    propose_time: _timestamp_pb2.Timestamp
    proposer: str
    reason: str
    decide_time: _timestamp_pb2.Timestamp
    decider: str
    approved_hunks: BlockHunks
    def __init__(self, id: _Optional[str] = ..., owner: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., label: _Optional[str] = ..., base_version: _Optional[int] = ..., operations: _Optional[_Iterable[_Union[BlockOperation, _Mapping]]] = ..., state: _Optional[_Union[BlockEditState, str]] = ..., stale: _Optional[bool] = ..., propose_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., proposer: _Optional[str] = ..., reason: _Optional[str] = ..., decide_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., decider: _Optional[str] = ..., approved_hunks: _Optional[_Union[BlockHunks, _Mapping]] = ...) -> None: ...

class BlockEditPreview(_message.Message):
    __slots__ = ("base_version", "content_hash", "values", "archived", "diff", "stale")
    class ValuesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: BlockValue
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[BlockValue, _Mapping]] = ...) -> None: ...
    BASE_VERSION_FIELD_NUMBER: _ClassVar[int]
    CONTENT_HASH_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    ARCHIVED_FIELD_NUMBER: _ClassVar[int]
    DIFF_FIELD_NUMBER: _ClassVar[int]
    STALE_FIELD_NUMBER: _ClassVar[int]
    base_version: int
    content_hash: str
    values: _containers.MessageMap[str, BlockValue]
    archived: _containers.RepeatedCompositeFieldContainer[ArchivedEntry]
    diff: _containers.RepeatedCompositeFieldContainer[BlockFieldChange]
    stale: bool
    def __init__(self, base_version: _Optional[int] = ..., content_hash: _Optional[str] = ..., values: _Optional[_Mapping[str, BlockValue]] = ..., archived: _Optional[_Iterable[_Union[ArchivedEntry, _Mapping]]] = ..., diff: _Optional[_Iterable[_Union[BlockFieldChange, _Mapping]]] = ..., stale: _Optional[bool] = ...) -> None: ...

class ArchivedEntry(_message.Message):
    __slots__ = ("field", "entry")
    FIELD_FIELD_NUMBER: _ClassVar[int]
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    field: str
    entry: str
    def __init__(self, field: _Optional[str] = ..., entry: _Optional[str] = ...) -> None: ...

class BlockSchema(_message.Message):
    __slots__ = ("name", "description", "fields")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    name: str
    description: str
    fields: _containers.RepeatedCompositeFieldContainer[BlockField]
    def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ..., fields: _Optional[_Iterable[_Union[BlockField, _Mapping]]] = ...) -> None: ...

class BlockField(_message.Message):
    __slots__ = ("name", "type", "title", "description", "required", "default", "max", "overflow", "options")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    REQUIRED_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    OVERFLOW_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    name: str
    type: BlockFieldType
    title: str
    description: str
    required: bool
    default: BlockValue
    max: int
    overflow: BlockOverflow
    options: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., type: _Optional[_Union[BlockFieldType, str]] = ..., title: _Optional[str] = ..., description: _Optional[str] = ..., required: _Optional[bool] = ..., default: _Optional[_Union[BlockValue, _Mapping]] = ..., max: _Optional[int] = ..., overflow: _Optional[_Union[BlockOverflow, str]] = ..., options: _Optional[_Iterable[str]] = ...) -> None: ...
