import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from loci_client.v1 import capture_pb2 as _capture_pb2
from loci_client.v1 import memory_pb2 as _memory_pb2
from loci_client.v1 import scope_pb2 as _scope_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ReviewDecision(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REVIEW_DECISION_UNSPECIFIED: _ClassVar[ReviewDecision]
    REVIEW_DECISION_APPROVE: _ClassVar[ReviewDecision]
    REVIEW_DECISION_REJECT: _ClassVar[ReviewDecision]
REVIEW_DECISION_UNSPECIFIED: ReviewDecision
REVIEW_DECISION_APPROVE: ReviewDecision
REVIEW_DECISION_REJECT: ReviewDecision

class StartCaptureRequest(_message.Message):
    __slots__ = ("session", "first_turn", "last_turn", "project_scope", "extractor", "validate_only")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    FIRST_TURN_FIELD_NUMBER: _ClassVar[int]
    LAST_TURN_FIELD_NUMBER: _ClassVar[int]
    PROJECT_SCOPE_FIELD_NUMBER: _ClassVar[int]
    EXTRACTOR_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    session: _scope_pb2.SessionReference
    first_turn: int
    last_turn: int
    project_scope: _scope_pb2.Scope
    extractor: _capture_pb2.CaptureExtractor
    validate_only: bool
    def __init__(self, session: _Optional[_Union[_scope_pb2.SessionReference, _Mapping]] = ..., first_turn: _Optional[int] = ..., last_turn: _Optional[int] = ..., project_scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., extractor: _Optional[_Union[_capture_pb2.CaptureExtractor, str]] = ..., validate_only: _Optional[bool] = ...) -> None: ...

class StartCaptureResponse(_message.Message):
    __slots__ = ("capture",)
    CAPTURE_FIELD_NUMBER: _ClassVar[int]
    capture: _capture_pb2.CaptureJob
    def __init__(self, capture: _Optional[_Union[_capture_pb2.CaptureJob, _Mapping]] = ...) -> None: ...

class GetCaptureRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class GetCaptureResponse(_message.Message):
    __slots__ = ("capture",)
    CAPTURE_FIELD_NUMBER: _ClassVar[int]
    capture: _capture_pb2.CaptureJob
    def __init__(self, capture: _Optional[_Union[_capture_pb2.CaptureJob, _Mapping]] = ...) -> None: ...

class WaitCaptureRequest(_message.Message):
    __slots__ = ("id", "timeout")
    ID_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    id: str
    timeout: _duration_pb2.Duration
    def __init__(self, id: _Optional[str] = ..., timeout: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class WaitCaptureResponse(_message.Message):
    __slots__ = ("capture",)
    CAPTURE_FIELD_NUMBER: _ClassVar[int]
    capture: _capture_pb2.CaptureJob
    def __init__(self, capture: _Optional[_Union[_capture_pb2.CaptureJob, _Mapping]] = ...) -> None: ...

class ListCapturesRequest(_message.Message):
    __slots__ = ("session", "page_size", "page_token", "scopes", "all_scopes", "states")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    ALL_SCOPES_FIELD_NUMBER: _ClassVar[int]
    STATES_FIELD_NUMBER: _ClassVar[int]
    session: _scope_pb2.SessionReference
    page_size: int
    page_token: str
    scopes: _containers.RepeatedCompositeFieldContainer[_scope_pb2.Scope]
    all_scopes: bool
    states: _containers.RepeatedScalarFieldContainer[_capture_pb2.CaptureState]
    def __init__(self, session: _Optional[_Union[_scope_pb2.SessionReference, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., scopes: _Optional[_Iterable[_Union[_scope_pb2.Scope, _Mapping]]] = ..., all_scopes: _Optional[bool] = ..., states: _Optional[_Iterable[_Union[_capture_pb2.CaptureState, str]]] = ...) -> None: ...

class ListCapturesResponse(_message.Message):
    __slots__ = ("captures", "next_page_token")
    CAPTURES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    captures: _containers.RepeatedCompositeFieldContainer[_capture_pb2.CaptureJob]
    next_page_token: str
    def __init__(self, captures: _Optional[_Iterable[_Union[_capture_pb2.CaptureJob, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class CancelCaptureRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class CancelCaptureResponse(_message.Message):
    __slots__ = ("capture",)
    CAPTURE_FIELD_NUMBER: _ClassVar[int]
    capture: _capture_pb2.CaptureJob
    def __init__(self, capture: _Optional[_Union[_capture_pb2.CaptureJob, _Mapping]] = ...) -> None: ...

class UndoCaptureRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class UndoCaptureResponse(_message.Message):
    __slots__ = ("capture",)
    CAPTURE_FIELD_NUMBER: _ClassVar[int]
    capture: _capture_pb2.CaptureJob
    def __init__(self, capture: _Optional[_Union[_capture_pb2.CaptureJob, _Mapping]] = ...) -> None: ...

class ReplayCaptureRequest(_message.Message):
    __slots__ = ("id", "extractor")
    ID_FIELD_NUMBER: _ClassVar[int]
    EXTRACTOR_FIELD_NUMBER: _ClassVar[int]
    id: str
    extractor: _capture_pb2.CaptureExtractor
    def __init__(self, id: _Optional[str] = ..., extractor: _Optional[_Union[_capture_pb2.CaptureExtractor, str]] = ...) -> None: ...

class ReplayCaptureResponse(_message.Message):
    __slots__ = ("capture",)
    CAPTURE_FIELD_NUMBER: _ClassVar[int]
    capture: _capture_pb2.CaptureJob
    def __init__(self, capture: _Optional[_Union[_capture_pb2.CaptureJob, _Mapping]] = ...) -> None: ...

class RecordPostMortemRequest(_message.Message):
    __slots__ = ("scope", "failure", "lesson", "tags", "request_id")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    LESSON_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    scope: _scope_pb2.Scope
    failure: str
    lesson: str
    tags: _containers.RepeatedScalarFieldContainer[str]
    request_id: str
    def __init__(self, scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., failure: _Optional[str] = ..., lesson: _Optional[str] = ..., tags: _Optional[_Iterable[str]] = ..., request_id: _Optional[str] = ...) -> None: ...

class RecordPostMortemResponse(_message.Message):
    __slots__ = ("memory",)
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    memory: _memory_pb2.Memory
    def __init__(self, memory: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ...) -> None: ...

class ListReviewsRequest(_message.Message):
    __slots__ = ("scopes", "page_size", "page_token")
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    scopes: _containers.RepeatedCompositeFieldContainer[_scope_pb2.Scope]
    page_size: int
    page_token: str
    def __init__(self, scopes: _Optional[_Iterable[_Union[_scope_pb2.Scope, _Mapping]]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListReviewsResponse(_message.Message):
    __slots__ = ("reviews", "next_page_token")
    REVIEWS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    reviews: _containers.RepeatedCompositeFieldContainer[_capture_pb2.MemoryReview]
    next_page_token: str
    def __init__(self, reviews: _Optional[_Iterable[_Union[_capture_pb2.MemoryReview, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class DecideReviewRequest(_message.Message):
    __slots__ = ("id", "decision", "etag")
    ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    id: str
    decision: ReviewDecision
    etag: str
    def __init__(self, id: _Optional[str] = ..., decision: _Optional[_Union[ReviewDecision, str]] = ..., etag: _Optional[str] = ...) -> None: ...

class DecideReviewResponse(_message.Message):
    __slots__ = ("memory",)
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    memory: _memory_pb2.Memory
    def __init__(self, memory: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ...) -> None: ...

class ListEvidenceRequest(_message.Message):
    __slots__ = ("memory",)
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    memory: str
    def __init__(self, memory: _Optional[str] = ...) -> None: ...

class ListEvidenceResponse(_message.Message):
    __slots__ = ("evidence",)
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    evidence: _containers.RepeatedCompositeFieldContainer[_capture_pb2.MemoryEvidence]
    def __init__(self, evidence: _Optional[_Iterable[_Union[_capture_pb2.MemoryEvidence, _Mapping]]] = ...) -> None: ...
