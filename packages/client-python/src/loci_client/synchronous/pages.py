# Generated from ../asynchronous/pages.py by `npm run generate`.
"""Lists that come page by page."""

from __future__ import annotations

from collections.abc import Generator, Callable, Sequence
from typing import Any, Generic, TypeVar

from loci_client.synchronous.calls import Calls
from loci_client.method import Method

Page = TypeVar("Page")
Item = TypeVar("Item")


class Pages(Generic[Page, Item]):
    """A list. Iterating gives what is in it, and asks for the next page when it is needed; `pages` gives the pages."""

    def __init__(
        self,
        calls: Calls,
        method: Method[Any],
        request: Any,
        read: Callable[[Any], Page],
        items: Callable[[Page], Sequence[Item]],
        timeout: float | None,
    ) -> None:
        self._calls = calls
        self._method = method
        self._request = request
        self._read = read
        self._items = items
        self._timeout = timeout

    def pages(self) -> Generator[Page, None]:
        """Each page, with `next_page_token`: where a list can go on, also in another process."""
        request = type(self._request)()
        request.CopyFrom(self._request)
        while True:
            response = self._calls.unary(self._method, request, self._timeout)
            yield self._read(response)
            if response.next_page_token == "":
                return
            request.page_token = response.next_page_token

    def __iter__(self) -> Generator[Item, None]:
        for page in self.pages():
            for item in self._items(page):
                yield item
