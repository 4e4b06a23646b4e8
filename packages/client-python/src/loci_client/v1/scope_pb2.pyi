from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ScopeKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCOPE_KIND_UNSPECIFIED: _ClassVar[ScopeKind]
    SCOPE_KIND_SESSION: _ClassVar[ScopeKind]
    SCOPE_KIND_USER: _ClassVar[ScopeKind]
    SCOPE_KIND_AGENT: _ClassVar[ScopeKind]
    SCOPE_KIND_TEAM: _ClassVar[ScopeKind]
    SCOPE_KIND_PROJECT: _ClassVar[ScopeKind]
    SCOPE_KIND_GLOBAL: _ClassVar[ScopeKind]
SCOPE_KIND_UNSPECIFIED: ScopeKind
SCOPE_KIND_SESSION: ScopeKind
SCOPE_KIND_USER: ScopeKind
SCOPE_KIND_AGENT: ScopeKind
SCOPE_KIND_TEAM: ScopeKind
SCOPE_KIND_PROJECT: ScopeKind
SCOPE_KIND_GLOBAL: ScopeKind

class Scope(_message.Message):
    __slots__ = ("kind", "id")
    KIND_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    kind: ScopeKind
    id: str
    def __init__(self, kind: _Optional[_Union[ScopeKind, str]] = ..., id: _Optional[str] = ...) -> None: ...

class SessionReference(_message.Message):
    __slots__ = ("scope", "id")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    scope: Scope
    id: str
    def __init__(self, scope: _Optional[_Union[Scope, _Mapping]] = ..., id: _Optional[str] = ...) -> None: ...
