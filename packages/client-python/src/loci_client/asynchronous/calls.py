"""Calls of the server's methods, repeated while it cannot be reached and that may help."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, Callable
from time import monotonic
from typing import TypeVar
from uuid import uuid4

from google.protobuf.message import Message

from loci_client.attempts import pause_before
from loci_client.endpoint import Endpoint
from loci_client.errors import LociError, invalid
from loci_client.method import Method
from loci_client.resumption import Resumption
from loci_client.status import deadline_exceeded
from loci_client.transport.asynchronous import AsyncTransport

Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response", bound=Message)

# A timer, of the server's too, runs for less than 25 days.
_LONGEST_TIMEOUT = 24 * 86_400.0


class AsyncCalls:
    """How one client calls its server.

    Args:
        timeout: For all attempts of a call that has no time of its own, in seconds.
        locate: Looks again where the server is, for one that may have been started anew.
    """

    def __init__(self, transport: AsyncTransport, timeout: float, locate: Callable[[], Endpoint | None] | None) -> None:
        self.transport = transport
        self.timeout = checked_timeout(timeout)
        self._locate = locate
        # A server was reached at the address: what is missing now is likely to come back.
        self._was_answered = False

    async def unary(
        self,
        method: Method[Response],
        request: Message,
        timeout: float | None = None,
        is_repeatable: bool = True,
    ) -> Response:
        """One call.

        Args:
            is_repeatable: False for what must not happen twice and has no idempotency key.

        Raises:
            LociError: What the server said, or what is wrong with the connection.
        """
        deadline = monotonic() + (self.timeout if timeout is None else checked_timeout(timeout))
        transport = self.transport
        transport.running.begin()
        try:
            attempt, has_moved = 1, False
            while True:
                left = deadline - monotonic()
                if left <= 0:
                    raise deadline_exceeded(transport.endpoint.address)
                try:
                    answer = await transport.unary(method, request, left)
                except LociError as error:
                    failure = error
                else:
                    self._was_answered = True
                    return answer
                attempt += 1
                if not has_moved and self._has_moved(failure, is_repeatable):
                    has_moved = True
                    continue
                pause = pause_before(attempt, failure, is_repeatable, was_answered=self._was_answered)
                if pause is None or monotonic() + pause >= deadline:
                    raise failure
                await transport.pause(pause)
        finally:
            transport.running.end()

    async def stream(
        self,
        method: Method[Response],
        request: Request,
        resume: Callable[[Response, Request], None],
        timeout: float | None = None,
    ) -> AsyncGenerator[Response, None]:
        """The answers of a call that gives many, for as long as it has no time of its own.

        When the connection is lost it goes on where it was, as soon as the server can be reached, and is given up when that takes
        longer than a restart. One that has not begun fails as a call does.

        Args:
            resume: Changes the request to one that goes on behind an answer.
        """
        deadline = math.inf if timeout is None else monotonic() + checked_timeout(timeout)
        resumption = Resumption()
        attempt, has_moved = 1, False
        while True:
            left = deadline - monotonic()
            if left <= 0:
                raise deadline_exceeded(self.transport.endpoint.address)
            answers = self.transport.stream(method, request, None if left == math.inf else left)
            failure: LociError | None = None
            try:
                async for answer in answers:
                    self._was_answered = True
                    yield answer
                    resume(answer, request)
                    resumption.has_come()
                    attempt, has_moved = 0, False
            except LociError as error:
                failure = error
            finally:
                await answers.aclose()
            if failure is None:
                return
            attempt += 1
            if not has_moved and self._has_moved(failure, is_repeatable=True):
                has_moved = True
                continue
            attempt = max(attempt, 2)
            if resumption.has_begun:
                pause = resumption.pause_before(attempt, failure)
            else:
                # What has no end is not waited for without end.
                was_answered = self._was_answered and deadline != math.inf
                pause = pause_before(attempt, failure, is_repeatable=True, was_answered=was_answered)
            if pause is None or monotonic() + pause >= deadline:
                raise failure
            await self.transport.pause(pause)

    def _has_moved(self, failure: LociError, is_repeatable: bool) -> bool:
        """A local server that was started anew has another key, and perhaps another port."""
        is_refused = failure.reason == "CREDENTIAL_INVALID"
        if self._locate is None or not (is_refused or (is_repeatable and failure.code == "UNAVAILABLE")):
            return False
        endpoint = self._locate()
        if endpoint is None or endpoint == self.transport.endpoint:
            return False
        self.transport.move(endpoint)
        return True


def checked_timeout(seconds: float) -> float:
    """Raises:
    InvalidArgumentError: It is no number.
    """
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or math.isnan(seconds):
        raise invalid("INVALID_NUMBER", "timeout must be a number of seconds.", field="timeout")
    return min(float(seconds), _LONGEST_TIMEOUT)


def write_key(given: str | None) -> str:
    """The idempotency key of a write: the caller's, or one made for this call.

    Raises:
        InvalidArgumentError: The caller's is empty: a write that is sent twice would happen twice.
    """
    if given is None:
        return str(uuid4())
    if not isinstance(given, str):
        raise TypeError(f"request_id must be text, but is {type(given).__name__}.")
    if given == "":
        advice = "Leave it out to have one made."
        raise invalid("INVALID_IDENTIFIER", "request_id is empty.", field="request_id", advice=advice)
    return given
