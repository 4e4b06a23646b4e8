"""Items of LangGraph graphs, kept as memories."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any, Literal, Union

from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

from loci_client.asynchronous.client import AsyncLoci
from loci_client.asynchronous.item_store import AsyncItemStore, StoreScope
from loci_client.errors import make_error
from loci_client.items.item_filter import check_filter
from loci_client.items.kept_item import KeptItem, check_item_key, memory_of_item
from loci_client.items.labels import check_labels
from loci_client.synchronous.client import Loci
from loci_client.synchronous.item_store import ItemStore

Index = Union[Literal[False], Sequence[str]]


class LociStore(BaseStore):
    """A LangGraph store whose items are memories: found by their place, by their fields and by a question.

    With `Loci` it is used in both ways: asynchronously, in threads. With `AsyncLoci` asynchronously only.
    """

    supports_ttl = True

    def __init__(
        self, loci: Loci | AsyncLoci, scope: StoreScope, *, index: Index = ("$",), ttl: float | None = None
    ) -> None:
        """Makes a store.

        Args:
            scope: Whose memories the items are: one scope, best one of the store's own, or what your application makes of a
                namespace. A search and a list of namespaces ask it for the prefix that they are given.
            index: Paths whose text an item is searched by, where `put` says nothing else. `$`: all of it. `False`: none is.
            ttl: After how many minutes an item expires that is not put again. Reading does not renew it. Default: never.
        """
        self._asynchronous = AsyncItemStore(loci, scope) if isinstance(loci, AsyncLoci) else None
        self._synchronous = None if isinstance(loci, AsyncLoci) else ItemStore(loci, scope)
        self._index = index
        if ttl is not None:
            self.ttl_config = {"default_ttl": ttl, "refresh_on_read": False}

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Reads first, all as it was before; then writes, of several to one place the last.

        Each write is whole, and all are in the order of the batch; of one that fails the later ones are not made.

        Raises:
            InvalidArgumentError: `SCOPE_REQUIRED`, `INVALID_IDENTIFIER`, `METADATA_TOO_LARGE`.
            UnsupportedError: `UNSUPPORTED_OPERATION`, a filter has an operator that is none.
        """
        store = self._synchronous
        if store is None:
            raise TypeError("The store was used blocking, but has an AsyncLoci: use Loci, or abatch.")
        asked = list(ops)
        self._check(asked)
        results: list[Result] = []
        for op in asked:
            if isinstance(op, GetOp):
                results.append(_item(store.get(tuple(op.namespace), op.key)))
            elif isinstance(op, SearchOp):
                results.append(_page(store.search(tuple(op.namespace_prefix), op.query, op.filter), op))
            elif isinstance(op, ListNamespacesOp):
                results.append(_namespaces(store.items(_prefix_of(op)), op))
            else:
                results.append(None)
        for put in _last_puts(asked):
            if put.value is None:
                store.delete(tuple(put.namespace), put.key)
            else:
                store.put(tuple(put.namespace), put.key, put.value, self._paths(put), put.ttl)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """As `batch`."""
        store = self._asynchronous
        if store is None:
            return await asyncio.to_thread(self.batch, list(ops))
        asked = list(ops)
        self._check(asked)
        results: list[Result] = []
        for op in asked:
            if isinstance(op, GetOp):
                results.append(_item(await store.get(tuple(op.namespace), op.key)))
            elif isinstance(op, SearchOp):
                results.append(_page(await store.search(tuple(op.namespace_prefix), op.query, op.filter), op))
            elif isinstance(op, ListNamespacesOp):
                results.append(_namespaces(await store.items(_prefix_of(op)), op))
            else:
                results.append(None)
        for put in _last_puts(asked):
            if put.value is None:
                await store.delete(tuple(put.namespace), put.key)
            else:
                await store.put(tuple(put.namespace), put.key, put.value, self._paths(put), put.ttl)
        return results

    def _paths(self, put: PutOp) -> Sequence[str] | None:
        index = self._index if put.index is None else put.index
        return None if index is False else index

    def _check(self, asked: Sequence[Op]) -> None:
        """Everything of a batch is looked at before anything of it is done."""
        for op in asked:
            if isinstance(op, SearchOp):
                check_labels(op.namespace_prefix)
                check_filter(op.filter or {})
            elif isinstance(op, (GetOp, PutOp)):
                if not op.namespace:
                    raise InvalidNamespaceError("Namespace cannot be empty.")
                check_labels(op.namespace)
                check_item_key(op.key)
                if isinstance(op, PutOp) and op.value is not None:
                    memory_of_item(op.namespace, op.key, op.value, self._paths(op), None)
            elif not isinstance(op, ListNamespacesOp):
                raise make_error("UNSUPPORTED", "UNSUPPORTED_OPERATION", f"{type(op).__name__} is no operation of a store.")


def _last_puts(asked: Sequence[Op]) -> list[PutOp]:
    puts: dict[tuple[tuple[str, ...], str], PutOp] = {}
    for op in asked:
        if isinstance(op, PutOp):
            puts[tuple(op.namespace), op.key] = op
    return list(puts.values())


def _fields(item: KeptItem) -> dict[str, Any]:
    fields = ("namespace", "key", "value", "created_at", "updated_at")
    return {field: getattr(item, field) for field in fields}


def _item(item: KeptItem | None) -> Item | None:
    return None if item is None else Item(**_fields(item))


def _page(found: list[KeptItem], op: SearchOp) -> list[SearchItem]:
    page = found[op.offset : op.offset + op.limit]
    return [SearchItem(**_fields(item), score=item.score) for item in page]


def _prefix_of(op: ListNamespacesOp) -> tuple[str, ...]:
    for condition in op.match_conditions or ():
        if condition.match_type == "prefix":
            labels = list(condition.path)
            return tuple(labels[: labels.index("*")] if "*" in labels else labels)
    return ()


def _namespaces(items: list[KeptItem], op: ListNamespacesOp) -> list[tuple[str, ...]]:
    conditions = op.match_conditions or ()
    matching = {item.namespace for item in items if all(_matches(item.namespace, each) for each in conditions)}
    shown = sorted({namespace[: op.max_depth] for namespace in matching})
    return shown[op.offset : op.offset + op.limit]


def _matches(namespace: tuple[str, ...], condition: MatchCondition) -> bool:
    path = tuple(condition.path)
    if condition.match_type not in ("prefix", "suffix"):
        message = "A condition on namespaces is neither a prefix nor a suffix."
        raise make_error("UNSUPPORTED", "UNSUPPORTED_OPERATION", message, field="match_conditions")
    if len(path) > len(namespace):
        return False
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return all(wanted in ("*", label) for label, wanted in zip(part, path))
