"""Calls that block their thread."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Generator
from typing import Any, TypeVar

import grpc
from google.protobuf.message import Message

from loci_client.endpoint import Endpoint
from loci_client.errors import LociError, closed
from loci_client.method import Method, serialize
from loci_client.status import error_from_call
from loci_client.transport.forks import survive_forks
from loci_client.transport.running_calls import RunningCalls

Response = TypeVar("Response", bound=Message)


class Connection:
    """A channel, and what is called through it."""

    def __init__(self, endpoint: Endpoint) -> None:
        if endpoint.credentials is None:
            self.channel = grpc.insecure_channel(endpoint.address, endpoint.options())
        else:
            self.channel = grpc.secure_channel(endpoint.address, endpoint.credentials, endpoint.options())
        self.endpoint = endpoint
        self._unary: dict[str, Any] = {}

    def unary(self, method: Method[Any]) -> Any:
        known = self._unary.get(method.path)
        if known is None:
            known = self.channel.unary_unary(method.path, serialize, method.response.FromString)
            self._unary[method.path] = known
        return known

    def stream(self, method: Method[Any]) -> Any:
        return self.channel.unary_stream(method.path, serialize, method.response.FromString)


class Transport:
    """One channel, for all threads of a process. It is opened with the first call."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.running = RunningCalls()
        self._opening = threading.Lock()
        self._connection: Connection | None = None
        self._streams: weakref.WeakSet[Any] = weakref.WeakSet()
        self._dropped = threading.Event()
        survive_forks(self)

    def unary(self, method: Method[Response], request: Message, timeout: float) -> Response:
        """One attempt.

        Raises:
            LociError: What the server said, or what is wrong with the connection.
        """
        connection = self._connection or self._connect()
        try:
            response: Response = connection.unary(method)(
                request, timeout=timeout, metadata=connection.endpoint.metadata
            )
            return response
        except grpc.RpcError as error:
            failure = self._failure(error, connection)
        except ValueError:
            # What gRPC says of a channel that was closed meanwhile.
            if not self.running.is_closed:
                raise
            failure = closed()
        # Not inside of `except`: the traceback would hold what gRPC was given, and that is the key.
        raise failure

    def stream(self, method: Method[Response], request: Message, timeout: float | None) -> Generator[Response, None]:
        """The answers of one call, read as they are asked for. Ending the iteration cancels it."""
        # A fork waits for its beginning, and then ends it.
        self.running.begin()
        try:
            connection = self._connection or self._connect()
            call = connection.stream(method)(request, timeout=timeout, metadata=connection.endpoint.metadata)
            self._streams.add(call)
        finally:
            self.running.end()
        failure: LociError | None = None
        try:
            yield from call
        except grpc.RpcError as error:
            failure = self._failure(error, connection)
        finally:
            call.cancel()
        if failure is not None:
            raise failure

    def pause(self, seconds: float) -> None:
        if self._dropped.wait(seconds):
            raise closed()

    def move(self, endpoint: Endpoint) -> None:
        """Goes to another server with the next attempt. Calls under way end where they are."""
        with self._opening:
            self.endpoint = endpoint
            self._connection = None

    def close(self, grace: float) -> None:
        """Takes no more calls, ends streams, gives calls under way some seconds, and then drops them."""
        self.running.is_closed = True
        for call in list(self._streams):
            call.cancel()
        self.running.wait_until_idle(grace)
        self.running.is_dropped = True
        self._dropped.set()
        with self._opening:
            connection, self._connection = self._connection, None
        if connection is not None:
            connection.channel.close()

    def can_wait(self) -> bool:
        return True

    def end_streams(self) -> int:
        calls = [call for call in list(self._streams) if call.is_active()]
        for call in calls:
            call.cancel()
        return len(calls)

    def has_streams(self) -> bool:
        return any(call.is_active() for call in list(self._streams))

    def rest(self) -> list[weakref.ref[Any]]:
        """The channel stays: what has nothing to do survives in the parent."""
        return []

    def leave_behind(self) -> Any:
        left = (self._connection, self._streams, self._opening, self._dropped)
        self._connection, self._streams = None, weakref.WeakSet()
        # Another thread of the parent may have held them.
        self._opening, self._dropped = threading.Lock(), threading.Event()
        if self.running.is_dropped:
            self._dropped.set()
        return left

    def _connect(self) -> Connection:
        with self._opening:
            if self.running.is_dropped:
                raise closed()
            if self._connection is None:
                self._connection = Connection(self.endpoint)
            return self._connection

    def _failure(self, error: Any, connection: Connection) -> LociError:
        if self.running.is_closed and error.code() is grpc.StatusCode.CANCELLED:
            return closed()
        return error_from_call(error, connection.endpoint.address)
