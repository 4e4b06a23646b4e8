# Generated from ../asynchronous/item_store.py by `npm run generate`.
"""Items of a store of an agents' framework, as memories with a key."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any, Union

from loci_client.synchronous.client import Loci
from loci_client.errors import InvalidArgumentError, NotFoundError, invalid
from loci_client.items.item_filter import matches_filter
from loci_client.items.kept_item import ITEM_CATEGORY, KeptItem, item_of, memory_key, memory_of_item
from loci_client.items.labels import begins_with
from loci_client.scope import Scope, names_nobody
from loci_client.types import Memory

StoreScope = Union[str, Scope, Callable[[tuple[str, ...]], Union[str, Scope, None]]]

# What an item without an answer to a question is asked for at most.
_MOST_FOUND = 1_000
# Enough that no text is left out or cut.
_EVERY_TOKEN = 10_000_000


class ItemStore:
    """Keeps values under a namespace and a key."""

    def __init__(self, loci: Loci, scope: StoreScope) -> None:
        self._loci = loci
        self._scope = scope

    def get(self, namespace: tuple[str, ...], key: str) -> KeptItem | None:
        """The item of a place, if there is one."""
        memory = self._memory(namespace, key)
        return None if memory is None else item_of(memory, _now())

    def put(
        self,
        namespace: tuple[str, ...],
        key: str,
        value: Mapping[str, Any],
        index: Sequence[str] | None,
        minutes: float | None,
    ) -> None:
        """Makes the item, or puts another value in its place. Of several at once one makes it."""
        expires = None if minutes is None else _now() + timedelta(minutes=minutes)
        fields = memory_of_item(namespace, key, value, index, expires)
        scope = self.scope_of(namespace)
        self._loci.memories.update(scope=scope, key=memory_key(namespace, key), allow_missing=True, **fields)

    def delete(self, namespace: tuple[str, ...], key: str) -> None:
        """Deletes the item of a place, if there is one."""
        memory = self._memory(namespace, key)
        if memory is not None:
            try:
                self._loci.memories.forget(memory.id)
            except NotFoundError:
                pass

    def items(self, prefix: tuple[str, ...]) -> list[KeptItem]:
        """Every item of a scope, the oldest first."""
        scope = self.scope_of(prefix)
        memories: list[Memory] = []
        for memory in self._loci.memories.list([scope], categories=[ITEM_CATEGORY], page_size=1_000):
            memories.append(memory)
        # Ids are in the order in which they were made.
        memories.sort(key=lambda memory: (memory.create_time, memory.id))
        now = _now()
        return [item for item in [item_of(memory, now) for memory in memories] if item is not None]

    def search(
        self, prefix: tuple[str, ...], query: str | None, wanted: Mapping[str, Any] | None
    ) -> list[KeptItem]:
        """The items under a prefix that have what is wanted: the oldest first, or those that answer best."""
        found = self._answers(prefix, query) if query else self.items(prefix)
        size = len(prefix)
        return [each for each in found if each.namespace[:size] == prefix and matches_filter(each.value, wanted or {})]

    def _answers(self, prefix: tuple[str, ...], query: str) -> list[KeptItem]:
        asked: dict[str, Any] = {
            "scopes": [self.scope_of(prefix)],
            "categories": [ITEM_CATEGORY],
            "limit": _MOST_FOUND,
            "max_tokens": _EVERY_TOKEN,
            "max_tokens_per_memory": _EVERY_TOKEN,
            "relevance_floor": 0.0,
            "explain": True,
        }
        try:
            result = self._loci.recall(query, where=begins_with(prefix), **asked)
        except InvalidArgumentError as error:
            # Not declared: the labels are compared here.
            if error.reason != "INVALID_FILTER":
                raise
            result = self._loci.recall(query, **asked)
        now = _now()
        # Items that say the same are items of their own.
        repeated: dict[str | None, list[KeptItem]] = {}
        for each in result.dropped:
            if each.reason not in ("NEAR_DUPLICATE", "SOURCE_SHARE") or each.parts is None:
                continue
            try:
                item = item_of(self._loci.memories.get(each.id), now, each.parts.relevance)
            except NotFoundError:
                continue
            if item is not None:
                repeated.setdefault(each.in_favour_of, []).append(item)
        found: list[KeptItem] = []
        for hit in result.hits:
            item = item_of(hit.memory, now, hit.parts.relevance)
            if item is not None:
                found.append(item)
            found.extend(repeated.get(hit.memory.id, ()))
        return found

    def _memory(self, namespace: tuple[str, ...], key: str) -> Memory | None:
        try:
            return self._loci.memories.get(scope=self.scope_of(namespace), key=memory_key(namespace, key))
        except NotFoundError:
            return None

    def scope_of(self, namespace: tuple[str, ...]) -> Scope:
        """Whose memories the items of a namespace are.

        Raises:
            InvalidArgumentError: `SCOPE_REQUIRED`, nobody said.
        """
        named = self._scope(namespace) if callable(self._scope) else self._scope
        if not named or names_nobody(named):
            message = "Nobody said whose memories the items of this namespace are."
            advice = "Pass a scope, or a function that returns one for each namespace and for each prefix that is searched."
            raise invalid("SCOPE_REQUIRED", message, field="scope", advice=advice)
        return Scope.parse(named, "scope") if isinstance(named, str) else named


def _now() -> datetime:
    return datetime.now(timezone.utc)
