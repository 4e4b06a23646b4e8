import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from loci_client.v1 import capture_pb2 as _capture_pb2
from loci_client.v1 import context_service_pb2 as _context_service_pb2
from loci_client.v1 import scope_pb2 as _scope_pb2
from loci_client.v1 import session_pb2 as _session_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CreateSessionRequest(_message.Message):
    __slots__ = ("session", "request_id")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    session: _session_pb2.Session
    request_id: str
    def __init__(self, session: _Optional[_Union[_session_pb2.Session, _Mapping]] = ..., request_id: _Optional[str] = ...) -> None: ...

class CreateSessionResponse(_message.Message):
    __slots__ = ("session",)
    SESSION_FIELD_NUMBER: _ClassVar[int]
    session: _session_pb2.Session
    def __init__(self, session: _Optional[_Union[_session_pb2.Session, _Mapping]] = ...) -> None: ...

class GetSessionRequest(_message.Message):
    __slots__ = ("scope", "id")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    scope: _scope_pb2.Scope
    id: str
    def __init__(self, scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., id: _Optional[str] = ...) -> None: ...

class GetSessionResponse(_message.Message):
    __slots__ = ("session",)
    SESSION_FIELD_NUMBER: _ClassVar[int]
    session: _session_pb2.Session
    def __init__(self, session: _Optional[_Union[_session_pb2.Session, _Mapping]] = ...) -> None: ...

class ListSessionsRequest(_message.Message):
    __slots__ = ("scopes", "state", "page_size", "page_token")
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    scopes: _containers.RepeatedCompositeFieldContainer[_scope_pb2.Scope]
    state: _session_pb2.SessionState
    page_size: int
    page_token: str
    def __init__(self, scopes: _Optional[_Iterable[_Union[_scope_pb2.Scope, _Mapping]]] = ..., state: _Optional[_Union[_session_pb2.SessionState, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListSessionsResponse(_message.Message):
    __slots__ = ("sessions", "next_page_token")
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    sessions: _containers.RepeatedCompositeFieldContainer[_session_pb2.Session]
    next_page_token: str
    def __init__(self, sessions: _Optional[_Iterable[_Union[_session_pb2.Session, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class CloseSessionRequest(_message.Message):
    __slots__ = ("scope", "id", "etag", "request_id")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    scope: _scope_pb2.Scope
    id: str
    etag: str
    request_id: str
    def __init__(self, scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., id: _Optional[str] = ..., etag: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class CloseSessionResponse(_message.Message):
    __slots__ = ("session",)
    SESSION_FIELD_NUMBER: _ClassVar[int]
    session: _session_pb2.Session
    def __init__(self, session: _Optional[_Union[_session_pb2.Session, _Mapping]] = ...) -> None: ...

class ReopenSessionRequest(_message.Message):
    __slots__ = ("scope", "id", "etag", "request_id")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    scope: _scope_pb2.Scope
    id: str
    etag: str
    request_id: str
    def __init__(self, scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., id: _Optional[str] = ..., etag: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class ReopenSessionResponse(_message.Message):
    __slots__ = ("session",)
    SESSION_FIELD_NUMBER: _ClassVar[int]
    session: _session_pb2.Session
    def __init__(self, session: _Optional[_Union[_session_pb2.Session, _Mapping]] = ...) -> None: ...

class DeleteSessionRequest(_message.Message):
    __slots__ = ("scope", "id", "etag", "request_id")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    scope: _scope_pb2.Scope
    id: str
    etag: str
    request_id: str
    def __init__(self, scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., id: _Optional[str] = ..., etag: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteSessionResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class AppendTurnsRequest(_message.Message):
    __slots__ = ("scope", "id", "expected_last_turn", "turns")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_LAST_TURN_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    scope: _scope_pb2.Scope
    id: str
    expected_last_turn: int
    turns: _containers.RepeatedCompositeFieldContainer[_session_pb2.Turn]
    def __init__(self, scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., id: _Optional[str] = ..., expected_last_turn: _Optional[int] = ..., turns: _Optional[_Iterable[_Union[_session_pb2.Turn, _Mapping]]] = ...) -> None: ...

class AppendTurnsResponse(_message.Message):
    __slots__ = ("first_turn", "last_turn", "replayed")
    FIRST_TURN_FIELD_NUMBER: _ClassVar[int]
    LAST_TURN_FIELD_NUMBER: _ClassVar[int]
    REPLAYED_FIELD_NUMBER: _ClassVar[int]
    first_turn: int
    last_turn: int
    replayed: bool
    def __init__(self, first_turn: _Optional[int] = ..., last_turn: _Optional[int] = ..., replayed: _Optional[bool] = ...) -> None: ...

class AppendTurnsAndAssembleContextRequest(_message.Message):
    __slots__ = ("append", "context")
    APPEND_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    append: AppendTurnsRequest
    context: _context_service_pb2.AssembleContextRequest
    def __init__(self, append: _Optional[_Union[AppendTurnsRequest, _Mapping]] = ..., context: _Optional[_Union[_context_service_pb2.AssembleContextRequest, _Mapping]] = ...) -> None: ...

class AppendTurnsAndAssembleContextResponse(_message.Message):
    __slots__ = ("appended", "context")
    APPENDED_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    appended: AppendTurnsResponse
    context: _context_service_pb2.AssembleContextResponse
    def __init__(self, appended: _Optional[_Union[AppendTurnsResponse, _Mapping]] = ..., context: _Optional[_Union[_context_service_pb2.AssembleContextResponse, _Mapping]] = ...) -> None: ...

class AppendTurnsAndCaptureRequest(_message.Message):
    __slots__ = ("session", "expected_last_turn", "turns", "extractor", "wait", "request_id")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_LAST_TURN_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    EXTRACTOR_FIELD_NUMBER: _ClassVar[int]
    WAIT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    session: _session_pb2.Session
    expected_last_turn: int
    turns: _containers.RepeatedCompositeFieldContainer[_session_pb2.Turn]
    extractor: _capture_pb2.CaptureExtractor
    wait: _duration_pb2.Duration
    request_id: str
    def __init__(self, session: _Optional[_Union[_session_pb2.Session, _Mapping]] = ..., expected_last_turn: _Optional[int] = ..., turns: _Optional[_Iterable[_Union[_session_pb2.Turn, _Mapping]]] = ..., extractor: _Optional[_Union[_capture_pb2.CaptureExtractor, str]] = ..., wait: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., request_id: _Optional[str] = ...) -> None: ...

class AppendTurnsAndCaptureResponse(_message.Message):
    __slots__ = ("session", "appended", "captures", "learned")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    APPENDED_FIELD_NUMBER: _ClassVar[int]
    CAPTURES_FIELD_NUMBER: _ClassVar[int]
    LEARNED_FIELD_NUMBER: _ClassVar[int]
    session: _scope_pb2.SessionReference
    appended: AppendTurnsResponse
    captures: _containers.RepeatedCompositeFieldContainer[_capture_pb2.CaptureJob]
    learned: _containers.RepeatedCompositeFieldContainer[_capture_pb2.LearnedMemory]
    def __init__(self, session: _Optional[_Union[_scope_pb2.SessionReference, _Mapping]] = ..., appended: _Optional[_Union[AppendTurnsResponse, _Mapping]] = ..., captures: _Optional[_Iterable[_Union[_capture_pb2.CaptureJob, _Mapping]]] = ..., learned: _Optional[_Iterable[_Union[_capture_pb2.LearnedMemory, _Mapping]]] = ...) -> None: ...

class ListTurnsRequest(_message.Message):
    __slots__ = ("scope", "id", "first_turn", "last_turn", "order", "page_size", "page_token")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    FIRST_TURN_FIELD_NUMBER: _ClassVar[int]
    LAST_TURN_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    scope: _scope_pb2.Scope
    id: str
    first_turn: int
    last_turn: int
    order: _session_pb2.TurnOrder
    page_size: int
    page_token: str
    def __init__(self, scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., id: _Optional[str] = ..., first_turn: _Optional[int] = ..., last_turn: _Optional[int] = ..., order: _Optional[_Union[_session_pb2.TurnOrder, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListTurnsResponse(_message.Message):
    __slots__ = ("turns", "last_turn", "next_page_token")
    TURNS_FIELD_NUMBER: _ClassVar[int]
    LAST_TURN_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    turns: _containers.RepeatedCompositeFieldContainer[_session_pb2.Turn]
    last_turn: int
    next_page_token: str
    def __init__(self, turns: _Optional[_Iterable[_Union[_session_pb2.Turn, _Mapping]]] = ..., last_turn: _Optional[int] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetTurnStateRequest(_message.Message):
    __slots__ = ("scope", "id", "with_summary")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    WITH_SUMMARY_FIELD_NUMBER: _ClassVar[int]
    scope: _scope_pb2.Scope
    id: str
    with_summary: bool
    def __init__(self, scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., id: _Optional[str] = ..., with_summary: _Optional[bool] = ...) -> None: ...

class GetTurnStateResponse(_message.Message):
    __slots__ = ("turn_state", "summary")
    TURN_STATE_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    turn_state: _session_pb2.TurnState
    summary: str
    def __init__(self, turn_state: _Optional[_Union[_session_pb2.TurnState, _Mapping]] = ..., summary: _Optional[str] = ...) -> None: ...

class SaveTurnStateRequest(_message.Message):
    __slots__ = ("scope", "id", "turn_state", "etag", "request_id")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    TURN_STATE_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    scope: _scope_pb2.Scope
    id: str
    turn_state: _session_pb2.TurnState
    etag: str
    request_id: str
    def __init__(self, scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., id: _Optional[str] = ..., turn_state: _Optional[_Union[_session_pb2.TurnState, _Mapping]] = ..., etag: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class SaveTurnStateResponse(_message.Message):
    __slots__ = ("turn_state",)
    TURN_STATE_FIELD_NUMBER: _ClassVar[int]
    turn_state: _session_pb2.TurnState
    def __init__(self, turn_state: _Optional[_Union[_session_pb2.TurnState, _Mapping]] = ...) -> None: ...

class MergeTurnStateRequest(_message.Message):
    __slots__ = ("scope", "id", "fresh_json", "decision", "action", "blocked_reason", "request_id")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    FRESH_JSON_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    BLOCKED_REASON_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    scope: _scope_pb2.Scope
    id: str
    fresh_json: str
    decision: TurnDecision
    action: TurnAction
    blocked_reason: str
    request_id: str
    def __init__(self, scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., id: _Optional[str] = ..., fresh_json: _Optional[str] = ..., decision: _Optional[_Union[TurnDecision, _Mapping]] = ..., action: _Optional[_Union[TurnAction, _Mapping]] = ..., blocked_reason: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class TurnDecision(_message.Message):
    __slots__ = ("decision", "rationale", "alternatives")
    DECISION_FIELD_NUMBER: _ClassVar[int]
    RATIONALE_FIELD_NUMBER: _ClassVar[int]
    ALTERNATIVES_FIELD_NUMBER: _ClassVar[int]
    decision: str
    rationale: str
    alternatives: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, decision: _Optional[str] = ..., rationale: _Optional[str] = ..., alternatives: _Optional[_Iterable[str]] = ...) -> None: ...

class TurnAction(_message.Message):
    __slots__ = ("type", "result", "details_json")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    DETAILS_JSON_FIELD_NUMBER: _ClassVar[int]
    type: str
    result: str
    details_json: str
    def __init__(self, type: _Optional[str] = ..., result: _Optional[str] = ..., details_json: _Optional[str] = ...) -> None: ...

class MergeTurnStateResponse(_message.Message):
    __slots__ = ("turn_state",)
    TURN_STATE_FIELD_NUMBER: _ClassVar[int]
    turn_state: _session_pb2.TurnState
    def __init__(self, turn_state: _Optional[_Union[_session_pb2.TurnState, _Mapping]] = ...) -> None: ...

class GetDailyLogRequest(_message.Message):
    __slots__ = ("scope", "date", "time_zone")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    DATE_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    scope: _scope_pb2.Scope
    date: str
    time_zone: str
    def __init__(self, scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., date: _Optional[str] = ..., time_zone: _Optional[str] = ...) -> None: ...

class GetDailyLogResponse(_message.Message):
    __slots__ = ("text",)
    TEXT_FIELD_NUMBER: _ClassVar[int]
    text: str
    def __init__(self, text: _Optional[str] = ...) -> None: ...
