"""What was asked for last."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Kept = TypeVar("Kept")


class Recent(Generic[Kept]):
    """Keeps values by key, and forgets what was asked for least recently. For any number of threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._guard = threading.Lock()
        self._values: OrderedDict[Hashable, Kept] = OrderedDict()

    def find(self, key: Hashable) -> Kept | None:
        with self._guard:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def keep(self, key: Hashable, value: Kept) -> bool:
        """Gives whether there was none. One that was there is replaced."""
        with self._guard:
            is_new = key not in self._values
            self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > self._most:
                self._values.popitem(last=False)
            return is_new

    def forget(self, key: Hashable) -> None:
        with self._guard:
            self._values.pop(key, None)
