"""What a call ends with when it fails."""

from __future__ import annotations

from collections.abc import Mapping


class LociError(Exception):
    """Why a call failed. Catch it, or the class of one code.

    Never holds the API key, nor the text of a memory.
    """

    code: str
    """What kind of failure it is, such as `CONFLICT`: one class for each."""
    reason: str
    """Which failure exactly, in UPPER_SNAKE, such as `VERSION_CONFLICT`. Stable: programs may branch on it."""
    message: str
    """What was wrong and where."""
    advice: str | None
    """What to do next."""
    field: str | None
    """The input at fault, as a path such as `messages[3].content`."""
    resource: str | None
    """What it is about: a memory's id, a section's name, an address."""
    details: Mapping[str, str]
    """Further values for programs, such as `{"budgetTokens": "500"}`."""
    retry_after: float | None
    """After how many seconds the same call is worth trying again, when the server has said so."""
    _is_repeatable = True
    """False when another attempt would only wait as long again."""
    _is_of_tls = False
    """True when client and server do not agree on TLS, which another attempt does not change."""

    def __init__(
        self,
        reason: str,
        message: str,
        *,
        code: str = "INTERNAL",
        advice: str | None = None,
        field: str | None = None,
        resource: str | None = None,
        details: Mapping[str, str] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.message = message
        self.advice = advice
        self.field = field
        self.resource = resource
        self.details = {} if details is None else dict(details)
        self.retry_after = retry_after

    def __str__(self) -> str:
        # What gRPC says of a connection ends without a full stop.
        stop = "" if self.message.endswith((".", "!", "?")) else "."
        advice = "" if self.advice is None else f"{stop} {self.advice}"
        return f"{self.message}{advice} [{self.reason}]"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.reason!r}, {self.message!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return make_error, (
            self.code,
            self.reason,
            self.message,
            self.advice,
            self.field,
            self.resource,
            self.details,
            self.retry_after,
        )


class InvalidArgumentError(LociError, ValueError):
    """The request itself is wrong: the same one fails again."""


class NotFoundError(LociError, LookupError):
    """What it names is not there, or not for this key."""


class AlreadyExistsError(LociError):
    """There is one of that name."""


class ConflictError(LociError):
    """Somebody else was there first: read again, then decide."""


class FailedPreconditionError(LociError):
    """The state of things does not allow it."""


class PermissionDeniedError(LociError, PermissionError):
    """The key does not allow it."""


class UnauthenticatedError(LociError):
    """The key is missing, wrong, or no longer valid."""


class ResourceExhaustedError(LociError):
    """Too much at once. `retry_after` says how long to wait, when that helps."""


class UnsupportedError(LociError):
    """The server, or its stores, cannot do it."""


class UnavailableError(LociError, ConnectionError):
    """The server, or something that it needs, could not be reached."""


class DeadlineExceededError(LociError, TimeoutError):
    """It took longer than it might."""


class CancelledError(LociError):
    """The server was told to stop it."""


class InternalError(LociError):
    """The server failed, or said what this client cannot read."""


_CLASSES: Mapping[str, type[LociError]] = {
    "INVALID_ARGUMENT": InvalidArgumentError,
    "NOT_FOUND": NotFoundError,
    "ALREADY_EXISTS": AlreadyExistsError,
    "CONFLICT": ConflictError,
    "FAILED_PRECONDITION": FailedPreconditionError,
    "PERMISSION_DENIED": PermissionDeniedError,
    "UNAUTHENTICATED": UnauthenticatedError,
    "RESOURCE_EXHAUSTED": ResourceExhaustedError,
    "UNSUPPORTED": UnsupportedError,
    "UNAVAILABLE": UnavailableError,
    "DEADLINE_EXCEEDED": DeadlineExceededError,
    "CANCELLED": CancelledError,
    "INTERNAL": InternalError,
}


def make_error(
    code: str,
    reason: str,
    message: str,
    advice: str | None = None,
    field: str | None = None,
    resource: str | None = None,
    details: Mapping[str, str] | None = None,
    retry_after: float | None = None,
) -> LociError:
    """The error of a code, in the class of that code."""
    return _CLASSES.get(code, LociError)(
        reason,
        message,
        code=code,
        advice=advice,
        field=field,
        resource=resource,
        details=details,
        retry_after=retry_after,
    )


def invalid(reason: str, message: str, *, field: str, advice: str | None = None) -> LociError:
    """The error for an argument that is refused before anything is sent."""
    return make_error("INVALID_ARGUMENT", reason, message, advice, field)


def closed() -> LociError:
    """The error of a call on a client that was closed."""
    advice = "Connect again, and close after the last call has come back."
    return make_error("FAILED_PRECONDITION", "CLOSED", "The client was closed.", advice)
