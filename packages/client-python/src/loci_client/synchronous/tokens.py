# Generated from ../asynchronous/tokens.py by `npm run generate`.
"""Counting tokens."""

from __future__ import annotations

from loci_client import v1
from loci_client.synchronous.calls import Calls
from loci_client.fill import fill
from loci_client.method import Method
from loci_client.types import TokenCount

_COUNT: Method[v1.CountTokensResponse] = Method("ContextService", "CountTokens")


class Tokens:
    """Counts tokens."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def count(self, text: str, *, model: str | None = None, timeout: float | None = None) -> TokenCount:
        """How many tokens a text has.

        Args:
            model: Default: the tokenizer `o200k_base`.
        """
        request = fill(v1.CountTokensRequest(), {"text": text, "model": model})
        return TokenCount.from_proto(self._calls.unary(_COUNT, request, timeout))
