"""Calls that block their thread."""

from __future__ import annotations

import math
import threading
import weakref
from collections.abc import Generator
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, TypeVar

import grpc
from google.protobuf.message import Message

from loci_client.endpoint import Endpoint
from loci_client.errors import LociError, closed
from loci_client.method import Method, serialize
from loci_client.status import error_from_call, not_reached
from loci_client.transport.forks import survive_forks
from loci_client.transport.running_calls import RunningCalls

Response = TypeVar("Response", bound=Message)

_KNOWN_SECONDS = 1.0
_ASKING_SECONDS = 1.0


class Connection:
    """A channel, and what is called through it."""

    def __init__(self, endpoint: Endpoint) -> None:
        if endpoint.credentials is None:
            self.channel = grpc.insecure_channel(endpoint.address, endpoint.options())
        else:
            self.channel = grpc.secure_channel(endpoint.address, endpoint.credentials, endpoint.options())
        self.endpoint = endpoint
        self._answered = -math.inf
        self._unary: dict[str, Any] = {}

    def unary(self, method: Method[Any]) -> Any:
        known = self._unary.get(method.path)
        if known is None:
            known = self.channel.unary_unary(method.path, serialize, method.response.FromString)
            self._unary[method.path] = known
        return known

    def stream(self, method: Method[Any]) -> Any:
        return self.channel.unary_stream(method.path, serialize, method.response.FromString)

    @property
    def is_known(self) -> bool:
        """The server has answered a moment ago: whether it is there need not be found out."""
        return monotonic() - self._answered < _KNOWN_SECONDS

    def answered(self) -> None:
        self._answered = monotonic()

    def lost(self) -> None:
        self._answered = -math.inf

    def is_ready(self) -> bool:
        """Asks gRPC, which has a thread for that: not for each call."""
        states: SimpleQueue[grpc.ChannelConnectivity] = SimpleQueue()
        self.channel.subscribe(states.put)
        try:
            return states.get(timeout=_ASKING_SECONDS) is grpc.ChannelConnectivity.READY
        except Empty:
            return False
        finally:
            self.channel.unsubscribe(states.put)

    def wait(self, call: Any) -> Any:
        """The answer of a call, or `None` when its connection took too long."""
        try:
            return call.result(timeout=self.endpoint.connect_timeout)
        except grpc.FutureTimeoutError:
            return call.result() if self.is_ready() else None
        finally:
            call.cancel()


class Patience:
    """Cancels a stream whose connection takes too long."""

    def __init__(self, connection: Connection, call: Any) -> None:
        self.is_over = False
        self._connection = connection
        self._call = call
        self._timer: threading.Timer | None = None
        if not connection.is_known:
            self._timer = threading.Timer(connection.endpoint.connect_timeout, self._give_up)
            self._timer.daemon = True
            self._timer.start()

    def end(self) -> None:
        """The server has answered, or the call is over."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        if not self._connection.is_ready():
            self.is_over = True
            self._call.cancel()


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
            response = self._answer(connection, method, request, timeout)
            if response is not None:
                return response
            failure = not_reached(connection.endpoint.address, connection.endpoint.connect_timeout)
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
            patience = Patience(connection, call)
        finally:
            self.running.end()
        failure: LociError | None = None
        try:
            for response in call:
                patience.end()
                connection.answered()
                yield response
        except grpc.RpcError as error:
            failure = self._failure(error, connection)
            if patience.is_over:
                failure = not_reached(connection.endpoint.address, connection.endpoint.connect_timeout)
        finally:
            patience.end()
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

    @staticmethod
    def _answer(
        connection: Connection, method: Method[Response], request: Message, timeout: float
    ) -> Response | None:
        """The answer, or `None` when the connection took too long."""
        call, metadata = connection.unary(method), connection.endpoint.metadata
        if connection.is_known:
            answer: Response | None = call(request, timeout=timeout, metadata=metadata)
        else:
            answer = connection.wait(call.future(request, timeout=timeout, metadata=metadata))
        if answer is not None:
            connection.answered()
        return answer

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
        if error.code() is grpc.StatusCode.UNAVAILABLE:
            connection.lost()
        return error_from_call(error, connection.endpoint.address)
