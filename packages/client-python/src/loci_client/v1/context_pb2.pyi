import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from loci_client.v1 import recall_pb2 as _recall_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ChatRole(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CHAT_ROLE_UNSPECIFIED: _ClassVar[ChatRole]
    CHAT_ROLE_SYSTEM: _ClassVar[ChatRole]
    CHAT_ROLE_DEVELOPER: _ClassVar[ChatRole]
    CHAT_ROLE_USER: _ClassVar[ChatRole]
    CHAT_ROLE_ASSISTANT: _ClassVar[ChatRole]
    CHAT_ROLE_TOOL: _ClassVar[ChatRole]

class WaterfallMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WATERFALL_MODE_UNSPECIFIED: _ClassVar[WaterfallMode]
    WATERFALL_MODE_FILL: _ClassVar[WaterfallMode]
    WATERFALL_MODE_CASCADE: _ClassVar[WaterfallMode]
    WATERFALL_MODE_LAST: _ClassVar[WaterfallMode]
    WATERFALL_MODE_SEQUENTIAL: _ClassVar[WaterfallMode]

class RankProfile(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RANK_PROFILE_UNSPECIFIED: _ClassVar[RankProfile]
    RANK_PROFILE_CONVERSATION: _ClassVar[RankProfile]
    RANK_PROFILE_RAG: _ClassVar[RankProfile]

class UsageRecording(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    USAGE_RECORDING_UNSPECIFIED: _ClassVar[UsageRecording]
    USAGE_RECORDING_KEPT: _ClassVar[UsageRecording]
    USAGE_RECORDING_NONE: _ClassVar[UsageRecording]
CHAT_ROLE_UNSPECIFIED: ChatRole
CHAT_ROLE_SYSTEM: ChatRole
CHAT_ROLE_DEVELOPER: ChatRole
CHAT_ROLE_USER: ChatRole
CHAT_ROLE_ASSISTANT: ChatRole
CHAT_ROLE_TOOL: ChatRole
WATERFALL_MODE_UNSPECIFIED: WaterfallMode
WATERFALL_MODE_FILL: WaterfallMode
WATERFALL_MODE_CASCADE: WaterfallMode
WATERFALL_MODE_LAST: WaterfallMode
WATERFALL_MODE_SEQUENTIAL: WaterfallMode
RANK_PROFILE_UNSPECIFIED: RankProfile
RANK_PROFILE_CONVERSATION: RankProfile
RANK_PROFILE_RAG: RankProfile
USAGE_RECORDING_UNSPECIFIED: UsageRecording
USAGE_RECORDING_KEPT: UsageRecording
USAGE_RECORDING_NONE: UsageRecording

class ChatMessage(_message.Message):
    __slots__ = ("role", "content", "parts", "name", "tool_calls", "tool_call_id", "id")
    ROLE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    TOOL_CALLS_FIELD_NUMBER: _ClassVar[int]
    TOOL_CALL_ID_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    role: ChatRole
    content: str
    parts: ContentParts
    name: str
    tool_calls: _containers.RepeatedCompositeFieldContainer[ToolCall]
    tool_call_id: str
    id: str
    def __init__(self, role: _Optional[_Union[ChatRole, str]] = ..., content: _Optional[str] = ..., parts: _Optional[_Union[ContentParts, _Mapping]] = ..., name: _Optional[str] = ..., tool_calls: _Optional[_Iterable[_Union[ToolCall, _Mapping]]] = ..., tool_call_id: _Optional[str] = ..., id: _Optional[str] = ...) -> None: ...

class ContentParts(_message.Message):
    __slots__ = ("parts",)
    PARTS_FIELD_NUMBER: _ClassVar[int]
    parts: _containers.RepeatedCompositeFieldContainer[ContentPart]
    def __init__(self, parts: _Optional[_Iterable[_Union[ContentPart, _Mapping]]] = ...) -> None: ...

class ContentPart(_message.Message):
    __slots__ = ("text", "image_url")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    IMAGE_URL_FIELD_NUMBER: _ClassVar[int]
    text: str
    image_url: ImageUrl
    def __init__(self, text: _Optional[str] = ..., image_url: _Optional[_Union[ImageUrl, _Mapping]] = ...) -> None: ...

class ImageUrl(_message.Message):
    __slots__ = ("url", "detail")
    URL_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    url: str
    detail: str
    def __init__(self, url: _Optional[str] = ..., detail: _Optional[str] = ...) -> None: ...

class ToolCall(_message.Message):
    __slots__ = ("id", "name", "arguments")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    arguments: str
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., arguments: _Optional[str] = ...) -> None: ...

class WindowOverrides(_message.Message):
    __slots__ = ("sections", "query", "response", "safety_buffer", "scale_to", "fill_window", "preset", "max_tokens")
    class SectionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: int
        def __init__(self, key: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...
    SECTIONS_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_FIELD_NUMBER: _ClassVar[int]
    SAFETY_BUFFER_FIELD_NUMBER: _ClassVar[int]
    SCALE_TO_FIELD_NUMBER: _ClassVar[int]
    FILL_WINDOW_FIELD_NUMBER: _ClassVar[int]
    PRESET_FIELD_NUMBER: _ClassVar[int]
    MAX_TOKENS_FIELD_NUMBER: _ClassVar[int]
    sections: _containers.ScalarMap[str, int]
    query: int
    response: int
    safety_buffer: int
    scale_to: int
    fill_window: bool
    preset: str
    max_tokens: int
    def __init__(self, sections: _Optional[_Mapping[str, int]] = ..., query: _Optional[int] = ..., response: _Optional[int] = ..., safety_buffer: _Optional[int] = ..., scale_to: _Optional[int] = ..., fill_window: _Optional[bool] = ..., preset: _Optional[str] = ..., max_tokens: _Optional[int] = ...) -> None: ...

class LayoutDefinition(_message.Message):
    __slots__ = ("name", "rendering", "mode", "total_tokens", "tokenizer", "memory_form", "sections")
    NAME_FIELD_NUMBER: _ClassVar[int]
    RENDERING_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    TOTAL_TOKENS_FIELD_NUMBER: _ClassVar[int]
    TOKENIZER_FIELD_NUMBER: _ClassVar[int]
    MEMORY_FORM_FIELD_NUMBER: _ClassVar[int]
    SECTIONS_FIELD_NUMBER: _ClassVar[int]
    name: str
    rendering: str
    mode: WaterfallMode
    total_tokens: int
    tokenizer: str
    memory_form: str
    sections: _containers.RepeatedCompositeFieldContainer[SectionDefinition]
    def __init__(self, name: _Optional[str] = ..., rendering: _Optional[str] = ..., mode: _Optional[_Union[WaterfallMode, str]] = ..., total_tokens: _Optional[int] = ..., tokenizer: _Optional[str] = ..., memory_form: _Optional[str] = ..., sections: _Optional[_Iterable[_Union[SectionDefinition, _Mapping]]] = ...) -> None: ...

class SectionDefinition(_message.Message):
    __slots__ = ("name", "title", "source", "shortening", "rank", "ranks", "base", "max", "floor", "max_items", "max_procedures")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    SHORTENING_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    RANKS_FIELD_NUMBER: _ClassVar[int]
    BASE_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    FLOOR_FIELD_NUMBER: _ClassVar[int]
    MAX_ITEMS_FIELD_NUMBER: _ClassVar[int]
    MAX_PROCEDURES_FIELD_NUMBER: _ClassVar[int]
    name: str
    title: str
    source: str
    shortening: str
    rank: int
    ranks: ProfileRanks
    base: int
    max: int
    floor: int
    max_items: int
    max_procedures: int
    def __init__(self, name: _Optional[str] = ..., title: _Optional[str] = ..., source: _Optional[str] = ..., shortening: _Optional[str] = ..., rank: _Optional[int] = ..., ranks: _Optional[_Union[ProfileRanks, _Mapping]] = ..., base: _Optional[int] = ..., max: _Optional[int] = ..., floor: _Optional[int] = ..., max_items: _Optional[int] = ..., max_procedures: _Optional[int] = ...) -> None: ...

class ProfileRanks(_message.Message):
    __slots__ = ("conversation", "rag")
    CONVERSATION_FIELD_NUMBER: _ClassVar[int]
    RAG_FIELD_NUMBER: _ClassVar[int]
    conversation: int
    rag: int
    def __init__(self, conversation: _Optional[int] = ..., rag: _Optional[int] = ...) -> None: ...

class LayeredFiles(_message.Message):
    __slots__ = ("files", "team_files", "days")
    class FilesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    class TeamFilesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    FILES_FIELD_NUMBER: _ClassVar[int]
    TEAM_FILES_FIELD_NUMBER: _ClassVar[int]
    DAYS_FIELD_NUMBER: _ClassVar[int]
    files: _containers.ScalarMap[str, str]
    team_files: _containers.ScalarMap[str, str]
    days: _containers.RepeatedCompositeFieldContainer[DayLog]
    def __init__(self, files: _Optional[_Mapping[str, str]] = ..., team_files: _Optional[_Mapping[str, str]] = ..., days: _Optional[_Iterable[_Union[DayLog, _Mapping]]] = ...) -> None: ...

class DayLog(_message.Message):
    __slots__ = ("date", "text")
    DATE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    date: str
    text: str
    def __init__(self, date: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...

class AssembledSection(_message.Message):
    __slots__ = ("name", "content", "tokens")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    name: str
    content: str
    tokens: int
    def __init__(self, name: _Optional[str] = ..., content: _Optional[str] = ..., tokens: _Optional[int] = ...) -> None: ...

class AssemblyWarning(_message.Message):
    __slots__ = ("reason", "section", "message", "advice")
    REASON_FIELD_NUMBER: _ClassVar[int]
    SECTION_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    ADVICE_FIELD_NUMBER: _ClassVar[int]
    reason: str
    section: str
    message: str
    advice: str
    def __init__(self, reason: _Optional[str] = ..., section: _Optional[str] = ..., message: _Optional[str] = ..., advice: _Optional[str] = ...) -> None: ...

class CachePlan(_message.Message):
    __slots__ = ("stable_prefix_hash", "stable_prefix_tokens", "stable_prefix_length", "breakpoint_after")
    STABLE_PREFIX_HASH_FIELD_NUMBER: _ClassVar[int]
    STABLE_PREFIX_TOKENS_FIELD_NUMBER: _ClassVar[int]
    STABLE_PREFIX_LENGTH_FIELD_NUMBER: _ClassVar[int]
    BREAKPOINT_AFTER_FIELD_NUMBER: _ClassVar[int]
    stable_prefix_hash: str
    stable_prefix_tokens: int
    stable_prefix_length: int
    breakpoint_after: str
    def __init__(self, stable_prefix_hash: _Optional[str] = ..., stable_prefix_tokens: _Optional[int] = ..., stable_prefix_length: _Optional[int] = ..., breakpoint_after: _Optional[str] = ...) -> None: ...

class TokenUsage(_message.Message):
    __slots__ = ("total_tokens", "budget_tokens", "query_tokens", "response_tokens", "messages_tokens")
    TOTAL_TOKENS_FIELD_NUMBER: _ClassVar[int]
    BUDGET_TOKENS_FIELD_NUMBER: _ClassVar[int]
    QUERY_TOKENS_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_TOKENS_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_TOKENS_FIELD_NUMBER: _ClassVar[int]
    total_tokens: int
    budget_tokens: int
    query_tokens: int
    response_tokens: int
    messages_tokens: int
    def __init__(self, total_tokens: _Optional[int] = ..., budget_tokens: _Optional[int] = ..., query_tokens: _Optional[int] = ..., response_tokens: _Optional[int] = ..., messages_tokens: _Optional[int] = ...) -> None: ...

class Receipt(_message.Message):
    __slots__ = ("layout", "profile", "mode", "model", "tokenizer", "estimated", "window", "evaluation_time", "sections", "items", "dropped_candidates", "stable_prefix_hash", "check")
    LAYOUT_FIELD_NUMBER: _ClassVar[int]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    TOKENIZER_FIELD_NUMBER: _ClassVar[int]
    ESTIMATED_FIELD_NUMBER: _ClassVar[int]
    WINDOW_FIELD_NUMBER: _ClassVar[int]
    EVALUATION_TIME_FIELD_NUMBER: _ClassVar[int]
    SECTIONS_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    DROPPED_CANDIDATES_FIELD_NUMBER: _ClassVar[int]
    STABLE_PREFIX_HASH_FIELD_NUMBER: _ClassVar[int]
    CHECK_FIELD_NUMBER: _ClassVar[int]
    layout: str
    profile: RankProfile
    mode: WaterfallMode
    model: str
    tokenizer: str
    estimated: bool
    window: WindowReceipt
    evaluation_time: _timestamp_pb2.Timestamp
    sections: _containers.RepeatedCompositeFieldContainer[SectionReceipt]
    items: _containers.RepeatedCompositeFieldContainer[ItemReceipt]
    dropped_candidates: _containers.RepeatedCompositeFieldContainer[_recall_pb2.DroppedCandidate]
    stable_prefix_hash: str
    check: ReceiptCheck
    def __init__(self, layout: _Optional[str] = ..., profile: _Optional[_Union[RankProfile, str]] = ..., mode: _Optional[_Union[WaterfallMode, str]] = ..., model: _Optional[str] = ..., tokenizer: _Optional[str] = ..., estimated: _Optional[bool] = ..., window: _Optional[_Union[WindowReceipt, _Mapping]] = ..., evaluation_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., sections: _Optional[_Iterable[_Union[SectionReceipt, _Mapping]]] = ..., items: _Optional[_Iterable[_Union[ItemReceipt, _Mapping]]] = ..., dropped_candidates: _Optional[_Iterable[_Union[_recall_pb2.DroppedCandidate, _Mapping]]] = ..., stable_prefix_hash: _Optional[str] = ..., check: _Optional[_Union[ReceiptCheck, _Mapping]] = ...) -> None: ...

class ReceiptCheck(_message.Message):
    __slots__ = ("tokenizer", "estimated", "total_tokens", "messages_tokens", "budget_tokens")
    TOKENIZER_FIELD_NUMBER: _ClassVar[int]
    ESTIMATED_FIELD_NUMBER: _ClassVar[int]
    TOTAL_TOKENS_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_TOKENS_FIELD_NUMBER: _ClassVar[int]
    BUDGET_TOKENS_FIELD_NUMBER: _ClassVar[int]
    tokenizer: str
    estimated: bool
    total_tokens: int
    messages_tokens: int
    budget_tokens: int
    def __init__(self, tokenizer: _Optional[str] = ..., estimated: _Optional[bool] = ..., total_tokens: _Optional[int] = ..., messages_tokens: _Optional[int] = ..., budget_tokens: _Optional[int] = ...) -> None: ...

class WindowReceipt(_message.Message):
    __slots__ = ("preset", "total_tokens", "sections_tokens", "query_tokens", "response_tokens", "safety_buffer_tokens", "unused_tokens")
    PRESET_FIELD_NUMBER: _ClassVar[int]
    TOTAL_TOKENS_FIELD_NUMBER: _ClassVar[int]
    SECTIONS_TOKENS_FIELD_NUMBER: _ClassVar[int]
    QUERY_TOKENS_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_TOKENS_FIELD_NUMBER: _ClassVar[int]
    SAFETY_BUFFER_TOKENS_FIELD_NUMBER: _ClassVar[int]
    UNUSED_TOKENS_FIELD_NUMBER: _ClassVar[int]
    preset: str
    total_tokens: int
    sections_tokens: int
    query_tokens: int
    response_tokens: int
    safety_buffer_tokens: int
    unused_tokens: int
    def __init__(self, preset: _Optional[str] = ..., total_tokens: _Optional[int] = ..., sections_tokens: _Optional[int] = ..., query_tokens: _Optional[int] = ..., response_tokens: _Optional[int] = ..., safety_buffer_tokens: _Optional[int] = ..., unused_tokens: _Optional[int] = ...) -> None: ...

class SectionReceipt(_message.Message):
    __slots__ = ("name", "rank", "base_tokens", "granted_tokens", "needed_tokens", "used_tokens", "utilization", "budget_tokens")
    NAME_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    BASE_TOKENS_FIELD_NUMBER: _ClassVar[int]
    GRANTED_TOKENS_FIELD_NUMBER: _ClassVar[int]
    NEEDED_TOKENS_FIELD_NUMBER: _ClassVar[int]
    USED_TOKENS_FIELD_NUMBER: _ClassVar[int]
    UTILIZATION_FIELD_NUMBER: _ClassVar[int]
    BUDGET_TOKENS_FIELD_NUMBER: _ClassVar[int]
    name: str
    rank: int
    base_tokens: int
    granted_tokens: int
    needed_tokens: int
    used_tokens: int
    utilization: float
    budget_tokens: int
    def __init__(self, name: _Optional[str] = ..., rank: _Optional[int] = ..., base_tokens: _Optional[int] = ..., granted_tokens: _Optional[int] = ..., needed_tokens: _Optional[int] = ..., used_tokens: _Optional[int] = ..., utilization: _Optional[float] = ..., budget_tokens: _Optional[int] = ...) -> None: ...

class ItemReceipt(_message.Message):
    __slots__ = ("id", "kind", "section", "outcome", "tokens", "whole_tokens", "reason", "source", "score", "parts", "count")
    ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SECTION_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    WHOLE_TOKENS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    id: str
    kind: str
    section: str
    outcome: str
    tokens: int
    whole_tokens: int
    reason: str
    source: str
    score: float
    parts: _recall_pb2.ScoreParts
    count: int
    def __init__(self, id: _Optional[str] = ..., kind: _Optional[str] = ..., section: _Optional[str] = ..., outcome: _Optional[str] = ..., tokens: _Optional[int] = ..., whole_tokens: _Optional[int] = ..., reason: _Optional[str] = ..., source: _Optional[str] = ..., score: _Optional[float] = ..., parts: _Optional[_Union[_recall_pb2.ScoreParts, _Mapping]] = ..., count: _Optional[int] = ...) -> None: ...
