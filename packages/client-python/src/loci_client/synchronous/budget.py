# Generated from ../asynchronous/budget.py by `npm run generate`.
"""The guard of model calls: whether they fit, and what they used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from loci_client import v1
from loci_client.synchronous.calls import Calls, write_key
from loci_client.fill import fill, listed
from loci_client.method import Method
from loci_client.types import (
    BudgetAction,
    BudgetCheck,
    ChatMessage,
    EnforcedBudget,
    ModelUsageTotals,
    ToolDefinition,
    TrimmedMessages,
)

_SERVICE = "ContextService"
_CHECK: Method[v1.CheckBudgetResponse] = Method(_SERVICE, "CheckBudget")
_ENFORCE: Method[v1.EnforceBudgetResponse] = Method(_SERVICE, "EnforceBudget")
_TRIM: Method[v1.TrimMessagesResponse] = Method(_SERVICE, "TrimMessages")
_RECORD: Method[v1.RecordModelUsageResponse] = Method(_SERVICE, "RecordModelUsage")
_TOTALS: Method[v1.GetModelUsageTotalsResponse] = Method(_SERVICE, "GetModelUsageTotals")


class Budget:
    """Guards the budgets of model calls. All amounts are tokens."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def check(
        self,
        *,
        system_tokens: int,
        conversation_tokens: int,
        max_input_tokens: int | None = None,
        safety_margin_ratio: float | None = None,
        estimated_output_tokens: int | None = None,
        on_exceed: BudgetAction | None = None,
        timeout: float | None = None,
    ) -> BudgetCheck:
        """Says whether a model call fits its budget.

        Args:
            max_input_tokens: Default 8,192.
            safety_margin_ratio: Share of the maximum to keep free, 0 to 1. Default 0.1.
            estimated_output_tokens: Default 4,096.
            on_exceed: What to advise when it does not fit: `stop`, `summarize` or `trim` (default).
        """
        fields = {
            "system_tokens": system_tokens,
            "conversation_tokens": conversation_tokens,
            "max_input_tokens": max_input_tokens,
            "safety_margin_ratio": safety_margin_ratio,
            "estimated_output_tokens": estimated_output_tokens,
            "on_exceed": on_exceed,
        }
        request = fill(v1.CheckBudgetRequest(), fields)
        return BudgetCheck.from_proto(self._calls.unary(_CHECK, request, timeout))

    def enforce(
        self,
        messages: Iterable[ChatMessage | Mapping[str, object]],
        *,
        model: str | None = None,
        tools: Iterable[ToolDefinition | Mapping[str, object]] | None = None,
        session: str | None = None,
        max_input_tokens: int | None = None,
        safety_margin_ratio: float | None = None,
        estimated_output_tokens: int | None = None,
        on_exceed: BudgetAction | None = None,
        timeout: float | None = None,
    ) -> EnforcedBudget:
        """Makes messages fit the budget of a model call.

        Args:
            messages: Oldest first: `{"role": "user", "content": "…"}`.
            model: Chooses tokenizer, framing and prices.
            session: Whose caps apply besides the tenant's.
            on_exceed: How far to go: `stop`, `summarize` or `trim` (default).

        Raises:
            FailedPreconditionError: `BUDGET_EXCEEDED`; `USAGE_CAP_REACHED`, the call could go over a cap.
        """
        fields = {
            "messages": listed(messages, "messages"),
            "model": model,
            "tools": tools,
            "session": session,
            "max_input_tokens": max_input_tokens,
            "safety_margin_ratio": safety_margin_ratio,
            "estimated_output_tokens": estimated_output_tokens,
            "on_exceed": on_exceed,
        }
        request = fill(v1.EnforceBudgetRequest(), fields)
        return EnforcedBudget.from_proto(self._calls.unary(_ENFORCE, request, timeout))

    def trim(
        self,
        messages: Iterable[ChatMessage | Mapping[str, object]],
        *,
        max_tokens: int,
        model: str | None = None,
        tools: Iterable[ToolDefinition | Mapping[str, object]] | None = None,
        timeout: float | None = None,
    ) -> TrimmedMessages:
        """Drops the oldest messages until the rest fits.

        The system prompt, the user's latest message and the last three stay.
        """
        fields = {"messages": listed(messages, "messages"), "max_tokens": max_tokens, "model": model, "tools": tools}
        request = fill(v1.TrimMessagesRequest(), fields)
        return TrimmedMessages.from_proto(self._calls.unary(_TRIM, request, timeout))

    def record(
        self,
        *,
        model: str,
        input_tokens: int,
        output_tokens: int,
        cached_input_tokens: int | None = None,
        session: str | None = None,
        timeout: float | None = None,
        request_id: str | None = None,
    ) -> ModelUsageTotals:
        """Adds what a model call used to its session and tenant, and gives the totals of the session or else tenant.

        Args:
            input_tokens: All of the input, what came from the provider's cache included.
        """
        fields = {
            "model": model,
            "session": session,
            "input_tokens": input_tokens,
            "cached_input_tokens": cached_input_tokens,
            "output_tokens": output_tokens,
        }
        request = fill(v1.RecordModelUsageRequest(request_id=write_key(request_id)), fields)
        response = self._calls.unary(_RECORD, request, timeout)
        return ModelUsageTotals.from_proto(response.totals)

    def totals(self, *, session: str | None = None, timeout: float | None = None) -> ModelUsageTotals:
        """What the model calls of a session, or of the whole tenant, used."""
        request = fill(v1.GetModelUsageTotalsRequest(), {"session": session})
        response = self._calls.unary(_TOTALS, request, timeout)
        return ModelUsageTotals.from_proto(response.totals)
