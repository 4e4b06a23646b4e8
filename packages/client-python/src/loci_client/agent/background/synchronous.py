"""Work behind a call's back, in threads."""

from __future__ import annotations

import inspect
import os
import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

_MOST_THREADS = 8


class Background:
    """Runs work that nobody waits for until `settled`. What has the same key goes on one after the other.

    A program that ends waits for it.
    """

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._changed = threading.Condition()
        self._waiting: dict[Hashable, deque[Callable[[], None]]] = {}
        self._threads = ThreadPoolExecutor(_MOST_THREADS, thread_name_prefix="loci-agent")

    def start(self, key: Hashable, work: Callable[[], None], stopped: Callable[[], None]) -> None:
        """Has work done. It must not fail.

        Args:
            stopped: Threads are not: as for tasks.
        """
        if self._process != os.getpid():
            # A fork has taken none of the threads along.
            self._begin()
        with self._changed:
            queue = self._waiting.get(key)
            if queue is not None:
                queue.append(work)
                return
            self._waiting[key] = deque([work])
        self._threads.submit(self._run, key)

    def _run(self, key: Hashable) -> None:
        while True:
            with self._changed:
                queue = self._waiting[key]
                if not queue:
                    del self._waiting[key]
                    self._changed.notify_all()
                    return
                work = queue.popleft()
            work()

    def settled(self) -> None:
        """Waits for everything that was started."""
        if self._process == os.getpid():
            with self._changed:
                self._changed.wait_for(lambda: not self._waiting)


class Turnstile:
    """Lets one at a time through, for each key."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._locks: dict[Hashable, tuple[threading.Lock, list[None]]] = {}

    @contextmanager
    def alone(self, key: Hashable) -> Iterator[None]:
        with self._guard:
            lock, users = self._locks.setdefault(key, (threading.Lock(), []))
            users.append(None)
        try:
            with lock:
                yield
        finally:
            with self._guard:
                users.pop()
                if not users:
                    self._locks.pop(key, None)


def checked_client(loci: Any) -> None:
    """Raises:
    TypeError: It is no `Loci`, whose answers are there when a call comes back.
    """
    assemble = getattr(loci, "assemble", None)
    if not callable(assemble) or inspect.iscoroutinefunction(assemble):
        raise TypeError(
            f"loci must be a Loci, but is {type(loci).__name__}. With AsyncLoci use AsyncAgentMemory or AsyncAgentTools."
        )


def resolved(value: Any) -> Any:
    """What a function of the application has answered.

    Raises:
        TypeError: It has to be awaited, which a blocking agent cannot.
    """
    if inspect.isawaitable(value):
        if inspect.iscoroutine(value):
            value.close()
        raise TypeError("conversation is asynchronous, but the agent blocks: use AsyncLoci, or a plain function.")
    return value
