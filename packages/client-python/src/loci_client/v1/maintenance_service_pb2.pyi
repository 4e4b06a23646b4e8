from loci_client.v1 import maintenance_pb2 as _maintenance_pb2
from loci_client.v1 import operation_pb2 as _operation_pb2
from loci_client.v1 import scope_pb2 as _scope_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ExportPart(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EXPORT_PART_UNSPECIFIED: _ClassVar[ExportPart]
    EXPORT_PART_MEMORIES: _ClassVar[ExportPart]
    EXPORT_PART_BLOCKS: _ClassVar[ExportPart]
    EXPORT_PART_SESSIONS: _ClassVar[ExportPart]
    EXPORT_PART_CAPTURES: _ClassVar[ExportPart]
EXPORT_PART_UNSPECIFIED: ExportPart
EXPORT_PART_MEMORIES: ExportPart
EXPORT_PART_BLOCKS: ExportPart
EXPORT_PART_SESSIONS: ExportPart
EXPORT_PART_CAPTURES: ExportPart

class StartMaintenanceRequest(_message.Message):
    __slots__ = ("job", "validate_only")
    JOB_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    job: _maintenance_pb2.MaintenanceJob
    validate_only: bool
    def __init__(self, job: _Optional[_Union[_maintenance_pb2.MaintenanceJob, _Mapping]] = ..., validate_only: _Optional[bool] = ...) -> None: ...

class StartMaintenanceResponse(_message.Message):
    __slots__ = ("operation",)
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    operation: _operation_pb2.Operation
    def __init__(self, operation: _Optional[_Union[_operation_pb2.Operation, _Mapping]] = ...) -> None: ...

class ExportMemoriesRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ExportMemoriesResponse(_message.Message):
    __slots__ = ("lines", "next_page_token")
    LINES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    lines: _containers.RepeatedScalarFieldContainer[str]
    next_page_token: str
    def __init__(self, lines: _Optional[_Iterable[str]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ImportMemoriesRequest(_message.Message):
    __slots__ = ("lines",)
    LINES_FIELD_NUMBER: _ClassVar[int]
    lines: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, lines: _Optional[_Iterable[str]] = ...) -> None: ...

class ImportMemoriesResponse(_message.Message):
    __slots__ = ("imported_count", "unchanged_count", "erased_count", "left_out")
    IMPORTED_COUNT_FIELD_NUMBER: _ClassVar[int]
    UNCHANGED_COUNT_FIELD_NUMBER: _ClassVar[int]
    ERASED_COUNT_FIELD_NUMBER: _ClassVar[int]
    LEFT_OUT_FIELD_NUMBER: _ClassVar[int]
    imported_count: int
    unchanged_count: int
    erased_count: int
    left_out: _containers.RepeatedCompositeFieldContainer[LeftOutLine]
    def __init__(self, imported_count: _Optional[int] = ..., unchanged_count: _Optional[int] = ..., erased_count: _Optional[int] = ..., left_out: _Optional[_Iterable[_Union[LeftOutLine, _Mapping]]] = ...) -> None: ...

class LeftOutLine(_message.Message):
    __slots__ = ("index", "reason", "problem")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    index: int
    reason: str
    problem: str
    def __init__(self, index: _Optional[int] = ..., reason: _Optional[str] = ..., problem: _Optional[str] = ...) -> None: ...

class ExportRecordsRequest(_message.Message):
    __slots__ = ("parts", "scopes", "after")
    PARTS_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    parts: _containers.RepeatedScalarFieldContainer[ExportPart]
    scopes: _containers.RepeatedCompositeFieldContainer[_scope_pb2.Scope]
    after: str
    def __init__(self, parts: _Optional[_Iterable[_Union[ExportPart, str]]] = ..., scopes: _Optional[_Iterable[_Union[_scope_pb2.Scope, _Mapping]]] = ..., after: _Optional[str] = ...) -> None: ...

class ExportRecordsResponse(_message.Message):
    __slots__ = ("type", "line", "place")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    type: str
    line: str
    place: str
    def __init__(self, type: _Optional[str] = ..., line: _Optional[str] = ..., place: _Optional[str] = ...) -> None: ...

class ImportRecordsRequest(_message.Message):
    __slots__ = ("lines",)
    LINES_FIELD_NUMBER: _ClassVar[int]
    lines: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, lines: _Optional[_Iterable[str]] = ...) -> None: ...

class ImportRecordsResponse(_message.Message):
    __slots__ = ("counts", "left_out")
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    LEFT_OUT_FIELD_NUMBER: _ClassVar[int]
    counts: _containers.RepeatedCompositeFieldContainer[ImportedCount]
    left_out: _containers.RepeatedCompositeFieldContainer[LeftOutLine]
    def __init__(self, counts: _Optional[_Iterable[_Union[ImportedCount, _Mapping]]] = ..., left_out: _Optional[_Iterable[_Union[LeftOutLine, _Mapping]]] = ...) -> None: ...

class ImportedCount(_message.Message):
    __slots__ = ("type", "imported_count", "unchanged_count", "erased_count")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    IMPORTED_COUNT_FIELD_NUMBER: _ClassVar[int]
    UNCHANGED_COUNT_FIELD_NUMBER: _ClassVar[int]
    ERASED_COUNT_FIELD_NUMBER: _ClassVar[int]
    type: str
    imported_count: int
    unchanged_count: int
    erased_count: int
    def __init__(self, type: _Optional[str] = ..., imported_count: _Optional[int] = ..., unchanged_count: _Optional[int] = ..., erased_count: _Optional[int] = ...) -> None: ...
