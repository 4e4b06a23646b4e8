# Generated from ../asynchronous/operations.py by `npm run generate`.
"""Work that outlives the call that started it."""

from __future__ import annotations

import math
from collections.abc import Callable
from time import monotonic

from loci_client import v1
from loci_client.synchronous.calls import Calls, checked_timeout
from loci_client.errors import LociError, make_error
from loci_client.fill import fill
from loci_client.method import Method
from loci_client.types import MaintenanceProgress, Operation

_SERVICE = "OperationService"
_SETTLE: Method[v1.SettleIndexesResponse] = Method(_SERVICE, "SettleIndexes")
_GET: Method[v1.GetOperationResponse] = Method(_SERVICE, "GetOperation")
_WAIT: Method[v1.WaitOperationResponse] = Method(_SERVICE, "WaitOperation")
_CANCEL: Method[v1.CancelOperationResponse] = Method(_SERVICE, "CancelOperation")

_LONGEST_WAIT = 20.0
_PROGRESS_WAIT = 1.0


class Operations:
    """Starts, reads, awaits and stops operations. Each is known for an hour after its end."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    def settle_indexes(self, *, timeout: float | None = None) -> RunningOperation:
        """Starts waiting for every index to catch up with what was committed before. `Loci.settled` also waits."""
        response = self._calls.unary(_SETTLE, v1.SettleIndexesRequest(), timeout)
        return RunningOperation(self, Operation.from_proto(response.operation))

    def get(self, id: str, *, timeout: float | None = None) -> Operation:
        """An operation as it stands."""
        response = self._calls.unary(_GET, fill(v1.GetOperationRequest(), {"id": id}), timeout)
        return Operation.from_proto(response.operation)

    def wait(self, id: str, *, wait: float | None = None, timeout: float | None = None) -> Operation:
        """Gives an operation when it has ended, or when the wait is over, whichever is first.

        Args:
            wait: In seconds, at most 60. Default 30.
        """
        request = fill(v1.WaitOperationRequest(), {"id": id, "timeout": wait})
        response = self._calls.unary(_WAIT, request, timeout)
        return Operation.from_proto(response.operation)

    def cancel(self, id: str, *, timeout: float | None = None) -> Operation:
        """Stops an operation. One that has ended stays as it is."""
        request = fill(v1.CancelOperationRequest(), {"id": id})
        response = self._calls.unary(_CANCEL, request, timeout)
        return Operation.from_proto(response.operation)

    def running(self, operation: Operation) -> RunningOperation:
        """An operation, to be waited for or cancelled: also one that another process has started."""
        return RunningOperation(self, operation)

    @property
    def longest_wait(self) -> float:
        """Half the time of a call, so that waiting on is the rule and a timeout means trouble."""
        return min(_LONGEST_WAIT, self._calls.timeout / 2)


class RunningOperation:
    """Work that the server carries out."""

    def __init__(self, operations: Operations, operation: Operation) -> None:
        """Made by the call that starts it."""
        self._operations = operations
        self.operation = operation
        """As it was when it was read last."""

    @property
    def id(self) -> str:
        """Names it, in other processes too: `loci.operations.get(id)`."""
        return self.operation.id

    def wait(
        self,
        *,
        on_progress: Callable[[MaintenanceProgress], None] | None = None,
        timeout: float | None = None,
    ) -> Operation:
        """Waits for its end, however long it takes. It goes on when the wait ends before.

        Args:
            on_progress: Called about once a second with how far it has come.
            timeout: In seconds. Default: none.

        Raises:
            LociError: Why it failed, or that it was cancelled.
            DeadlineExceededError: It is not over.
        """
        deadline = math.inf if timeout is None else monotonic() + checked_timeout(timeout)
        longest = self._operations.longest_wait if on_progress is None else _PROGRESS_WAIT
        while self.operation.state == "running":
            left = deadline - monotonic()
            wait = max(0.0, min(longest, left))
            limit = None if left == math.inf else left
            self.operation = self._operations.wait(self.id, wait=wait, timeout=limit)
            if on_progress is not None and self.operation.progress is not None:
                on_progress(self.operation.progress)
        if self.operation.state != "succeeded":
            raise _end_of(self.operation)
        return self.operation

    def cancel(self, *, timeout: float | None = None) -> Operation:
        """Stops it. One that has ended stays as it is."""
        self.operation = self._operations.cancel(self.id, timeout=timeout)
        return self.operation

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id!r}, {self.operation.state!r})"


def _end_of(operation: Operation) -> LociError:
    if operation.error is not None:
        return operation.error
    code = "CANCELLED" if operation.state == "cancelled" else "INTERNAL"
    message = f"The operation {operation.id} ended as {operation.state}."
    return make_error(code, code, message, "Try again.", resource=operation.id)
