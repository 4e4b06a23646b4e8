import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from loci_client.v1 import context_pb2 as _context_pb2
from loci_client.v1 import scope_pb2 as _scope_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CaptureMoment(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CAPTURE_MOMENT_UNSPECIFIED: _ClassVar[CaptureMoment]
    CAPTURE_MOMENT_ON_CLOSE: _ClassVar[CaptureMoment]
    CAPTURE_MOMENT_OFF: _ClassVar[CaptureMoment]

class SessionState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SESSION_STATE_UNSPECIFIED: _ClassVar[SessionState]
    SESSION_STATE_OPEN: _ClassVar[SessionState]
    SESSION_STATE_CLOSED: _ClassVar[SessionState]

class TurnOrder(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TURN_ORDER_UNSPECIFIED: _ClassVar[TurnOrder]
    TURN_ORDER_OLDEST_FIRST: _ClassVar[TurnOrder]
    TURN_ORDER_NEWEST_FIRST: _ClassVar[TurnOrder]
CAPTURE_MOMENT_UNSPECIFIED: CaptureMoment
CAPTURE_MOMENT_ON_CLOSE: CaptureMoment
CAPTURE_MOMENT_OFF: CaptureMoment
SESSION_STATE_UNSPECIFIED: SessionState
SESSION_STATE_OPEN: SessionState
SESSION_STATE_CLOSED: SessionState
TURN_ORDER_UNSPECIFIED: TurnOrder
TURN_ORDER_OLDEST_FIRST: TurnOrder
TURN_ORDER_NEWEST_FIRST: TurnOrder

class Session(_message.Message):
    __slots__ = ("scope", "id", "agent", "project", "title", "capture_moment", "capture_every_turns", "remember_turns", "keep_secrets", "state", "last_turn", "create_time", "update_time", "etag", "capture_instructions", "capture_except")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    CAPTURE_MOMENT_FIELD_NUMBER: _ClassVar[int]
    CAPTURE_EVERY_TURNS_FIELD_NUMBER: _ClassVar[int]
    REMEMBER_TURNS_FIELD_NUMBER: _ClassVar[int]
    KEEP_SECRETS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    LAST_TURN_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    CAPTURE_INSTRUCTIONS_FIELD_NUMBER: _ClassVar[int]
    CAPTURE_EXCEPT_FIELD_NUMBER: _ClassVar[int]
    scope: _scope_pb2.Scope
    id: str
    agent: str
    project: str
    title: str
    capture_moment: CaptureMoment
    capture_every_turns: int
    remember_turns: bool
    keep_secrets: bool
    state: SessionState
    last_turn: int
    create_time: _timestamp_pb2.Timestamp
    update_time: _timestamp_pb2.Timestamp
    etag: str
    capture_instructions: str
    capture_except: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, scope: _Optional[_Union[_scope_pb2.Scope, _Mapping]] = ..., id: _Optional[str] = ..., agent: _Optional[str] = ..., project: _Optional[str] = ..., title: _Optional[str] = ..., capture_moment: _Optional[_Union[CaptureMoment, str]] = ..., capture_every_turns: _Optional[int] = ..., remember_turns: _Optional[bool] = ..., keep_secrets: _Optional[bool] = ..., state: _Optional[_Union[SessionState, str]] = ..., last_turn: _Optional[int] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., update_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., etag: _Optional[str] = ..., capture_instructions: _Optional[str] = ..., capture_except: _Optional[_Iterable[str]] = ...) -> None: ...

class Turn(_message.Message):
    __slots__ = ("number", "role", "content", "name", "tool_calls", "tool_call_id", "time", "recalled")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    TOOL_CALLS_FIELD_NUMBER: _ClassVar[int]
    TOOL_CALL_ID_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    RECALLED_FIELD_NUMBER: _ClassVar[int]
    number: int
    role: _context_pb2.ChatRole
    content: str
    name: str
    tool_calls: _containers.RepeatedCompositeFieldContainer[_context_pb2.ToolCall]
    tool_call_id: str
    time: _timestamp_pb2.Timestamp
    recalled: bool
    def __init__(self, number: _Optional[int] = ..., role: _Optional[_Union[_context_pb2.ChatRole, str]] = ..., content: _Optional[str] = ..., name: _Optional[str] = ..., tool_calls: _Optional[_Iterable[_Union[_context_pb2.ToolCall, _Mapping]]] = ..., tool_call_id: _Optional[str] = ..., time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., recalled: _Optional[bool] = ...) -> None: ...

class TurnState(_message.Message):
    __slots__ = ("json", "etag", "terminal")
    JSON_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    TERMINAL_FIELD_NUMBER: _ClassVar[int]
    json: str
    etag: str
    terminal: bool
    def __init__(self, json: _Optional[str] = ..., etag: _Optional[str] = ..., terminal: _Optional[bool] = ...) -> None: ...
