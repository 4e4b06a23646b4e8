"""Calls that an event loop waits for."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import AsyncGenerator
from time import monotonic
from typing import Any, TypeVar

import grpc
import grpc.aio
from google.protobuf.message import Message

from loci_client.endpoint import Endpoint
from loci_client.errors import LociError, closed
from loci_client.method import Method, serialize
from loci_client.status import error_from_call, lost, not_reached
from loci_client.transport.forks import survive_forks
from loci_client.transport.running_calls import RunningCalls

Response = TypeVar("Response", bound=Message)

_POLL_SECONDS = 0.01


class Connection:
    """A channel of one event loop, and what is called through it."""

    def __init__(self, endpoint: Endpoint) -> None:
        if endpoint.credentials is None:
            self.channel = grpc.aio.insecure_channel(endpoint.address, endpoint.options())
        else:
            self.channel = grpc.aio.secure_channel(endpoint.address, endpoint.credentials, endpoint.options())
        self.endpoint = endpoint
        self.is_left = False
        """A fork has ended its streams."""
        self.streams: weakref.WeakSet[Any] = weakref.WeakSet()
        self._unary: dict[str, Any] = {}

    def unary(self, method: Method[Any]) -> Any:
        known = self._unary.get(method.path)
        if known is None:
            known = self.channel.unary_unary(method.path, serialize, method.response.FromString)
            self._unary[method.path] = known
        return known

    def stream(self, method: Method[Any]) -> Any:
        return self.channel.unary_stream(method.path, serialize, method.response.FromString)


class Patience:
    """Cancels a call whose connection takes too long."""

    def __init__(self) -> None:
        self.is_over = False
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, connection: Connection, call: Any) -> None:
        if connection.channel.get_state() is not grpc.ChannelConnectivity.READY:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(connection.endpoint.connect_timeout, self._give_up, connection.channel, call)

    def end(self) -> None:
        """The server has answered, or the call is over."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self, channel: grpc.aio.Channel, call: Any) -> None:
        if channel.get_state() is not grpc.ChannelConnectivity.READY:
            self.is_over = call.cancel()


class AsyncTransport:
    """A channel for each event loop that calls. It is opened with the loop's first call."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.running = RunningCalls()
        self._connections: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Connection] = (
            weakref.WeakKeyDictionary()
        )
        survive_forks(self)

    async def unary(self, method: Method[Response], request: Message, timeout: float) -> Response:
        """One attempt.

        Raises:
            LociError: What the server said, or what is wrong with the connection.
        """
        connection = self._connection()
        patience = Patience()
        try:
            call = connection.unary(method)(request, timeout=timeout, metadata=connection.endpoint.metadata)
            patience.begin(connection, call)
            response: Response = await call
            return response
        except grpc.aio.AioRpcError as error:
            failure = self._failure(error, connection)
        except (asyncio.CancelledError, grpc.aio.UsageError):
            # What closing ends, and what was waited for too long, looks as if the caller had cancelled it.
            if self.running.is_dropped:
                failure = closed()
            elif patience.is_over:
                failure = not_reached(connection.endpoint.address, connection.endpoint.connect_timeout)
            else:
                raise
        finally:
            patience.end()
        # Not inside of `except`: the traceback would hold what gRPC was given, and that is the key.
        raise failure

    async def stream(
        self, method: Method[Response], request: Message, timeout: float | None
    ) -> AsyncGenerator[Response, None]:
        """The answers of one call, read as they are asked for. Ending the iteration cancels it."""
        patience = Patience()
        # A fork waits for its beginning, and then ends it.
        self.running.begin()
        try:
            connection = self._connection()
            call = connection.stream(method)(request, timeout=timeout, metadata=connection.endpoint.metadata)
            connection.streams.add(call)
            patience.begin(connection, call)
        finally:
            self.running.end()
        failure: LociError | None = None
        try:
            async for response in call:
                patience.end()
                yield response
        except grpc.aio.AioRpcError as error:
            failure = self._failure(error, connection)
        except asyncio.CancelledError:
            if connection.is_left:
                failure = lost(connection.endpoint.address)
            elif self.running.is_closed:
                failure = closed()
            elif patience.is_over:
                failure = not_reached(connection.endpoint.address, connection.endpoint.connect_timeout)
            else:
                raise
        finally:
            patience.end()
            call.cancel()
        # The traceback would keep the channel.
        del call, connection
        if failure is not None:
            raise failure

    async def pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        if self.running.is_dropped:
            raise closed()

    def move(self, endpoint: Endpoint) -> None:
        """Goes to another server with the next attempt. Calls under way end where they are."""
        self.endpoint = endpoint
        self._connections = weakref.WeakKeyDictionary()

    async def close(self, grace: float) -> None:
        """Takes no more calls, ends streams, gives calls under way some seconds, and then drops them."""
        self.running.is_closed = True
        here = self._connections.get(asyncio.get_running_loop())
        for call in [] if here is None else list(here.streams):
            call.cancel()
        end = monotonic() + grace
        while self.running.count > 0 and monotonic() < end:
            await asyncio.sleep(_POLL_SECONDS)
        self.running.is_dropped = True
        # Those of other loops close with their loops: nobody else can wait for them.
        self._connections.clear()
        if here is not None:
            await here.channel.close()

    def can_wait(self) -> bool:
        """Calls of the loop that forks cannot end before it has."""
        try:
            here = asyncio.get_running_loop()
        except RuntimeError:
            return True
        return here not in self._connections

    def end_streams(self) -> int:
        ended = 0
        for loop, connection in list(self._connections.items()):
            connection.is_left = True
            for call in list(connection.streams):
                if not loop.is_closed() and not call.done():
                    loop.call_soon_threadsafe(call.cancel)
                    ended += 1
        return ended

    def has_streams(self) -> bool:
        loops = list(self._connections.items())
        return any(not loop.is_closed() and not call.done() for loop, each in loops for call in list(each.streams))

    def rest(self) -> list[weakref.ref[Any]]:
        """gRPC has one thread for all loops, which no child has. Without a channel there is none: it begins anew."""
        connections = list(self._connections.values())
        self._connections.clear()
        calls = [weakref.ref(call) for connection in connections for call in list(connection.streams)]
        return [weakref.ref(connection) for connection in connections] + calls

    def leave_behind(self) -> Any:
        left = dict(self._connections)
        self._connections = weakref.WeakKeyDictionary()
        return left

    def _connection(self) -> Connection:
        loop = asyncio.get_running_loop()
        connection = self._connections.get(loop)
        if connection is None:
            if self.running.is_dropped:
                raise closed()
            connection = Connection(self.endpoint)
            self._connections[loop] = connection
        return connection

    def _failure(self, error: Any, connection: Connection) -> LociError:
        if self.running.is_closed and error.code() is grpc.StatusCode.CANCELLED:
            return closed()
        return error_from_call(error, connection.endpoint.address)
