import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from loci_client.v1 import context_pb2 as _context_pb2
from loci_client.v1 import scope_pb2 as _scope_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class KeptReceiptSummary(_message.Message):
    __slots__ = ("id", "assemble_time", "subject", "scopes", "session", "layout", "model", "usage", "kept_items", "shortened_items", "dropped_items", "stable_prefix_hash", "stable_prefix_tokens")
    ID_FIELD_NUMBER: _ClassVar[int]
    ASSEMBLE_TIME_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    LAYOUT_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    USAGE_FIELD_NUMBER: _ClassVar[int]
    KEPT_ITEMS_FIELD_NUMBER: _ClassVar[int]
    SHORTENED_ITEMS_FIELD_NUMBER: _ClassVar[int]
    DROPPED_ITEMS_FIELD_NUMBER: _ClassVar[int]
    STABLE_PREFIX_HASH_FIELD_NUMBER: _ClassVar[int]
    STABLE_PREFIX_TOKENS_FIELD_NUMBER: _ClassVar[int]
    id: str
    assemble_time: _timestamp_pb2.Timestamp
    subject: str
    scopes: _containers.RepeatedCompositeFieldContainer[_scope_pb2.Scope]
    session: _scope_pb2.SessionReference
    layout: str
    model: str
    usage: _context_pb2.TokenUsage
    kept_items: int
    shortened_items: int
    dropped_items: int
    stable_prefix_hash: str
    stable_prefix_tokens: int
    def __init__(self, id: _Optional[str] = ..., assemble_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., subject: _Optional[str] = ..., scopes: _Optional[_Iterable[_Union[_scope_pb2.Scope, _Mapping]]] = ..., session: _Optional[_Union[_scope_pb2.SessionReference, _Mapping]] = ..., layout: _Optional[str] = ..., model: _Optional[str] = ..., usage: _Optional[_Union[_context_pb2.TokenUsage, _Mapping]] = ..., kept_items: _Optional[int] = ..., shortened_items: _Optional[int] = ..., dropped_items: _Optional[int] = ..., stable_prefix_hash: _Optional[str] = ..., stable_prefix_tokens: _Optional[int] = ...) -> None: ...

class KeptReceipt(_message.Message):
    __slots__ = ("summary", "receipt", "prefix_sections", "memories")
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    RECEIPT_FIELD_NUMBER: _ClassVar[int]
    PREFIX_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    MEMORIES_FIELD_NUMBER: _ClassVar[int]
    summary: KeptReceiptSummary
    receipt: _context_pb2.Receipt
    prefix_sections: _containers.RepeatedCompositeFieldContainer[PrefixSection]
    memories: _containers.RepeatedCompositeFieldContainer[MemoryVersion]
    def __init__(self, summary: _Optional[_Union[KeptReceiptSummary, _Mapping]] = ..., receipt: _Optional[_Union[_context_pb2.Receipt, _Mapping]] = ..., prefix_sections: _Optional[_Iterable[_Union[PrefixSection, _Mapping]]] = ..., memories: _Optional[_Iterable[_Union[MemoryVersion, _Mapping]]] = ...) -> None: ...

class PrefixSection(_message.Message):
    __slots__ = ("name", "hash")
    NAME_FIELD_NUMBER: _ClassVar[int]
    HASH_FIELD_NUMBER: _ClassVar[int]
    name: str
    hash: str
    def __init__(self, name: _Optional[str] = ..., hash: _Optional[str] = ...) -> None: ...

class MemoryVersion(_message.Message):
    __slots__ = ("id", "version")
    ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    id: str
    version: int
    def __init__(self, id: _Optional[str] = ..., version: _Optional[int] = ...) -> None: ...
