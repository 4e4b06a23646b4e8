"""From the status that a call ended with to the error that is raised."""

from __future__ import annotations

import re
from typing import Protocol

import grpc
from google.protobuf.message import DecodeError
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo  # type: ignore[import-untyped]
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]

from loci_client.errors import LociError, make_error
from loci_client.tls_trouble import tls_trouble_in

_DOMAIN = "loci"
_DETAILS_KEY = "grpc-status-details-bin"
_RETRY_AFTER = "retryAfterMilliseconds"
_RESERVED_NAME = re.compile(r"(advice|field|resource)_+")

# By the number of the status: the code, and what is known of an error that says no more than that.
_KNOWN = {
    grpc.StatusCode.INVALID_ARGUMENT: ("INVALID_ARGUMENT", "INVALID_REQUEST"),
    grpc.StatusCode.OUT_OF_RANGE: ("INVALID_ARGUMENT", "INVALID_REQUEST"),
    grpc.StatusCode.NOT_FOUND: ("NOT_FOUND", "MEMORY_NOT_FOUND"),
    grpc.StatusCode.ALREADY_EXISTS: ("ALREADY_EXISTS", "MEMORY_EXISTS"),
    grpc.StatusCode.ABORTED: ("CONFLICT", "VERSION_CONFLICT"),
    grpc.StatusCode.FAILED_PRECONDITION: ("FAILED_PRECONDITION", "INTERNAL"),
    grpc.StatusCode.PERMISSION_DENIED: ("PERMISSION_DENIED", "ROLE_REQUIRED"),
    grpc.StatusCode.UNAUTHENTICATED: ("UNAUTHENTICATED", "CREDENTIAL_INVALID"),
    grpc.StatusCode.RESOURCE_EXHAUSTED: ("RESOURCE_EXHAUSTED", "TOO_MANY_REQUESTS"),
    grpc.StatusCode.UNIMPLEMENTED: ("UNSUPPORTED", "UNSUPPORTED_OPERATION"),
    grpc.StatusCode.UNAVAILABLE: ("UNAVAILABLE", "SERVER_UNAVAILABLE"),
    grpc.StatusCode.DEADLINE_EXCEEDED: ("DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED"),
    grpc.StatusCode.CANCELLED: ("CANCELLED", "CANCELLED"),
}
_INTERNAL = ("INTERNAL", "INTERNAL")
_BY_NUMBER = {code.value[0]: known for code, known in _KNOWN.items()}


class EndedCall(Protocol):
    """What gRPC's errors tell, of both of its interfaces."""

    def code(self) -> grpc.StatusCode: ...

    def details(self) -> str | None: ...

    def trailing_metadata(self) -> object: ...


def error_from_call(call: EndedCall, address: str) -> LociError:
    """The error that the server threw, equal in every field; or what is wrong with the connection to the address."""
    packed = _packed_details(call.trailing_metadata())
    error = None if packed is None else _unpack(packed)
    if error is not None:
        return error
    code, details = call.code(), call.details() or ""
    if code is grpc.StatusCode.CANCELLED and packed is None:
        # A server that is forced to stop cancels its calls. What the caller cancels never gets here.
        return lost(address)
    return _connection_error(code, details, address)


def error_from_status(status: Status) -> LociError:
    """The error that an operation failed with."""
    error = _read(status)
    if error is not None:
        return error
    code, reason = _BY_NUMBER.get(status.code, _INTERNAL)
    return make_error(code, reason, status.message)


def lost(address: str) -> LociError:
    """The error of a call whose connection was lost."""
    return _connection_error(grpc.StatusCode.UNAVAILABLE, "The connection was dropped.", address)


def not_reached(address: str, seconds: float) -> LociError:
    """The error of a call whose connection took too long."""
    message = f"No connection to {address} came about within {seconds:g} s."
    advice = "Check the address, and whether the server there is stopped, or so busy that it takes no connections."
    error = make_error("UNAVAILABLE", "SERVER_UNAVAILABLE", message, advice, resource=address)
    error._is_repeatable = False
    return error


def deadline_exceeded(address: str) -> LociError:
    """The error of a call whose time is over."""
    return _connection_error(grpc.StatusCode.DEADLINE_EXCEEDED, "", address)


def _packed_details(metadata: object) -> bytes | None:
    for key, value in metadata or ():  # type: ignore[attr-defined]
        if key == _DETAILS_KEY:
            return bytes(value)
    return None


def _unpack(packed: bytes) -> LociError | None:
    try:
        return _read(Status.FromString(packed))
    except DecodeError:
        # Details of another service: the plain status is all there is.
        return None


def _read(status: Status) -> LociError | None:
    info: ErrorInfo | None = None
    field: str | None = None
    retry_after: float | None = None
    for detail in status.details:
        if detail.Is(ErrorInfo.DESCRIPTOR):
            info = ErrorInfo.FromString(detail.value)
        elif detail.Is(BadRequest.DESCRIPTOR):
            violations = BadRequest.FromString(detail.value).field_violations
            field = violations[0].field if violations else None
        elif detail.Is(RetryInfo.DESCRIPTOR):
            delay = RetryInfo.FromString(detail.value).retry_delay
            retry_after = delay.seconds + delay.nanos / 1e9
    if info is None or info.domain != _DOMAIN:
        return None
    texts = dict(info.metadata)
    advice, resource = texts.pop("advice", None), texts.pop("resource", None)
    # What TypeScript calls the field.
    texts.pop("field", None)
    details = {name[:-1] if _RESERVED_NAME.fullmatch(name) else name: value for name, value in texts.items()}
    if retry_after is None and details.get(_RETRY_AFTER, "").isdecimal():
        retry_after = int(details[_RETRY_AFTER]) / 1000
    # A newer server's reason keeps its text, and the status says which kind it is of.
    code, _ = _BY_NUMBER.get(status.code, _INTERNAL)
    return make_error(code, info.reason, status.message, advice, field, resource, details, retry_after)


def _connection_error(status: grpc.StatusCode, said: str, address: str) -> LociError:
    """An error of the connection, or of something at the address that is not Loci."""
    code, reason = _KNOWN.get(status, _INTERNAL)
    if reason == "TOO_MANY_REQUESTS" and re.search("larger than", said, re.IGNORECASE):
        reason = "MESSAGE_TOO_LARGE"
    ends = f": {said}" if said else ""
    trouble = tls_trouble_in(said) if reason == "SERVER_UNAVAILABLE" else None
    if trouble is not None:
        error = make_error(code, reason, f"{address} {trouble.problem}{ends}", trouble.advice, resource=address)
        error._is_of_tls = True
        return error
    texts = {
        "SERVER_UNAVAILABLE": (
            f"No Loci server answered at {address}{ends}",
            "Check the address and that the server runs there (`loci serve`). A server with TLS is reached by TLS only:"
            " its certificate has to name that host, its authority has to be given, and where it asks callers for"
            " certificates, yours.",
        ),
        "DEADLINE_EXCEEDED": (
            f"{address} did not answer before the call's deadline.",
            "Give it more time, or ask for less.",
        ),
        "CANCELLED": (f"The call to {address} was cancelled.", None),
        "CREDENTIAL_INVALID": (
            f"{address} did not accept the credential{ends}",
            "Pass an API key of that server.",
        ),
        "MESSAGE_TOO_LARGE": (
            f"A message of the call to {address} is too large{ends}",
            "Send or ask for less at once, or raise the limit on both sides.",
        ),
        "UNSUPPORTED_OPERATION": (
            f"{address} does not offer this call{ends}",
            "Check that a Loci server runs there and is not older than this client.",
        ),
    }
    otherwise = (
        f"The call to {address} failed with {status.name}{ends}",
        "Look into the server's log, and check that a Loci server runs there.",
    )
    message, advice = texts.get(reason, otherwise)
    return make_error(code, reason, message, advice, resource=address)
