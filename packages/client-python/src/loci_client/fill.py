"""Fills the messages of the contract with Python values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from google.protobuf.descriptor import FieldDescriptor as Kinds
from google.protobuf.message import Message

from loci_client.errors import invalid
from loci_client.filters import Filter
from loci_client.openai_form import from_openai
from loci_client.record import Record, fields_of
from loci_client.scope import Scope
from loci_client.unset import UNSET
from loci_client.values import write_block_value, write_duration, write_time, write_value

Filled = TypeVar("Filled", bound=Message)

# Messages that only hold a list or a map, for which that stands.
_WRAPPERS = {
    "loci.v1.BlockHunks": "positions",
    "loci.v1.BlockOperations": "operations",
    "loci.v1.BlockValues": "values",
    "loci.v1.ContentParts": "parts",
}

# What holds arguments that a caller passes by themselves: errors name them so.
_ARGUMENTS = "loci.v1.RecallOptions"


def fill(message: Filled, values: Mapping[str, object], path: str = "") -> Filled:
    """Puts values into a message by the names of its fields. `None` and `UNSET` are left out.

    Args:
        path: Where the message stands, for errors.

    Raises:
        TypeError: A name is none of its fields, or a value has the wrong type.
        ValueError: A time has no zone; an enumeration has no such member; a number is too large.
        InvalidArgumentError: Two values exclude each other, a scope has an unknown kind, a text has half a character.
    """
    fields = message.DESCRIPTOR.fields_by_name
    for name, value in values.items():
        if value is None or value is UNSET:
            continue
        field = fields.get(name) or fields.get(name.removesuffix("_"))
        place = f"{path}.{name}" if path else name
        if field is None:
            raise TypeError(f"{place} is not known. There are: {', '.join(fields)}.")
        group = field.containing_oneof
        other = None if group is None else message.WhichOneof(group.name)
        if other is not None and other != field.name:
            raise invalid("INVALID_REQUEST", f"{place} and {other} exclude each other.", field=place)
        _fill_field(message, field, value, place)
    return message


def _fill_field(message: Message, field: Any, value: Any, path: str) -> None:
    try:
        if _is_map(field):
            _fill_map(getattr(message, field.name), field, value, path)
        elif field.is_repeated:
            _fill_list(getattr(message, field.name), field, value, path)
        elif field.message_type is not None:
            target = getattr(message, field.name)
            target.SetInParent()
            _fill_message(target, value, path)
        else:
            setattr(message, field.name, _scalar(field, value, path))
    except UnicodeEncodeError:
        raise invalid("INVALID_TEXT", f"{path} holds half of a character.", field=path) from None


def _fill_map(target: Any, field: Any, value: Any, path: str) -> None:
    if not isinstance(value, Mapping):
        raise TypeError(f"{path} must be a mapping, but is {type(value).__name__}.")
    of = field.message_type.fields_by_name["value"]
    for name, item in value.items():
        if not isinstance(name, str):
            raise TypeError(f"{path} must have texts as its names, but one is {type(name).__name__}.")
        place = f"{path}.{name}"
        if of.message_type is not None:
            _fill_message(target[name], item, place)
        else:
            target[name] = _scalar(of, item, place)


def _fill_list(target: Any, field: Any, value: Any, path: str) -> None:
    if isinstance(value, (str, bytes, Mapping)) or not hasattr(value, "__iter__"):
        raise TypeError(f"{path} must be a list, but is {type(value).__name__}.")
    for index, item in enumerate(value):
        place = f"{path}[{index}]"
        if field.message_type is not None:
            _fill_message(target.add(), item, place)
        else:
            target.append(_scalar(field, item, place))


def _fill_message(target: Any, value: Any, path: str) -> None:
    name = target.DESCRIPTOR.full_name
    if isinstance(value, Message):
        target.CopyFrom(value)
    elif isinstance(value, Record):
        _fill_record(target, value, path)
    elif name == "loci.v1.Scope":
        scope_of(value, path).write(target)
    elif name == "google.protobuf.Timestamp":
        if not isinstance(value, datetime):
            raise TypeError(f"{path} must be a datetime, but is {type(value).__name__}.")
        write_time(target, value, path)
    elif name == "loci.v1.SessionReference" and isinstance(value, tuple) and len(value) == 2:
        scope, id = value
        fill(target, {"scope": scope, "id": id}, path)
    elif name == "google.protobuf.Duration":
        write_duration(target, value)
    elif name == "loci.v1.Value":
        write_value(target, value, path)
    elif name == "loci.v1.BlockValue":
        write_block_value(target, value, path)
    elif isinstance(value, Filter):
        target.CopyFrom(value.proto)
    elif name in _WRAPPERS:
        _fill_field(target, target.DESCRIPTOR.fields_by_name[_WRAPPERS[name]], value, path)
    elif name == _ARGUMENTS:
        fill(target, value, path.removesuffix("options").removesuffix("."))
    elif name == "loci.v1.Filter" and not (isinstance(value, Mapping) and set(value) <= {*target.DESCRIPTOR.fields_by_name}):
        raise TypeError(f'{path} must be a filter, such as F.category == "fact", but is {type(value).__name__}.')
    elif isinstance(value, Mapping):
        fill(target, from_openai(name, value, path), path)
    elif name == "loci.v1.SessionReference":
        given = f"a {len(value)}-tuple" if isinstance(value, tuple) else type(value).__name__
        raise TypeError(f'{path} must be a session, such as ("user:ann", "monday"), but is {given}.')
    else:
        raise TypeError(f"{path} must be a mapping, but is {type(value).__name__}.")


def _fill_record(target: Message, value: Record[Any], path: str) -> None:
    """A session stands for its name, too."""
    fields = fields_of(value)
    wanted = target.DESCRIPTOR.fields_by_name
    if target.DESCRIPTOR.full_name == "loci.v1.SessionReference":
        fields = {name: fields[name] for name in wanted if name in fields}
    fill(target, fields, path)


def scope_of(value: object, path: str) -> Scope:
    """A scope that was given as one or as text."""
    if isinstance(value, Scope):
        return value
    if isinstance(value, str):
        return Scope.parse(value, path)
    raise TypeError(f'{path} must be a scope, such as "user:alice", but is {type(value).__name__}.')


def _scalar(field: Any, value: Any, path: str) -> Any:
    if field.enum_type is not None and isinstance(value, str):
        return _enum_number(field, value, path)
    if field.type == Kinds.TYPE_BYTES:
        if not isinstance(value, bytes):
            raise TypeError(f"{path} must be bytes, but is {type(value).__name__}.")
        return value
    if field.cpp_type == Kinds.CPPTYPE_STRING and not isinstance(value, str):
        raise TypeError(f"{path} must be text, but is {type(value).__name__}.")
    is_whole = field.cpp_type in (Kinds.CPPTYPE_INT32, Kinds.CPPTYPE_INT64)
    if is_whole and (isinstance(value, bool) or not isinstance(value, int)):
        raise TypeError(f"{path} must be a whole number, but is {type(value).__name__}.")
    if is_whole and value.bit_length() > (31 if field.cpp_type == Kinds.CPPTYPE_INT32 else 63):
        raise invalid("INVALID_NUMBER", f"{path} is too large.", field=path)
    if field.cpp_type == Kinds.CPPTYPE_DOUBLE and (isinstance(value, bool) or not isinstance(value, (int, float))):
        raise TypeError(f"{path} must be a number, but is {type(value).__name__}.")
    if field.cpp_type == Kinds.CPPTYPE_BOOL and not isinstance(value, bool):
        raise TypeError(f"{path} must be True or False, but is {type(value).__name__}.")
    return value


def _enum_number(field: Any, word: str, path: str) -> int:
    values: Sequence[Any] = field.enum_type.values
    # The first is always …_UNSPECIFIED, and what stands before it begins each of them.
    prefix = values[0].name.removesuffix("UNSPECIFIED")
    wanted = prefix + word.upper()
    for value in values:
        if value.name == wanted:
            return int(value.number)
    if word.isdecimal():
        return int(word)
    known = ", ".join(value.name.removeprefix(prefix).lower() for value in values[1:])
    raise invalid("INVALID_REQUEST", f"{path} is {word[:80]!r}, but must be one of: {known}.", field=path)


def _is_map(field: Any) -> bool:
    return field.message_type is not None and bool(field.message_type.GetOptions().map_entry)


def listed(values: Iterable[Any], name: str) -> list[Any]:
    """What was given as a list, checked before the first of it is read: a text is no list of characters."""
    if isinstance(values, (str, bytes, Mapping)) or not hasattr(values, "__iter__"):
        raise TypeError(f"{name} must be a list, but is a {type(values).__name__}.")
    return list(values)
