"""The values of the contract that Python has forms of its own for."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Union

from loci_client.errors import invalid

if TYPE_CHECKING:
    from google.protobuf.duration_pb2 import Duration
    from google.protobuf.timestamp_pb2 import Timestamp

    from loci_client.v1 import block_pb2, filter_pb2

Value = Union[str, float, bool]
"""A field of metadata."""

BlockValue = Union[str, int, bool, tuple[str, ...]]
"""A field of a block. Dates are `yyyy-mm-dd`, the entries of a list a tuple."""

# The largest whole number up to which a double holds every one.
_LARGEST_EXACT = 2**53 - 1

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def read_time(message: Timestamp) -> datetime:
    return _EPOCH + timedelta(seconds=message.seconds, microseconds=message.nanos // 1000)


def milliseconds(value: datetime, path: str) -> int:
    return _since_epoch(value, path) // timedelta(milliseconds=1)


def _since_epoch(value: datetime, path: str) -> timedelta:
    if value.utcoffset() is None:
        raise ValueError(f"{path} has no time zone: it could be any of 24 times. Use datetime.now(timezone.utc).")
    return value - _EPOCH


def write_time(message: Timestamp, value: datetime, path: str) -> None:
    since = _since_epoch(value, path)
    message.seconds = since.days * 86_400 + since.seconds
    message.nanos = since.microseconds * 1000


def write_duration(message: Duration, value: float | timedelta) -> None:
    span = value if isinstance(value, timedelta) else timedelta(seconds=value)
    message.seconds = span.days * 86_400 + span.seconds
    message.nanos = span.microseconds * 1000


def read_value(message: filter_pb2.Value) -> Value:
    kind = message.WhichOneof("kind")
    if kind == "text":
        return message.text
    return message.boolean if kind == "boolean" else message.number


def write_value(message: filter_pb2.Value, value: object, path: str) -> None:
    if isinstance(value, str):
        message.text = value
    elif isinstance(value, bool):
        message.boolean = value
    elif isinstance(value, (int, float)):
        message.number = _exact(value, path)
    else:
        raise TypeError(f"{path} must be text, a number or a boolean, but is {type(value).__name__}.")


def _exact(value: float, path: str) -> float:
    """A number of the contract is a double: a whole number that is none would come back as another one.

    Raises:
        InvalidArgumentError: `INVALID_NUMBER`, as of an id of 64 bits.
    """
    if isinstance(value, int) and abs(value) > _LARGEST_EXACT:
        raise invalid(
            "INVALID_NUMBER",
            f"{path} is a whole number beyond {_LARGEST_EXACT}, which would not be kept exactly.",
            field=path,
            advice="Pass it as text, as ids are.",
        )
    return value


def read_block_value(message: block_pb2.BlockValue) -> BlockValue:
    kind = message.WhichOneof("kind")
    if kind == "entries":
        return tuple(message.entries.entries)
    if kind == "number":
        return int(message.number) if message.number.is_integer() else message.number  # type: ignore[return-value]
    return message.boolean if kind == "boolean" else message.text


def write_block_value(message: block_pb2.BlockValue, value: object, path: str) -> None:
    if isinstance(value, (list, tuple)):
        message.entries.SetInParent()
        for index, entry in enumerate(value):
            if not isinstance(entry, str):
                raise TypeError(f"{path}[{index}] must be text, but is {type(entry).__name__}.")
            message.entries.entries.append(entry)
    else:
        write_value(message, value, path)  # type: ignore[arg-type]
