from loci_client.v1 import block_pb2 as _block_pb2
from loci_client.v1 import memory_pb2 as _memory_pb2
from loci_client.v1 import scope_pb2 as _scope_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CreateBlockRequest(_message.Message):
    __slots__ = ("owner", "label", "schema", "values", "markdown", "toml", "preset", "policy", "description", "reason", "request_id")
    OWNER_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    MARKDOWN_FIELD_NUMBER: _ClassVar[int]
    TOML_FIELD_NUMBER: _ClassVar[int]
    PRESET_FIELD_NUMBER: _ClassVar[int]
    POLICY_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    owner: _scope_pb2.Scope
    label: str
    schema: str
    values: _block_pb2.BlockValues
    markdown: str
    toml: str
    preset: str
    policy: _block_pb2.BlockPolicy
    description: str
    reason: str
    request_id: str
    def __init__(self, owner: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., label: _Optional[str] = ..., schema: _Optional[str] = ..., values: _Optional[_Union[_block_pb2.BlockValues, _Mapping]] = ..., markdown: _Optional[str] = ..., toml: _Optional[str] = ..., preset: _Optional[str] = ..., policy: _Optional[_Union[_block_pb2.BlockPolicy, str]] = ..., description: _Optional[str] = ..., reason: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class CreateBlockResponse(_message.Message):
    __slots__ = ("block",)
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    block: _block_pb2.Block
    def __init__(self, block: _Optional[_Union[_block_pb2.Block, _Mapping]] = ...) -> None: ...

class GetBlockRequest(_message.Message):
    __slots__ = ("owner", "label", "version")
    OWNER_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    owner: _scope_pb2.Scope
    label: str
    version: str
    def __init__(self, owner: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., label: _Optional[str] = ..., version: _Optional[str] = ...) -> None: ...

class GetBlockResponse(_message.Message):
    __slots__ = ("document",)
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    document: _block_pb2.BlockDocument
    def __init__(self, document: _Optional[_Union[_block_pb2.BlockDocument, _Mapping]] = ...) -> None: ...

class ListBlocksRequest(_message.Message):
    __slots__ = ("owner", "schema", "after")
    OWNER_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    owner: _scope_pb2.Scope
    schema: str
    after: str
    def __init__(self, owner: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., schema: _Optional[str] = ..., after: _Optional[str] = ...) -> None: ...

class ListBlocksResponse(_message.Message):
    __slots__ = ("blocks",)
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    blocks: _containers.RepeatedCompositeFieldContainer[_block_pb2.Block]
    def __init__(self, blocks: _Optional[_Iterable[_Union[_block_pb2.Block, _Mapping]]] = ...) -> None: ...

class UpdateBlockRequest(_message.Message):
    __slots__ = ("owner", "label", "values", "markdown", "toml", "operations", "policy", "description", "reason", "etag", "request_id")
    OWNER_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    MARKDOWN_FIELD_NUMBER: _ClassVar[int]
    TOML_FIELD_NUMBER: _ClassVar[int]
    OPERATIONS_FIELD_NUMBER: _ClassVar[int]
    POLICY_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    owner: _scope_pb2.Scope
    label: str
    values: _block_pb2.BlockValues
    markdown: str
    toml: str
    operations: _block_pb2.BlockOperations
    policy: _block_pb2.BlockPolicy
    description: str
    reason: str
    etag: str
    request_id: str
    def __init__(self, owner: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., label: _Optional[str] = ..., values: _Optional[_Union[_block_pb2.BlockValues, _Mapping]] = ..., markdown: _Optional[str] = ..., toml: _Optional[str] = ..., operations: _Optional[_Union[_block_pb2.BlockOperations, _Mapping]] = ..., policy: _Optional[_Union[_block_pb2.BlockPolicy, str]] = ..., description: _Optional[str] = ..., reason: _Optional[str] = ..., etag: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class UpdateBlockResponse(_message.Message):
    __slots__ = ("block", "edit")
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    EDIT_FIELD_NUMBER: _ClassVar[int]
    block: _block_pb2.Block
    edit: _block_pb2.BlockEdit
    def __init__(self, block: _Optional[_Union[_block_pb2.Block, _Mapping]] = ..., edit: _Optional[_Union[_block_pb2.BlockEdit, _Mapping]] = ...) -> None: ...

class DeleteBlockRequest(_message.Message):
    __slots__ = ("owner", "label", "etag", "request_id")
    OWNER_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    owner: _scope_pb2.Scope
    label: str
    etag: str
    request_id: str
    def __init__(self, owner: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., label: _Optional[str] = ..., etag: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteBlockResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class RestoreBlockRequest(_message.Message):
    __slots__ = ("owner", "label", "version", "reason", "request_id")
    OWNER_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    owner: _scope_pb2.Scope
    label: str
    version: str
    reason: str
    request_id: str
    def __init__(self, owner: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., label: _Optional[str] = ..., version: _Optional[str] = ..., reason: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class RestoreBlockResponse(_message.Message):
    __slots__ = ("block", "edit")
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    EDIT_FIELD_NUMBER: _ClassVar[int]
    block: _block_pb2.Block
    edit: _block_pb2.BlockEdit
    def __init__(self, block: _Optional[_Union[_block_pb2.Block, _Mapping]] = ..., edit: _Optional[_Union[_block_pb2.BlockEdit, _Mapping]] = ...) -> None: ...

class ListBlockVersionsRequest(_message.Message):
    __slots__ = ("owner", "label", "page_size", "page_token")
    OWNER_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    owner: _scope_pb2.Scope
    label: str
    page_size: int
    page_token: str
    def __init__(self, owner: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., label: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListBlockVersionsResponse(_message.Message):
    __slots__ = ("versions", "next_page_token")
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    versions: _containers.RepeatedCompositeFieldContainer[_block_pb2.BlockVersion]
    next_page_token: str
    def __init__(self, versions: _Optional[_Iterable[_Union[_block_pb2.BlockVersion, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class DiffBlockVersionsRequest(_message.Message):
    __slots__ = ("owner", "label", "to")
    OWNER_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    owner: _scope_pb2.Scope
    label: str
    to: str
    def __init__(self, owner: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., label: _Optional[str] = ..., to: _Optional[str] = ..., **kwargs) -> None: ...

class DiffBlockVersionsResponse(_message.Message):
    __slots__ = ("to", "changes")
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    to: int
    changes: _containers.RepeatedCompositeFieldContainer[_block_pb2.BlockFieldChange]
    def __init__(self, to: _Optional[int] = ..., changes: _Optional[_Iterable[_Union[_block_pb2.BlockFieldChange, _Mapping]]] = ..., **kwargs) -> None: ...

class ProposeBlockEditRequest(_message.Message):
    __slots__ = ("owner", "label", "base_version", "operations", "reason", "request_id")
    OWNER_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    BASE_VERSION_FIELD_NUMBER: _ClassVar[int]
    OPERATIONS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    owner: _scope_pb2.Scope
    label: str
    base_version: int
    operations: _containers.RepeatedCompositeFieldContainer[_block_pb2.BlockOperation]
    reason: str
    request_id: str
    def __init__(self, owner: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., label: _Optional[str] = ..., base_version: _Optional[int] = ..., operations: _Optional[_Iterable[_Union[_block_pb2.BlockOperation, _Mapping]]] = ..., reason: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class ProposeBlockEditResponse(_message.Message):
    __slots__ = ("edit",)
    EDIT_FIELD_NUMBER: _ClassVar[int]
    edit: _block_pb2.BlockEdit
    def __init__(self, edit: _Optional[_Union[_block_pb2.BlockEdit, _Mapping]] = ...) -> None: ...

class GetBlockEditRequest(_message.Message):
    __slots__ = ("id", "hunks")
    ID_FIELD_NUMBER: _ClassVar[int]
    HUNKS_FIELD_NUMBER: _ClassVar[int]
    id: str
    hunks: _block_pb2.BlockHunks
    def __init__(self, id: _Optional[str] = ..., hunks: _Optional[_Union[_block_pb2.BlockHunks, _Mapping]] = ...) -> None: ...

class GetBlockEditResponse(_message.Message):
    __slots__ = ("edit", "preview", "conflict")
    EDIT_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_FIELD_NUMBER: _ClassVar[int]
    CONFLICT_FIELD_NUMBER: _ClassVar[int]
    edit: _block_pb2.BlockEdit
    preview: _block_pb2.BlockEditPreview
    conflict: str
    def __init__(self, edit: _Optional[_Union[_block_pb2.BlockEdit, _Mapping]] = ..., preview: _Optional[_Union[_block_pb2.BlockEditPreview, _Mapping]] = ..., conflict: _Optional[str] = ...) -> None: ...

class ListBlockEditsRequest(_message.Message):
    __slots__ = ("owner", "label", "states", "page_size", "page_token")
    OWNER_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    STATES_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    owner: _scope_pb2.Scope
    label: str
    states: _containers.RepeatedScalarFieldContainer[_block_pb2.BlockEditState]
    page_size: int
    page_token: str
    def __init__(self, owner: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., label: _Optional[str] = ..., states: _Optional[_Iterable[_Union[_block_pb2.BlockEditState, str]]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListBlockEditsResponse(_message.Message):
    __slots__ = ("edits", "next_page_token")
    EDITS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    edits: _containers.RepeatedCompositeFieldContainer[_block_pb2.BlockEdit]
    next_page_token: str
    def __init__(self, edits: _Optional[_Iterable[_Union[_block_pb2.BlockEdit, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ApproveBlockEditRequest(_message.Message):
    __slots__ = ("id", "base_version", "content_hash", "hunks", "validate_only", "request_id")
    ID_FIELD_NUMBER: _ClassVar[int]
    BASE_VERSION_FIELD_NUMBER: _ClassVar[int]
    CONTENT_HASH_FIELD_NUMBER: _ClassVar[int]
    HUNKS_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    base_version: int
    content_hash: str
    hunks: _block_pb2.BlockHunks
    validate_only: bool
    request_id: str
    def __init__(self, id: _Optional[str] = ..., base_version: _Optional[int] = ..., content_hash: _Optional[str] = ..., hunks: _Optional[_Union[_block_pb2.BlockHunks, _Mapping]] = ..., validate_only: _Optional[bool] = ..., request_id: _Optional[str] = ...) -> None: ...

class ApproveBlockEditResponse(_message.Message):
    __slots__ = ("edit", "block")
    EDIT_FIELD_NUMBER: _ClassVar[int]
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    edit: _block_pb2.BlockEdit
    block: _block_pb2.Block
    def __init__(self, edit: _Optional[_Union[_block_pb2.BlockEdit, _Mapping]] = ..., block: _Optional[_Union[_block_pb2.Block, _Mapping]] = ...) -> None: ...

class RejectBlockEditRequest(_message.Message):
    __slots__ = ("id", "request_id")
    ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    request_id: str
    def __init__(self, id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class RejectBlockEditResponse(_message.Message):
    __slots__ = ("edit",)
    EDIT_FIELD_NUMBER: _ClassVar[int]
    edit: _block_pb2.BlockEdit
    def __init__(self, edit: _Optional[_Union[_block_pb2.BlockEdit, _Mapping]] = ...) -> None: ...

class WithdrawBlockEditRequest(_message.Message):
    __slots__ = ("id", "request_id")
    ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    request_id: str
    def __init__(self, id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class WithdrawBlockEditResponse(_message.Message):
    __slots__ = ("edit",)
    EDIT_FIELD_NUMBER: _ClassVar[int]
    edit: _block_pb2.BlockEdit
    def __init__(self, edit: _Optional[_Union[_block_pb2.BlockEdit, _Mapping]] = ...) -> None: ...

class UpdateProfileRequest(_message.Message):
    __slots__ = ("owner", "label", "set_task", "clear_task", "learn_preference", "learn_fact", "add_context", "set_state", "request_id")
    OWNER_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    SET_TASK_FIELD_NUMBER: _ClassVar[int]
    CLEAR_TASK_FIELD_NUMBER: _ClassVar[int]
    LEARN_PREFERENCE_FIELD_NUMBER: _ClassVar[int]
    LEARN_FACT_FIELD_NUMBER: _ClassVar[int]
    ADD_CONTEXT_FIELD_NUMBER: _ClassVar[int]
    SET_STATE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    owner: _scope_pb2.Scope
    label: str
    set_task: SetTask
    clear_task: ClearTask
    learn_preference: str
    learn_fact: str
    add_context: str
    set_state: str
    request_id: str
    def __init__(self, owner: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., label: _Optional[str] = ..., set_task: _Optional[_Union[SetTask, _Mapping]] = ..., clear_task: _Optional[_Union[ClearTask, _Mapping]] = ..., learn_preference: _Optional[str] = ..., learn_fact: _Optional[str] = ..., add_context: _Optional[str] = ..., set_state: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class UpdateProfileResponse(_message.Message):
    __slots__ = ("block", "edit")
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    EDIT_FIELD_NUMBER: _ClassVar[int]
    block: _block_pb2.Block
    edit: _block_pb2.BlockEdit
    def __init__(self, block: _Optional[_Union[_block_pb2.Block, _Mapping]] = ..., edit: _Optional[_Union[_block_pb2.BlockEdit, _Mapping]] = ...) -> None: ...

class SetTask(_message.Message):
    __slots__ = ("text", "context")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    text: str
    context: str
    def __init__(self, text: _Optional[str] = ..., context: _Optional[str] = ...) -> None: ...

class ClearTask(_message.Message):
    __slots__ = ("archive",)
    ARCHIVE_FIELD_NUMBER: _ClassVar[int]
    archive: bool
    def __init__(self, archive: _Optional[bool] = ...) -> None: ...

class GetProfileSummaryRequest(_message.Message):
    __slots__ = ("owner", "label")
    OWNER_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    owner: _scope_pb2.Scope
    label: str
    def __init__(self, owner: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., label: _Optional[str] = ...) -> None: ...

class GetProfileSummaryResponse(_message.Message):
    __slots__ = ("summary",)
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    summary: str
    def __init__(self, summary: _Optional[str] = ...) -> None: ...

class SearchArchivalRequest(_message.Message):
    __slots__ = ("owner", "label", "query", "limit")
    OWNER_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    owner: _scope_pb2.Scope
    label: str
    query: str
    limit: int
    def __init__(self, owner: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., label: _Optional[str] = ..., query: _Optional[str] = ..., limit: _Optional[int] = ...) -> None: ...

class SearchArchivalResponse(_message.Message):
    __slots__ = ("memories",)
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    memories: _containers.RepeatedCompositeFieldContainer[_memory_pb2.Memory]
    def __init__(self, memories: _Optional[_Iterable[_Union[_memory_pb2.Memory, _Mapping]]] = ...) -> None: ...

class PromoteMemoryRequest(_message.Message):
    __slots__ = ("owner", "label", "memory_id", "heading", "request_id")
    OWNER_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    HEADING_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    owner: _scope_pb2.Scope
    label: str
    memory_id: str
    heading: str
    request_id: str
    def __init__(self, owner: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., label: _Optional[str] = ..., memory_id: _Optional[str] = ..., heading: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class PromoteMemoryResponse(_message.Message):
    __slots__ = ("block", "edit")
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    EDIT_FIELD_NUMBER: _ClassVar[int]
    block: _block_pb2.Block
    edit: _block_pb2.BlockEdit
    def __init__(self, block: _Optional[_Union[_block_pb2.Block, _Mapping]] = ..., edit: _Optional[_Union[_block_pb2.BlockEdit, _Mapping]] = ...) -> None: ...

class DemoteLineRequest(_message.Message):
    __slots__ = ("owner", "label", "line", "request_id")
    OWNER_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    owner: _scope_pb2.Scope
    label: str
    line: str
    request_id: str
    def __init__(self, owner: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., label: _Optional[str] = ..., line: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class DemoteLineResponse(_message.Message):
    __slots__ = ("block", "edit")
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    EDIT_FIELD_NUMBER: _ClassVar[int]
    block: _block_pb2.Block
    edit: _block_pb2.BlockEdit
    def __init__(self, block: _Optional[_Union[_block_pb2.Block, _Mapping]] = ..., edit: _Optional[_Union[_block_pb2.BlockEdit, _Mapping]] = ...) -> None: ...

class CreateBlockSchemaRequest(_message.Message):
    __slots__ = ("schema", "request_id")
    SCHEMA_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    schema: _block_pb2.BlockSchema
    request_id: str
    def __init__(self, schema: _Optional[_Union[_block_pb2.BlockSchema, _Mapping]] = ..., request_id: _Optional[str] = ...) -> None: ...

class CreateBlockSchemaResponse(_message.Message):
    __slots__ = ("schema",)
    SCHEMA_FIELD_NUMBER: _ClassVar[int]
    schema: _block_pb2.BlockSchema
    def __init__(self, schema: _Optional[_Union[_block_pb2.BlockSchema, _Mapping]] = ...) -> None: ...

class ListBlockSchemasRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListBlockSchemasResponse(_message.Message):
    __slots__ = ("schemas",)
    SCHEMAS_FIELD_NUMBER: _ClassVar[int]
    schemas: _containers.RepeatedCompositeFieldContainer[_block_pb2.BlockSchema]
    def __init__(self, schemas: _Optional[_Iterable[_Union[_block_pb2.BlockSchema, _Mapping]]] = ...) -> None: ...

class DeleteBlockSchemaRequest(_message.Message):
    __slots__ = ("name", "request_id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    request_id: str
    def __init__(self, name: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteBlockSchemaResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
