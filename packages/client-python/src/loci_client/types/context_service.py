"""Generated from loci/v1/context_service.proto."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from loci_client.record import Record
from loci_client.scope import Scope
from loci_client.types.chat_message import ChatMessage
from loci_client.types.context import AssembledSection, AssemblyWarning, CachePlan, TokenUsage
from loci_client.types.kept_receipt import KeptReceiptSummary
from loci_client.types.recall import RecallOptions
from loci_client.types.receipt import Receipt
from loci_client.v1 import context_service_pb2


BudgetAction = Literal["unspecified", "stop", "summarize", "trim"]
"""What to do when a call does not fit."""
BUDGET_ACTION_NAMES: Final[dict[int, BudgetAction]] = {
    0: "unspecified",
    1: "stop",
    2: "summarize",
    3: "trim",
}


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class HistoryOptions(Record[context_service_pb2.HistoryOptions]):
    """How a conversation is made to fit."""

    strategy: str | None = None
    """Optional. "summary" (default) or "window"."""
    last_turns: int | None = None
    """Optional. Shows at most so many turns word for word."""
    max_tokens: int | None = None
    """Optional. What messages and summary may take together, in tokens."""
    turn_numbers: bool | None = None
    """Optional. Begins lines with the number of their turn."""

    @staticmethod
    def _new() -> context_service_pb2.HistoryOptions:
        return context_service_pb2.HistoryOptions()

    @classmethod
    def from_proto(cls, message: context_service_pb2.HistoryOptions) -> HistoryOptions:
        return cls(
            strategy=message.strategy if message.HasField("strategy") else None,
            last_turns=message.last_turns if message.HasField("last_turns") else None,
            max_tokens=message.max_tokens if message.HasField("max_tokens") else None,
            turn_numbers=message.turn_numbers if message.HasField("turn_numbers") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class AssemblyRecall(Record[context_service_pb2.AssemblyRecall]):
    """The recall an assembly makes."""

    scopes: tuple[Scope, ...] = ()
    """Required. At least one."""
    options: RecallOptions | None = None
    """Optional. How to search and score."""
    query: str | None = None
    """Optional. Default: the assembly's query."""

    @staticmethod
    def _new() -> context_service_pb2.AssemblyRecall:
        return context_service_pb2.AssemblyRecall()

    @classmethod
    def from_proto(cls, message: context_service_pb2.AssemblyRecall) -> AssemblyRecall:
        return cls(
            scopes=tuple([Scope.from_proto(value) for value in message.scopes]),
            options=RecallOptions.from_proto(message.options) if message.HasField("options") else None,
            query=message.query if message.HasField("query") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class AssembledContext(Record[context_service_pb2.AssembleContextResponse]):
    """The context for one model call."""

    text: str = ""
    """Everything, ready to send."""
    messages: tuple[ChatMessage, ...] = ()
    """The same items as chat messages."""
    sections: tuple[AssembledSection, ...] = ()
    receipt: Receipt
    """Deterministic."""
    usage: TokenUsage
    warnings: tuple[AssemblyWarning, ...] = ()
    cache: CachePlan
    timings: Mapping[str, float] = field(default_factory=dict, hash=False)
    """Milliseconds for each step."""
    receipt_id: str | None = None
    """What the receipt can be read by later, with GetReceipt. Absent where none are kept, and for a context whose use
    is not recorded.
    """

    @staticmethod
    def _new() -> context_service_pb2.AssembleContextResponse:
        return context_service_pb2.AssembleContextResponse()

    @classmethod
    def from_proto(cls, message: context_service_pb2.AssembleContextResponse) -> AssembledContext:
        return cls(
            text=message.text,
            messages=tuple([ChatMessage.from_proto(value) for value in message.messages]),
            sections=tuple([AssembledSection.from_proto(value) for value in message.sections]),
            receipt=Receipt.from_proto(message.receipt),
            usage=TokenUsage.from_proto(message.usage),
            warnings=tuple([AssemblyWarning.from_proto(value) for value in message.warnings]),
            cache=CachePlan.from_proto(message.cache),
            timings=dict(message.timings),
            receipt_id=message.receipt_id if message.HasField("receipt_id") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ReceiptPage(Record[context_service_pb2.ListReceiptsResponse]):
    """A page of receipts."""

    receipts: tuple[KeptReceiptSummary, ...] = ()
    """Newest first."""
    next_page_token: str = ""
    """Empty on the last page."""
    keep_milliseconds: int = 0
    """How long receipts are kept here. 0: none are."""

    @staticmethod
    def _new() -> context_service_pb2.ListReceiptsResponse:
        return context_service_pb2.ListReceiptsResponse()

    @classmethod
    def from_proto(cls, message: context_service_pb2.ListReceiptsResponse) -> ReceiptPage:
        return cls(
            receipts=tuple([KeptReceiptSummary.from_proto(value) for value in message.receipts]),
            next_page_token=message.next_page_token,
            keep_milliseconds=message.keep_milliseconds,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class TokenCount(Record[context_service_pb2.CountTokensResponse]):
    """How many tokens it has."""

    tokens: int = 0
    tokenizer: str = ""
    """The counter's id."""
    estimated: bool = False
    """The model's own tokenizer is not public, or nothing is known of a model of this name."""

    @staticmethod
    def _new() -> context_service_pb2.CountTokensResponse:
        return context_service_pb2.CountTokensResponse()

    @classmethod
    def from_proto(cls, message: context_service_pb2.CountTokensResponse) -> TokenCount:
        return cls(
            tokens=message.tokens,
            tokenizer=message.tokenizer,
            estimated=message.estimated,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class BudgetCheck(Record[context_service_pb2.CheckBudgetResponse]):
    """Whether it fits."""

    allowed: bool = False
    remaining_input_tokens: int = 0
    utilization: float = 0.0
    """Required tokens through the maximum, three decimals."""
    action: str = "unspecified"
    """When it is not allowed."""
    code: str | None = None
    """"EXCEEDED" or "SAFETY_MARGIN", when it is not allowed."""
    message: str | None = None
    """When it is not allowed."""

    @staticmethod
    def _new() -> context_service_pb2.CheckBudgetResponse:
        return context_service_pb2.CheckBudgetResponse()

    @classmethod
    def from_proto(cls, message: context_service_pb2.CheckBudgetResponse) -> BudgetCheck:
        return cls(
            allowed=message.allowed,
            remaining_input_tokens=message.remaining_input_tokens,
            utilization=message.utilization,
            action=BUDGET_ACTION_NAMES.get(message.action) or str(int(message.action)),
            code=message.code if message.HasField("code") else None,
            message=message.message if message.HasField("message") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class EnforcedBudget(Record[context_service_pb2.EnforceBudgetResponse]):
    """Messages that fit."""

    messages: tuple[ChatMessage, ...] = ()
    """In their order."""
    tokens: int = 0
    """Of all messages together, with their framing and the tools."""
    dropped: tuple[int, ...] = ()
    """Which messages of the request are gone, by position from 0."""
    remaining_input_tokens: int = 0
    """With the messages as they are here."""
    utilization: float = 0.0
    """Required tokens through the maximum, three decimals."""
    summarized: bool = False
    """One of the messages is a summary of those that are gone."""

    @staticmethod
    def _new() -> context_service_pb2.EnforceBudgetResponse:
        return context_service_pb2.EnforceBudgetResponse()

    @classmethod
    def from_proto(cls, message: context_service_pb2.EnforceBudgetResponse) -> EnforcedBudget:
        return cls(
            messages=tuple([ChatMessage.from_proto(value) for value in message.messages]),
            tokens=message.tokens,
            dropped=tuple(message.dropped),
            remaining_input_tokens=message.remaining_input_tokens,
            utilization=message.utilization,
            summarized=message.summarized,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class TrimmedMessages(Record[context_service_pb2.TrimMessagesResponse]):
    """Messages that fit."""

    messages: tuple[ChatMessage, ...] = ()
    """In their order."""
    tokens: int = 0
    """Of all messages together, with their framing and the tools."""
    dropped: tuple[int, ...] = ()
    """Which messages of the request are gone, by position from 0."""

    @staticmethod
    def _new() -> context_service_pb2.TrimMessagesResponse:
        return context_service_pb2.TrimMessagesResponse()

    @classmethod
    def from_proto(cls, message: context_service_pb2.TrimMessagesResponse) -> TrimmedMessages:
        return cls(
            messages=tuple([ChatMessage.from_proto(value) for value in message.messages]),
            tokens=message.tokens,
            dropped=tuple(message.dropped),
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ToolDefinition(Record[context_service_pb2.ToolDefinition]):
    """A function that a model is told it may call."""

    name: str = ""
    """Required."""
    description: str | None = None
    """Optional."""
    parameters: str | None = None
    """Optional. A JSON schema, as the text of a JSON object."""

    @staticmethod
    def _new() -> context_service_pb2.ToolDefinition:
        return context_service_pb2.ToolDefinition()

    @classmethod
    def from_proto(cls, message: context_service_pb2.ToolDefinition) -> ToolDefinition:
        return cls(
            name=message.name,
            description=message.description if message.HasField("description") else None,
            parameters=message.parameters if message.HasField("parameters") else None,
        )._from(message)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ModelUsageTotals(Record[context_service_pb2.ModelUsageTotals]):
    """What model calls used, added up."""

    calls: int = 0
    input_tokens: int = 0
    cached_input_tokens: int = 0
    """The part of the input that came from the provider's cache."""
    output_tokens: int = 0
    cost: float = 0.0
    """US dollars, four decimals. Without the calls of models whose prices are not known."""
    unpriced_calls: int = 0
    """The calls that cost does not include."""
    approximate: bool = False
    """One of the prices is not confirmed."""
    input_cost: float = 0.0
    """The input's part of the cost, rounded like it."""
    output_cost: float = 0.0
    """The output's part of the cost, rounded like it."""

    @staticmethod
    def _new() -> context_service_pb2.ModelUsageTotals:
        return context_service_pb2.ModelUsageTotals()

    @classmethod
    def from_proto(cls, message: context_service_pb2.ModelUsageTotals) -> ModelUsageTotals:
        return cls(
            calls=message.calls,
            input_tokens=message.input_tokens,
            cached_input_tokens=message.cached_input_tokens,
            output_tokens=message.output_tokens,
            cost=message.cost,
            unpriced_calls=message.unpriced_calls,
            approximate=message.approximate,
            input_cost=message.input_cost,
            output_cost=message.output_cost,
        )._from(message)
