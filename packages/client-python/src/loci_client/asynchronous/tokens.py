"""Counting tokens."""

from __future__ import annotations

from loci_client import v1
from loci_client.asynchronous.calls import AsyncCalls
from loci_client.fill import fill
from loci_client.method import Method
from loci_client.types import TokenCount

_COUNT: Method[v1.CountTokensResponse] = Method("ContextService", "CountTokens")


class AsyncTokens:
    """Counts tokens."""

    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    async def count(self, text: str, *, model: str | None = None, timeout: float | None = None) -> TokenCount:
        """How many tokens a text has.

        Args:
            model: Default: the tokenizer `o200k_base`.
        """
        request = fill(v1.CountTokensRequest(), {"text": text, "model": model})
        return TokenCount.from_proto(await self._calls.unary(_COUNT, request, timeout))
