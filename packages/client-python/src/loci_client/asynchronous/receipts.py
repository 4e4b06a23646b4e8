"""What contexts were made of that were assembled lately: ids, versions and numbers, and no text."""

from __future__ import annotations

from loci_client import v1
from loci_client.asynchronous.calls import AsyncCalls
from loci_client.asynchronous.pages import AsyncPages
from loci_client.fill import fill
from loci_client.method import Method
from loci_client.types import KeptReceipt, KeptReceiptSummary, ReceiptPage

_SERVICE = "ContextService"
_LIST: Method[v1.ListReceiptsResponse] = Method(_SERVICE, "ListReceipts")
_GET: Method[v1.GetReceiptResponse] = Method(_SERVICE, "GetReceipt")


class AsyncReceipts:
    """Receipts of contexts, kept for as long as the server says."""

    def __init__(self, calls: AsyncCalls) -> None:
        self._calls = calls

    def list(
        self,
        *,
        page_size: int | None = None,
        page_token: str | None = None,
        timeout: float | None = None,
    ) -> AsyncPages[ReceiptPage, KeptReceiptSummary]:
        """Lists the receipts that the credential may read, newest first. Pages say how long they are kept.

        Args:
            page_size: 1 to 1,000. Default 50.
            page_token: `next_page_token` of a page, to go on behind it.
            timeout: Of each page.
        """
        request = fill(v1.ListReceiptsRequest(), {"page_size": page_size, "page_token": page_token})
        return AsyncPages(self._calls, _LIST, request, ReceiptPage.from_proto, lambda page: page.receipts, timeout)

    async def get(self, id: str, *, timeout: float | None = None) -> KeptReceipt:
        """What a context was made of, by the `receipt_id` of its answer.

        Raises:
            NotFoundError: It is not kept, or the credential may not read it.
        """
        response = await self._calls.unary(_GET, fill(v1.GetReceiptRequest(), {"id": id}), timeout)
        return KeptReceipt.from_proto(response.receipt)
