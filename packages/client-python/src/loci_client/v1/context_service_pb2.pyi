import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from loci_client.v1 import context_pb2 as _context_pb2
from loci_client.v1 import kept_receipt_pb2 as _kept_receipt_pb2
from loci_client.v1 import recall_pb2 as _recall_pb2
from loci_client.v1 import scope_pb2 as _scope_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class BudgetAction(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BUDGET_ACTION_UNSPECIFIED: _ClassVar[BudgetAction]
    BUDGET_ACTION_STOP: _ClassVar[BudgetAction]
    BUDGET_ACTION_SUMMARIZE: _ClassVar[BudgetAction]
    BUDGET_ACTION_TRIM: _ClassVar[BudgetAction]
BUDGET_ACTION_UNSPECIFIED: BudgetAction
BUDGET_ACTION_STOP: BudgetAction
BUDGET_ACTION_SUMMARIZE: BudgetAction
BUDGET_ACTION_TRIM: BudgetAction

class AssembleContextRequest(_message.Message):
    __slots__ = ("layout", "profile", "mode", "model", "window", "system", "project", "task", "messages", "query", "recall", "evaluation_time", "record_usage", "explain", "layout_definition", "core_memory", "files", "history", "session", "block_owners", "time_zone", "memory_dates")
    LAYOUT_FIELD_NUMBER: _ClassVar[int]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    WINDOW_FIELD_NUMBER: _ClassVar[int]
    SYSTEM_FIELD_NUMBER: _ClassVar[int]
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    TASK_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    RECALL_FIELD_NUMBER: _ClassVar[int]
    EVALUATION_TIME_FIELD_NUMBER: _ClassVar[int]
    RECORD_USAGE_FIELD_NUMBER: _ClassVar[int]
    EXPLAIN_FIELD_NUMBER: _ClassVar[int]
    LAYOUT_DEFINITION_FIELD_NUMBER: _ClassVar[int]
    CORE_MEMORY_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    BLOCK_OWNERS_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    MEMORY_DATES_FIELD_NUMBER: _ClassVar[int]
    layout: str
    profile: _context_pb2.RankProfile
    mode: _context_pb2.WaterfallMode
    model: str
    window: _context_pb2.WindowOverrides
    system: str
    project: str
    task: str
    messages: _containers.RepeatedCompositeFieldContainer[_context_pb2.ChatMessage]
    query: str
    recall: AssemblyRecall
    evaluation_time: _timestamp_pb2.Timestamp
    record_usage: _context_pb2.UsageRecording
    explain: bool
    layout_definition: _context_pb2.LayoutDefinition
    core_memory: str
    files: _context_pb2.LayeredFiles
    history: HistoryOptions
    session: _scope_pb2.SessionReference
    block_owners: _containers.RepeatedCompositeFieldContainer[_scope_pb2.Scope]
    time_zone: str
    memory_dates: bool
    def __init__(self, layout: _Optional[str] = ..., profile: _Optional[_Union[_context_pb2.RankProfile, str]] = ..., mode: _Optional[_Union[_context_pb2.WaterfallMode, str]] = ..., model: _Optional[str] = ..., window: _Optional[_Union[_context_pb2.WindowOverrides, _Mapping]] = ..., system: _Optional[str] = ..., project: _Optional[str] = ..., task: _Optional[str] = ..., messages: _Optional[_Iterable[_Union[_context_pb2.ChatMessage, _Mapping]]] = ..., query: _Optional[str] = ..., recall: _Optional[_Union[AssemblyRecall, _Mapping]] = ..., evaluation_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., record_usage: _Optional[_Union[_context_pb2.UsageRecording, str]] = ..., explain: _Optional[bool] = ..., layout_definition: _Optional[_Union[_context_pb2.LayoutDefinition, _Mapping]] = ..., core_memory: _Optional[str] = ..., files: _Optional[_Union[_context_pb2.LayeredFiles, _Mapping]] = ..., history: _Optional[_Union[HistoryOptions, _Mapping]] = ..., session: _Optional[_Union[_scope_pb2.SessionReference, _Mapping]] = ..., block_owners: _Optional[_Iterable[_Union[_scope_pb2.Scope, _Mapping]]] = ..., time_zone: _Optional[str] = ..., memory_dates: _Optional[bool] = ...) -> None: ...

class HistoryOptions(_message.Message):
    __slots__ = ("strategy", "last_turns", "max_tokens", "turn_numbers")
    STRATEGY_FIELD_NUMBER: _ClassVar[int]
    LAST_TURNS_FIELD_NUMBER: _ClassVar[int]
    MAX_TOKENS_FIELD_NUMBER: _ClassVar[int]
    TURN_NUMBERS_FIELD_NUMBER: _ClassVar[int]
    strategy: str
    last_turns: int
    max_tokens: int
    turn_numbers: bool
    def __init__(self, strategy: _Optional[str] = ..., last_turns: _Optional[int] = ..., max_tokens: _Optional[int] = ..., turn_numbers: _Optional[bool] = ...) -> None: ...

class AssemblyRecall(_message.Message):
    __slots__ = ("scopes", "options", "query")
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    scopes: _containers.RepeatedCompositeFieldContainer[_scope_pb2.Scope]
    options: _recall_pb2.RecallOptions
    query: str
    def __init__(self, scopes: _Optional[_Iterable[_Union[_scope_pb2.Scope, _Mapping]]] = ..., options: _Optional[_Union[_recall_pb2.RecallOptions, _Mapping]] = ..., query: _Optional[str] = ...) -> None: ...

class AssembleContextResponse(_message.Message):
    __slots__ = ("text", "messages", "sections", "receipt", "usage", "warnings", "cache", "timings", "receipt_id")
    class TimingsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: float
        def __init__(self, key: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...
    TEXT_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    SECTIONS_FIELD_NUMBER: _ClassVar[int]
    RECEIPT_FIELD_NUMBER: _ClassVar[int]
    USAGE_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    CACHE_FIELD_NUMBER: _ClassVar[int]
    TIMINGS_FIELD_NUMBER: _ClassVar[int]
    RECEIPT_ID_FIELD_NUMBER: _ClassVar[int]
    text: str
    messages: _containers.RepeatedCompositeFieldContainer[_context_pb2.ChatMessage]
    sections: _containers.RepeatedCompositeFieldContainer[_context_pb2.AssembledSection]
    receipt: _context_pb2.Receipt
    usage: _context_pb2.TokenUsage
    warnings: _containers.RepeatedCompositeFieldContainer[_context_pb2.AssemblyWarning]
    cache: _context_pb2.CachePlan
    timings: _containers.ScalarMap[str, float]
    receipt_id: str
    def __init__(self, text: _Optional[str] = ..., messages: _Optional[_Iterable[_Union[_context_pb2.ChatMessage, _Mapping]]] = ..., sections: _Optional[_Iterable[_Union[_context_pb2.AssembledSection, _Mapping]]] = ..., receipt: _Optional[_Union[_context_pb2.Receipt, _Mapping]] = ..., usage: _Optional[_Union[_context_pb2.TokenUsage, _Mapping]] = ..., warnings: _Optional[_Iterable[_Union[_context_pb2.AssemblyWarning, _Mapping]]] = ..., cache: _Optional[_Union[_context_pb2.CachePlan, _Mapping]] = ..., timings: _Optional[_Mapping[str, float]] = ..., receipt_id: _Optional[str] = ...) -> None: ...

class ListReceiptsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListReceiptsResponse(_message.Message):
    __slots__ = ("receipts", "next_page_token", "keep_milliseconds")
    RECEIPTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    KEEP_MILLISECONDS_FIELD_NUMBER: _ClassVar[int]
    receipts: _containers.RepeatedCompositeFieldContainer[_kept_receipt_pb2.KeptReceiptSummary]
    next_page_token: str
    keep_milliseconds: int
    def __init__(self, receipts: _Optional[_Iterable[_Union[_kept_receipt_pb2.KeptReceiptSummary, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., keep_milliseconds: _Optional[int] = ...) -> None: ...

class GetReceiptRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class GetReceiptResponse(_message.Message):
    __slots__ = ("receipt",)
    RECEIPT_FIELD_NUMBER: _ClassVar[int]
    receipt: _kept_receipt_pb2.KeptReceipt
    def __init__(self, receipt: _Optional[_Union[_kept_receipt_pb2.KeptReceipt, _Mapping]] = ...) -> None: ...

class CountTokensRequest(_message.Message):
    __slots__ = ("text", "model")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    text: str
    model: str
    def __init__(self, text: _Optional[str] = ..., model: _Optional[str] = ...) -> None: ...

class CountTokensResponse(_message.Message):
    __slots__ = ("tokens", "tokenizer", "estimated")
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    TOKENIZER_FIELD_NUMBER: _ClassVar[int]
    ESTIMATED_FIELD_NUMBER: _ClassVar[int]
    tokens: int
    tokenizer: str
    estimated: bool
    def __init__(self, tokens: _Optional[int] = ..., tokenizer: _Optional[str] = ..., estimated: _Optional[bool] = ...) -> None: ...

class CheckBudgetRequest(_message.Message):
    __slots__ = ("max_input_tokens", "safety_margin_ratio", "system_tokens", "conversation_tokens", "estimated_output_tokens", "on_exceed")
    MAX_INPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    SAFETY_MARGIN_RATIO_FIELD_NUMBER: _ClassVar[int]
    SYSTEM_TOKENS_FIELD_NUMBER: _ClassVar[int]
    CONVERSATION_TOKENS_FIELD_NUMBER: _ClassVar[int]
    ESTIMATED_OUTPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    ON_EXCEED_FIELD_NUMBER: _ClassVar[int]
    max_input_tokens: int
    safety_margin_ratio: float
    system_tokens: int
    conversation_tokens: int
    estimated_output_tokens: int
    on_exceed: BudgetAction
    def __init__(self, max_input_tokens: _Optional[int] = ..., safety_margin_ratio: _Optional[float] = ..., system_tokens: _Optional[int] = ..., conversation_tokens: _Optional[int] = ..., estimated_output_tokens: _Optional[int] = ..., on_exceed: _Optional[_Union[BudgetAction, str]] = ...) -> None: ...

class CheckBudgetResponse(_message.Message):
    __slots__ = ("allowed", "remaining_input_tokens", "utilization", "action", "code", "message")
    ALLOWED_FIELD_NUMBER: _ClassVar[int]
    REMAINING_INPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    UTILIZATION_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    allowed: bool
    remaining_input_tokens: int
    utilization: float
    action: BudgetAction
    code: str
    message: str
    def __init__(self, allowed: _Optional[bool] = ..., remaining_input_tokens: _Optional[int] = ..., utilization: _Optional[float] = ..., action: _Optional[_Union[BudgetAction, str]] = ..., code: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...

class EnforceBudgetRequest(_message.Message):
    __slots__ = ("messages", "model", "tools", "session", "max_input_tokens", "safety_margin_ratio", "estimated_output_tokens", "on_exceed")
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    MAX_INPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    SAFETY_MARGIN_RATIO_FIELD_NUMBER: _ClassVar[int]
    ESTIMATED_OUTPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    ON_EXCEED_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[_context_pb2.ChatMessage]
    model: str
    tools: _containers.RepeatedCompositeFieldContainer[ToolDefinition]
    session: str
    max_input_tokens: int
    safety_margin_ratio: float
    estimated_output_tokens: int
    on_exceed: BudgetAction
    def __init__(self, messages: _Optional[_Iterable[_Union[_context_pb2.ChatMessage, _Mapping]]] = ..., model: _Optional[str] = ..., tools: _Optional[_Iterable[_Union[ToolDefinition, _Mapping]]] = ..., session: _Optional[str] = ..., max_input_tokens: _Optional[int] = ..., safety_margin_ratio: _Optional[float] = ..., estimated_output_tokens: _Optional[int] = ..., on_exceed: _Optional[_Union[BudgetAction, str]] = ...) -> None: ...

class EnforceBudgetResponse(_message.Message):
    __slots__ = ("messages", "tokens", "dropped", "remaining_input_tokens", "utilization", "summarized")
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    DROPPED_FIELD_NUMBER: _ClassVar[int]
    REMAINING_INPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    UTILIZATION_FIELD_NUMBER: _ClassVar[int]
    SUMMARIZED_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[_context_pb2.ChatMessage]
    tokens: int
    dropped: _containers.RepeatedScalarFieldContainer[int]
    remaining_input_tokens: int
    utilization: float
    summarized: bool
    def __init__(self, messages: _Optional[_Iterable[_Union[_context_pb2.ChatMessage, _Mapping]]] = ..., tokens: _Optional[int] = ..., dropped: _Optional[_Iterable[int]] = ..., remaining_input_tokens: _Optional[int] = ..., utilization: _Optional[float] = ..., summarized: _Optional[bool] = ...) -> None: ...

class TrimMessagesRequest(_message.Message):
    __slots__ = ("messages", "max_tokens", "model", "tools")
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    MAX_TOKENS_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    TOOLS_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[_context_pb2.ChatMessage]
    max_tokens: int
    model: str
    tools: _containers.RepeatedCompositeFieldContainer[ToolDefinition]
    def __init__(self, messages: _Optional[_Iterable[_Union[_context_pb2.ChatMessage, _Mapping]]] = ..., max_tokens: _Optional[int] = ..., model: _Optional[str] = ..., tools: _Optional[_Iterable[_Union[ToolDefinition, _Mapping]]] = ...) -> None: ...

class TrimMessagesResponse(_message.Message):
    __slots__ = ("messages", "tokens", "dropped")
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    DROPPED_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[_context_pb2.ChatMessage]
    tokens: int
    dropped: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, messages: _Optional[_Iterable[_Union[_context_pb2.ChatMessage, _Mapping]]] = ..., tokens: _Optional[int] = ..., dropped: _Optional[_Iterable[int]] = ...) -> None: ...

class ToolDefinition(_message.Message):
    __slots__ = ("name", "description", "parameters")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    name: str
    description: str
    parameters: str
    def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ..., parameters: _Optional[str] = ...) -> None: ...

class RecordModelUsageRequest(_message.Message):
    __slots__ = ("model", "session", "input_tokens", "cached_input_tokens", "output_tokens", "request_id")
    MODEL_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    INPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    CACHED_INPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    model: str
    session: str
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    request_id: str
    def __init__(self, model: _Optional[str] = ..., session: _Optional[str] = ..., input_tokens: _Optional[int] = ..., cached_input_tokens: _Optional[int] = ..., output_tokens: _Optional[int] = ..., request_id: _Optional[str] = ...) -> None: ...

class RecordModelUsageResponse(_message.Message):
    __slots__ = ("totals",)
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    totals: ModelUsageTotals
    def __init__(self, totals: _Optional[_Union[ModelUsageTotals, _Mapping]] = ...) -> None: ...

class GetModelUsageTotalsRequest(_message.Message):
    __slots__ = ("session",)
    SESSION_FIELD_NUMBER: _ClassVar[int]
    session: str
    def __init__(self, session: _Optional[str] = ...) -> None: ...

class GetModelUsageTotalsResponse(_message.Message):
    __slots__ = ("totals",)
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    totals: ModelUsageTotals
    def __init__(self, totals: _Optional[_Union[ModelUsageTotals, _Mapping]] = ...) -> None: ...

class ModelUsageTotals(_message.Message):
    __slots__ = ("calls", "input_tokens", "cached_input_tokens", "output_tokens", "cost", "unpriced_calls", "approximate", "input_cost", "output_cost")
    CALLS_FIELD_NUMBER: _ClassVar[int]
    INPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    CACHED_INPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    COST_FIELD_NUMBER: _ClassVar[int]
    UNPRICED_CALLS_FIELD_NUMBER: _ClassVar[int]
    APPROXIMATE_FIELD_NUMBER: _ClassVar[int]
    INPUT_COST_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_COST_FIELD_NUMBER: _ClassVar[int]
    calls: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    cost: float
    unpriced_calls: int
    approximate: bool
    input_cost: float
    output_cost: float
    def __init__(self, calls: _Optional[int] = ..., input_tokens: _Optional[int] = ..., cached_input_tokens: _Optional[int] = ..., output_tokens: _Optional[int] = ..., cost: _Optional[float] = ..., unpriced_calls: _Optional[int] = ..., approximate: _Optional[bool] = ..., input_cost: _Optional[float] = ..., output_cost: _Optional[float] = ...) -> None: ...
