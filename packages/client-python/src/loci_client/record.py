"""What all dataclasses of the contract share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

if TYPE_CHECKING:
    from google.protobuf.message import Message as _Message

    Message = TypeVar("Message", bound=_Message)
else:
    Message = TypeVar("Message")

Own = TypeVar("Own", bound="Record[Any]")

_SHOWN_CHARACTERS = 80
_SHOWN_ITEMS = 3
_NOT_SHOWN: tuple[object, ...] = (None, (), {}, "", "unspecified")


class Record(Generic[Message]):
    """A message of the contract as Python values. Frozen; equal when all values are; can be pickled and copied."""

    __slots__ = ("_proto",)

    @staticmethod
    def _new() -> Message:
        """An empty message of the contract."""
        raise NotImplementedError

    @property
    def proto(self) -> Message:
        """The message: the one that was read, also with what this version has no field for."""
        try:
            return cast("Message", object.__getattribute__(self, "_proto"))
        except AttributeError:
            from loci_client.fill import fill

            message = fill(self._new(), fields_of(self))
            object.__setattr__(self, "_proto", message)
            return message

    def _from(self: Own, message: object) -> Own:
        object.__setattr__(self, "_proto", message)
        return self

    def __repr__(self) -> str:
        values = fields_of(self).items()
        shown = [f"{name}={_shown(value)}" for name, value in values if value not in _NOT_SHOWN]
        return f"{type(self).__name__}({', '.join(shown)})"

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (type(self), self.proto.SerializeToString())


def fields_of(record: Record[Any]) -> Mapping[str, object]:
    """The values of a record by the names of its fields."""
    return {field.name: getattr(record, field.name) for field in fields(record)}  # type: ignore[arg-type]


def _restore(kind: type[Own], content: bytes) -> Own:
    message = kind._new()
    message.MergeFromString(content)
    return cast("Own", kind.from_proto(message))  # type: ignore[attr-defined]


def _shown(value: object) -> str:
    """A log is no place for whole memories."""
    if isinstance(value, str):
        return repr(value if len(value) <= _SHOWN_CHARACTERS else f"{value[: _SHOWN_CHARACTERS - 1]}…")
    # Counts and times are numbers by name, and few: what a report is read for.
    is_counts = isinstance(value, Mapping) and all(isinstance(item, (int, float)) for item in value.values())
    if isinstance(value, (tuple, Mapping)) and len(value) > _SHOWN_ITEMS and not is_counts:
        return f"<{len(value)} items>"
    if isinstance(value, tuple):
        return f"({', '.join(map(_shown, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_shown(name)}: {_shown(item)}' for name, item in value.items())}}}"
    return repr(value)
