"""Work behind a call's back, in tasks of the running event loop."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from typing import Any, AsyncIterator, TypeVar

Given = TypeVar("Given")


class AsyncBackground:
    """Runs work that nobody waits for until `settled`. What has the same key goes on one after the other."""

    def __init__(self) -> None:
        self._latest: dict[tuple[asyncio.AbstractEventLoop, Hashable], asyncio.Task[None]] = {}

    def start(self, key: Hashable, work: Callable[[], Awaitable[None]], stopped: Callable[[], None]) -> None:
        """Has work done. It must not fail.

        Args:
            stopped: Told when it was cancelled, as by the end of the event loop, perhaps before it began.
        """
        place = (asyncio.get_running_loop(), key)
        before = self._latest.get(place)

        async def run() -> None:
            if before is not None:
                await asyncio.wait([before])
            await work()

        task = place[0].create_task(run())
        self._latest[place] = task

        def forget(done: asyncio.Task[None]) -> None:
            if done.cancelled():
                stopped()
            if self._latest.get(place) is done:
                del self._latest[place]

        task.add_done_callback(forget)

    async def settled(self) -> None:
        """Waits for everything that was started in this event loop."""
        loop = asyncio.get_running_loop()
        while running := [task for (of, _), task in self._latest.items() if of is loop]:
            await asyncio.wait(running)


class AsyncTurnstile:
    """Lets one at a time through, for each key."""

    def __init__(self) -> None:
        self._locks: dict[tuple[asyncio.AbstractEventLoop, Hashable], tuple[asyncio.Lock, list[None]]] = {}

    @asynccontextmanager
    async def alone(self, key: Hashable) -> AsyncIterator[None]:
        place = (asyncio.get_running_loop(), key)
        lock, users = self._locks.setdefault(place, (asyncio.Lock(), []))
        users.append(None)
        try:
            async with lock:
                yield
        finally:
            users.pop()
            if not users:
                self._locks.pop(place, None)


def checked_client(loci: Any) -> None:
    """Raises:
    TypeError: It is no `AsyncLoci`, whose answers are awaited.
    """
    if not inspect.iscoroutinefunction(getattr(loci, "assemble", None)):
        raise TypeError(f"loci must be an AsyncLoci, but is {type(loci).__name__}. With Loci use AgentMemory or AgentTools.")


async def resolved(value: Any) -> Any:
    """What a function of the application has answered, waited for where it has to be."""
    return await value if inspect.isawaitable(value) else value
