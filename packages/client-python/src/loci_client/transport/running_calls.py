"""The calls under way in one client."""

from __future__ import annotations

import threading

from loci_client.errors import closed


class RunningCalls:
    """Counts calls, so that closing and forking can wait for them. For any number of threads."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._count = 0
        self._is_held = False
        self.is_closed = False
        """No call is begun any more."""
        self.is_dropped = False
        """What is still under way ends now, with `CLOSED`."""

    def begin(self) -> None:
        """Raises:
        FailedPreconditionError: `CLOSED`.
        """
        with self._changed:
            while self._is_held:
                self._changed.wait()
            if self.is_closed:
                raise closed()
            self._count += 1

    def end(self) -> None:
        with self._changed:
            self._count -= 1
            if self._count <= 0:
                self._changed.notify_all()

    @property
    def count(self) -> int:
        return self._count

    def wait_until_idle(self, seconds: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: self._count <= 0, seconds)

    def hold(self) -> None:
        """Lets no call begin until `release`."""
        with self._changed:
            self._is_held = True

    def release(self) -> None:
        with self._changed:
            self._is_held = False
            self._changed.notify_all()

    def forget(self) -> None:
        """In the child of a fork: no thread but this one is left, and none of the calls."""
        self._changed = threading.Condition()
        self._count = 0
        self._is_held = False
