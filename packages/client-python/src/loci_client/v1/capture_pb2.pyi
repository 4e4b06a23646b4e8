import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from loci_client.v1 import memory_pb2 as _memory_pb2
from loci_client.v1 import scope_pb2 as _scope_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CaptureExtractor(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CAPTURE_EXTRACTOR_UNSPECIFIED: _ClassVar[CaptureExtractor]
    CAPTURE_EXTRACTOR_AUTO: _ClassVar[CaptureExtractor]
    CAPTURE_EXTRACTOR_RULES: _ClassVar[CaptureExtractor]
    CAPTURE_EXTRACTOR_MODEL: _ClassVar[CaptureExtractor]

class CaptureState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CAPTURE_STATE_UNSPECIFIED: _ClassVar[CaptureState]
    CAPTURE_STATE_QUEUED: _ClassVar[CaptureState]
    CAPTURE_STATE_RUNNING: _ClassVar[CaptureState]
    CAPTURE_STATE_SUCCEEDED: _ClassVar[CaptureState]
    CAPTURE_STATE_FAILED: _ClassVar[CaptureState]
    CAPTURE_STATE_DEAD: _ClassVar[CaptureState]
    CAPTURE_STATE_UNDONE: _ClassVar[CaptureState]
    CAPTURE_STATE_CANCELLED: _ClassVar[CaptureState]
CAPTURE_EXTRACTOR_UNSPECIFIED: CaptureExtractor
CAPTURE_EXTRACTOR_AUTO: CaptureExtractor
CAPTURE_EXTRACTOR_RULES: CaptureExtractor
CAPTURE_EXTRACTOR_MODEL: CaptureExtractor
CAPTURE_STATE_UNSPECIFIED: CaptureState
CAPTURE_STATE_QUEUED: CaptureState
CAPTURE_STATE_RUNNING: CaptureState
CAPTURE_STATE_SUCCEEDED: CaptureState
CAPTURE_STATE_FAILED: CaptureState
CAPTURE_STATE_DEAD: CaptureState
CAPTURE_STATE_UNDONE: CaptureState
CAPTURE_STATE_CANCELLED: CaptureState

class CaptureJob(_message.Message):
    __slots__ = ("id", "etag", "session", "first_turn", "last_turn", "project_scope", "extractor", "state", "attempts", "problem", "create_time", "update_time", "outcome", "undone")
    ID_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    FIRST_TURN_FIELD_NUMBER: _ClassVar[int]
    LAST_TURN_FIELD_NUMBER: _ClassVar[int]
    PROJECT_SCOPE_FIELD_NUMBER: _ClassVar[int]
    EXTRACTOR_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    UNDONE_FIELD_NUMBER: _ClassVar[int]
    id: str
    etag: str
    session: _scope_pb2.SessionReference
    first_turn: int
    last_turn: int
    project_scope: _scope_pb2.Scope
    extractor: CaptureExtractor
    state: CaptureState
    attempts: int
    problem: str
    create_time: _timestamp_pb2.Timestamp
    update_time: _timestamp_pb2.Timestamp
    outcome: CaptureOutcome
    undone: CaptureUndone
    def __init__(self, id: _Optional[str] = ..., etag: _Optional[str] = ..., session: _Optional[_Union[_scope_pb2.SessionReference, _Mapping]] = ..., first_turn: _Optional[int] = ..., last_turn: _Optional[int] = ..., project_scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., extractor: _Optional[_Union[CaptureExtractor, str]] = ..., state: _Optional[_Union[CaptureState, str]] = ..., attempts: _Optional[int] = ..., problem: _Optional[str] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., update_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., outcome: _Optional[_Union[CaptureOutcome, _Mapping]] = ..., undone: _Optional[_Union[CaptureUndone, _Mapping]] = ...) -> None: ...

class CaptureOutcome(_message.Message):
    __slots__ = ("by_model", "is_fallback", "model", "candidates", "model_problem", "usage", "unread")
    BY_MODEL_FIELD_NUMBER: _ClassVar[int]
    IS_FALLBACK_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    CANDIDATES_FIELD_NUMBER: _ClassVar[int]
    MODEL_PROBLEM_FIELD_NUMBER: _ClassVar[int]
    USAGE_FIELD_NUMBER: _ClassVar[int]
    UNREAD_FIELD_NUMBER: _ClassVar[int]
    by_model: bool
    is_fallback: bool
    model: str
    candidates: _containers.RepeatedCompositeFieldContainer[CaptureCandidate]
    model_problem: str
    usage: CaptureModelUsage
    unread: _containers.RepeatedCompositeFieldContainer[UnreadWords]
    def __init__(self, by_model: _Optional[bool] = ..., is_fallback: _Optional[bool] = ..., model: _Optional[str] = ..., candidates: _Optional[_Iterable[_Union[CaptureCandidate, _Mapping]]] = ..., model_problem: _Optional[str] = ..., usage: _Optional[_Union[CaptureModelUsage, _Mapping]] = ..., unread: _Optional[_Iterable[_Union[UnreadWords, _Mapping]]] = ...) -> None: ...

class UnreadWords(_message.Message):
    __slots__ = ("turn", "reason", "units")
    TURN_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    UNITS_FIELD_NUMBER: _ClassVar[int]
    turn: int
    reason: str
    units: int
    def __init__(self, turn: _Optional[int] = ..., reason: _Optional[str] = ..., units: _Optional[int] = ...) -> None: ...

class CaptureModelUsage(_message.Message):
    __slots__ = ("calls", "input_tokens", "cached_input_tokens", "output_tokens", "cost")
    CALLS_FIELD_NUMBER: _ClassVar[int]
    INPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    CACHED_INPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    COST_FIELD_NUMBER: _ClassVar[int]
    calls: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    cost: float
    def __init__(self, calls: _Optional[int] = ..., input_tokens: _Optional[int] = ..., cached_input_tokens: _Optional[int] = ..., output_tokens: _Optional[int] = ..., cost: _Optional[float] = ...) -> None: ...

class CaptureCandidate(_message.Message):
    __slots__ = ("is_instinct", "category", "text", "slot", "value", "scope", "state", "decision", "target", "reason", "evidence", "importance", "is_static", "is_correction", "tags", "valid_from", "memory", "valid_to")
    IS_INSTINCT_FIELD_NUMBER: _ClassVar[int]
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    SLOT_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    IMPORTANCE_FIELD_NUMBER: _ClassVar[int]
    IS_STATIC_FIELD_NUMBER: _ClassVar[int]
    IS_CORRECTION_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    VALID_FROM_FIELD_NUMBER: _ClassVar[int]
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    VALID_TO_FIELD_NUMBER: _ClassVar[int]
    is_instinct: bool
    category: str
    text: str
    slot: str
    value: str
    scope: str
    state: str
    decision: str
    target: str
    reason: str
    evidence: _containers.RepeatedCompositeFieldContainer[CaptureEvidence]
    importance: float
    is_static: bool
    is_correction: bool
    tags: _containers.RepeatedScalarFieldContainer[str]
    valid_from: _timestamp_pb2.Timestamp
    memory: str
    valid_to: _timestamp_pb2.Timestamp
    def __init__(self, is_instinct: _Optional[bool] = ..., category: _Optional[str] = ..., text: _Optional[str] = ..., slot: _Optional[str] = ..., value: _Optional[str] = ..., scope: _Optional[str] = ..., state: _Optional[str] = ..., decision: _Optional[str] = ..., target: _Optional[str] = ..., reason: _Optional[str] = ..., evidence: _Optional[_Iterable[_Union[CaptureEvidence, _Mapping]]] = ..., importance: _Optional[float] = ..., is_static: _Optional[bool] = ..., is_correction: _Optional[bool] = ..., tags: _Optional[_Iterable[str]] = ..., valid_from: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., memory: _Optional[str] = ..., valid_to: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class CaptureEvidence(_message.Message):
    __slots__ = ("turn", "start", "end", "quote")
    TURN_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    QUOTE_FIELD_NUMBER: _ClassVar[int]
    turn: int
    start: int
    end: int
    quote: str
    def __init__(self, turn: _Optional[int] = ..., start: _Optional[int] = ..., end: _Optional[int] = ..., quote: _Optional[str] = ...) -> None: ...

class CaptureUndone(_message.Message):
    __slots__ = ("forgotten", "reopened", "skipped")
    FORGOTTEN_FIELD_NUMBER: _ClassVar[int]
    REOPENED_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_FIELD_NUMBER: _ClassVar[int]
    forgotten: _containers.RepeatedScalarFieldContainer[str]
    reopened: _containers.RepeatedScalarFieldContainer[str]
    skipped: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, forgotten: _Optional[_Iterable[str]] = ..., reopened: _Optional[_Iterable[str]] = ..., skipped: _Optional[_Iterable[str]] = ...) -> None: ...

class MemoryEvidence(_message.Message):
    __slots__ = ("memory", "session", "turn", "start", "end", "say_time", "capture")
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    SAY_TIME_FIELD_NUMBER: _ClassVar[int]
    CAPTURE_FIELD_NUMBER: _ClassVar[int]
    memory: str
    session: _scope_pb2.SessionReference
    turn: int
    start: int
    end: int
    say_time: _timestamp_pb2.Timestamp
    capture: str
    def __init__(self, memory: _Optional[str] = ..., session: _Optional[_Union[_scope_pb2.SessionReference, _Mapping]] = ..., turn: _Optional[int] = ..., start: _Optional[int] = ..., end: _Optional[int] = ..., say_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., capture: _Optional[str] = ...) -> None: ...

class MemoryReview(_message.Message):
    __slots__ = ("id", "memory", "reason", "replaces", "capture", "create_time")
    ID_FIELD_NUMBER: _ClassVar[int]
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    REPLACES_FIELD_NUMBER: _ClassVar[int]
    CAPTURE_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    id: str
    memory: _memory_pb2.Memory
    reason: str
    replaces: str
    capture: str
    create_time: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., memory: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ..., reason: _Optional[str] = ..., replaces: _Optional[str] = ..., capture: _Optional[str] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class LearnedMemory(_message.Message):
    __slots__ = ("decision", "memory", "closed")
    DECISION_FIELD_NUMBER: _ClassVar[int]
    MEMORY_FIELD_NUMBER: _ClassVar[int]
    CLOSED_FIELD_NUMBER: _ClassVar[int]
    decision: str
    memory: _memory_pb2.Memory
    closed: _memory_pb2.Memory
    def __init__(self, decision: _Optional[str] = ..., memory: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ..., closed: _Optional[_Union[_memory_pb2.Memory, _Mapping]] = ...) -> None: ...
