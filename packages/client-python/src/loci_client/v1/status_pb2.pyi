from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class Caller(_message.Message):
    __slots__ = ("tenant", "subject", "roles", "scope_patterns", "version", "services")
    TENANT_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    SCOPE_PATTERNS_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    SERVICES_FIELD_NUMBER: _ClassVar[int]
    tenant: str
    subject: str
    roles: _containers.RepeatedScalarFieldContainer[str]
    scope_patterns: _containers.RepeatedScalarFieldContainer[str]
    version: str
    services: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, tenant: _Optional[str] = ..., subject: _Optional[str] = ..., roles: _Optional[_Iterable[str]] = ..., scope_patterns: _Optional[_Iterable[str]] = ..., version: _Optional[str] = ..., services: _Optional[_Iterable[str]] = ...) -> None: ...
