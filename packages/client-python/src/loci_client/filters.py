"""Conditions on memories, written as Python comparisons."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Union

from loci_client.values import Value, milliseconds, write_value

if TYPE_CHECKING:
    from loci_client.v1 import filter_pb2

FilterValue = Union[Value, datetime]
"""What a field can be compared with. A time is compared with `F.create_time`."""

_OPERATORS = {
    "equals": 1,
    "not_equals": 2,
    "in": 3,
    "not_in": 4,
    "less_than": 5,
    "at_most": 6,
    "greater_than": 7,
    "at_least": 8,
    "contains": 9,
}


class Filter:
    """Which memories may be candidates. Made with `F`, put together with `&`, `|` and `~`."""

    __slots__ = ("proto",)

    proto: filter_pb2.Filter
    """The message."""

    def __init__(self, message: filter_pb2.Filter) -> None:
        self.proto = message

    def __and__(self, other: Filter) -> Filter:
        return _joined("all", (self, other))

    def __or__(self, other: Filter) -> Filter:
        return _joined("any", (self, other))

    def __invert__(self) -> Filter:
        message = _new()
        getattr(message, "not").CopyFrom(self.proto)
        return Filter(message)

    def __bool__(self) -> bool:
        raise TypeError("A filter is neither true nor false. Join filters with &, | and ~, not with and, or, not.")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Filter) and self.proto == other.proto

    def __hash__(self) -> int:
        return hash(self.proto.SerializeToString())

    def __repr__(self) -> str:
        return f"<Filter of {len(self.proto.SerializeToString())} bytes>"


class FilterField:
    """One field of memories. A comparison with it is a `Filter`; memories without the field never match."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __eq__(self, value: FilterValue) -> Filter:  # type: ignore[override]
        return self._compared("equals", (value,))

    def __ne__(self, value: FilterValue) -> Filter:  # type: ignore[override]
        return self._compared("not_equals", (value,))

    def __lt__(self, value: FilterValue) -> Filter:
        return self._compared("less_than", (value,))

    def __le__(self, value: FilterValue) -> Filter:
        return self._compared("at_most", (value,))

    def __gt__(self, value: FilterValue) -> Filter:
        return self._compared("greater_than", (value,))

    def __ge__(self, value: FilterValue) -> Filter:
        return self._compared("at_least", (value,))

    __hash__ = None  # type: ignore[assignment]

    def is_in(self, values: Iterable[FilterValue]) -> Filter:
        """It is one of the values."""
        return self._compared("in", values)

    def is_not_in(self, values: Iterable[FilterValue]) -> Filter:
        """It is none of the values."""
        return self._compared("not_in", values)

    def contains(self, value: FilterValue) -> Filter:
        """A field with many values, such as `F.tags`, has this one."""
        return self._compared("contains", (value,))

    def _compared(self, operator: str, values: Iterable[FilterValue]) -> Filter:
        if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
            # A text is no list of letters, none of which any memory has.
            raise TypeError(f"{self._name} must be compared with a list of values, but was with {type(values).__name__}.")
        message = _new()
        message.comparison.field = self._name
        message.comparison.operator = _OPERATORS[operator]  # type: ignore[assignment]
        for value in values:
            plain = milliseconds(value, self._name) if isinstance(value, datetime) else value
            write_value(message.comparison.values.add(), plain, self._name)
        return Filter(message)


class _Metadata:
    __slots__ = ()

    def __getattr__(self, name: str) -> FilterField:
        return FilterField(f"metadata.{name}")

    def __getitem__(self, name: str) -> FilterField:
        return FilterField(f"metadata.{name}")


class _Fields:
    """The fields that every index knows: `F.category == "decision"`, `F.metadata.team == "billing"`."""

    __slots__ = ()

    category = FilterField("category")
    origin = FilterField("origin")
    trust = FilterField("trust")
    slot = FilterField("slot")
    is_static = FilterField("isStatic")
    importance = FilterField("importance")
    confidence = FilterField("confidence")
    create_time = FilterField("createdAt")
    """A `datetime`, or milliseconds since 1970."""
    tags = FilterField("tags")
    metadata = _Metadata()

    def __getitem__(self, name: str) -> FilterField:
        """A field by the name that it has in the contract."""
        return FilterField(name)

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            known = ", ".join(name for name in vars(_Fields) if not name.startswith("_"))
            own = f"a field of your own is F.metadata.{name}"
            raise AttributeError(f"Memories have no {name} to filter by. There are: {known}; {own}.")


F = _Fields()
"""Where filters begin: `F.category == "decision"`, `F.tags.contains("billing") & ~(F.importance < 0.5)`."""


def _joined(kind: str, filters: Iterable[Filter]) -> Filter:
    message = _new()
    target = getattr(message, kind).filters
    for each in filters:
        # What is joined in the same way already is one list.
        inner = getattr(each.proto, kind).filters if each.proto.WhichOneof("kind") == kind else [each.proto]
        target.extend(inner)
    return Filter(message)


def _new() -> filter_pb2.Filter:
    from loci_client.v1 import filter_pb2

    return filter_pb2.Filter()


__all__ = ["F", "Filter", "FilterField"]
