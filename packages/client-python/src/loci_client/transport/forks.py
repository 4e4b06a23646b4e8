"""Lets programs fork that have a client: Gunicorn, Celery, multiprocessing."""

from __future__ import annotations

import os
import weakref
from time import monotonic, sleep
from typing import Any, Protocol

from loci_client.transport.running_calls import RunningCalls

_LONGEST_WAIT = 2.0
_POLL_SECONDS = 0.002
_STREAM_SECONDS = 0.05

# What gRPC holds does not survive a fork, and freeing it in the child may wait for threads that are no more.
_left_behind: list[Any] = []


class Forkable(Protocol):
    """What has channels."""

    running: RunningCalls

    def can_wait(self) -> bool:
        """False when what is under way can only end after the fork."""

    def end_streams(self) -> int:
        """Ends streams as if their connection was lost: they go on where they were. Gives how many there were."""

    def has_streams(self) -> bool:
        """True until all of them have ended."""

    def rest(self) -> list[weakref.ref[Any]]:
        """In the parent, before the fork, when nothing is under way. Gives what has to be gone by then."""

    def leave_behind(self) -> Any:
        """In the child: forgets the parent's channels, and gives them."""


_all: weakref.WeakSet[Forkable] = weakref.WeakSet()


def survive_forks(transport: Forkable) -> None:
    """Has forks wait for calls under way, at most 2 s for those of all clients. Children begin without a channel."""
    _all.add(transport)


def _before() -> None:
    end = monotonic() + _LONGEST_WAIT
    transports = list(_all)
    for transport in transports:
        transport.running.hold()
    idle = []
    for transport in transports:
        if transport.can_wait() and transport.running.wait_until_idle(max(0.0, end - monotonic())):
            idle.append(transport)
    # Now that none begins any more.
    ended = sum([transport.end_streams() for transport in transports])
    end = max(end, monotonic() + _STREAM_SECONDS)
    resting = []
    for transport in idle:
        while transport.has_streams() and monotonic() < end:
            sleep(_POLL_SECONDS)
        resting += transport.rest()
    while monotonic() < end and any(left() is not None for left in resting):
        sleep(_POLL_SECONDS)
    if ended > 0:
        # What they have left is taken away by the threads that read them.
        sleep(_STREAM_SECONDS)


def _in_parent() -> None:
    for transport in list(_all):
        transport.running.release()


def _in_child() -> None:
    for transport in list(_all):
        transport.running.forget()
        _left_behind.append(transport.leave_behind())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_in_parent, after_in_child=_in_child)
