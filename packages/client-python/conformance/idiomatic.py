"""From requests of the contract to what a program in Python would pass, and from what it gets to answers."""

from typing import Any

from google.protobuf.message import Message

from loci_client import Filter, LociError, Scope
from loci_client.fill import fill
from loci_client.record import Record, fields_of
from loci_client.values import read_block_value, read_time, read_value

WRAPPERS = {
    "BlockHunks": "positions",
    "BlockOperations": "operations",
    "BlockValues": "values",
    "ContentParts": "parts",
}


def arguments_of(message: Message) -> dict[str, Any]:
    """What is set in a message, by name, as Python has it."""
    return {_attribute(field.name): _value(field, value) for field, value in message.ListFields()}


def _attribute(name):
    return "from_" if name == "from" else name


def _value(field, value):
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        of = field.message_type.fields_by_name["value"]
        return {name: _one(of, item) for name, item in value.items()}
    return [_one(field, item) for item in value] if field.is_repeated else _one(field, value)


def _one(field, value):
    if field.enum_type is not None:
        return _enum(field.enum_type, value)
    return value if field.message_type is None else _message(field.message_type.name, value)


def _enum(kind, number):
    prefix = kind.values[0].name.removesuffix("UNSPECIFIED")
    known = kind.values_by_number.get(number)
    return number if known is None else known.name.removeprefix(prefix).lower()


def _message(name, value):
    if name == "Scope":
        scope = Scope.from_proto(value)
        is_text = value.kind in range(1, 6) or (scope.kind == "global" and scope.id == "")
        return str(scope) if is_text else scope
    if name == "SessionReference":
        scope = _message("Scope", value.scope) if value.HasField("scope") else None
        return scope, value.id
    if name == "Filter":
        return Filter(value)
    if name == "Timestamp":
        return read_time(value)
    if name == "Duration":
        return value.seconds + value.nanos / 1e9
    if name == "FieldMask":
        return list(value.paths)
    if name in ("Value", "BlockValue"):
        # One without any kind is nothing that Python has.
        if value.WhichOneof("kind") is None:
            return value
        return read_value(value) if name == "Value" else read_block_value(value)
    if name in WRAPPERS:
        inner = value.DESCRIPTOR.fields_by_name[WRAPPERS[name]]
        return _value(inner, getattr(value, WRAPPERS[name]))
    return arguments_of(value)


def answer_of(result: Any, response: Message) -> Message:
    """The answer that the contract has for a result, made of the values of the result and not of its message."""
    if isinstance(result, Record):
        return _of_records(result, response)
    if isinstance(result, tuple) and all(isinstance(each, Record) for each in result):
        (field,) = response.DESCRIPTOR.fields
        for each in result:
            _copy(each, getattr(response, field.name).add())
        return response
    if isinstance(result, str):
        (field,) = response.DESCRIPTOR.fields
        setattr(response, field.name, result)
        return response
    if result is not None:
        raise TypeError(f"No answer is made of {type(result).__name__}.")
    return response


def _of_records(record, response):
    wanted = response.DESCRIPTOR.full_name
    kind = record.proto.DESCRIPTOR.full_name
    if kind == wanted:
        return _copy(record, response)
    for field in response.DESCRIPTOR.fields:
        if field.message_type is not None and field.message_type.full_name == kind:
            _copy(record, getattr(response, field.name))
            return response
    raise TypeError(f"{wanted} holds no {kind}.")


def _copy(record, target):
    values = {name: value for name, value in fields_of(record).items() if not isinstance(value, LociError)}
    fill(target, values)
    # Why an operation failed is an error in Python.
    if record.proto.DESCRIPTOR.name == "Operation" and record.error is not None:
        target.error.CopyFrom(record.proto.error)
    return target
