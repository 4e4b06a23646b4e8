"""Which items a search is for, by the fields of their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from loci_client.errors import make_error

_OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda found, wanted: _same(found, wanted),
    "$ne": lambda found, wanted: not _same(found, wanted),
    "$gt": lambda found, wanted: _number(found) > _number(wanted),
    "$gte": lambda found, wanted: _number(found) >= _number(wanted),
    "$lt": lambda found, wanted: _number(found) < _number(wanted),
    "$lte": lambda found, wanted: _number(found) <= _number(wanted),
}


def check_filter(wanted: Mapping[str, Any]) -> None:
    """Raises `UNSUPPORTED_OPERATION` for an operator that is none, so that it is no empty answer."""
    for each in wanted.values():
        if not isinstance(each, Mapping):
            continue
        for name in each:
            if name.startswith("$") and name not in _OPERATORS:
                message = f"The filter has the operator {name[:40]!r}, which is none."
                advice = f"Use {', '.join(_OPERATORS)}, or the value itself."
                raise make_error("UNSUPPORTED", "UNSUPPORTED_OPERATION", message, advice, "filter")
        check_filter(each)


def matches_filter(value: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether a value has all that the filter names."""
    return all(_matches(value.get(name), each) for name, each in wanted.items())


def _matches(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, Mapping):
        if any(name.startswith("$") for name in wanted):
            return all(name in _OPERATORS and _OPERATORS[name](found, each) for name, each in wanted.items())
        return isinstance(found, Mapping) and matches_filter(found, wanted)
    if isinstance(wanted, (list, tuple)):
        same_length = isinstance(found, (list, tuple)) and len(found) == len(wanted)
        return same_length and all(_matches(one, each) for one, each in zip(found, wanted))
    return _same(found, wanted)


def _same(found: Any, wanted: Any) -> bool:
    return bool(found == wanted)


def _number(value: Any) -> float:
    """What is no number is neither more nor less than another one."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return float("nan")
