"""How long a stream that was lost is taken up again."""

from __future__ import annotations

from time import monotonic

from loci_client.attempts import pause_for
from loci_client.errors import LociError, make_error

RESUME_SECONDS = 60.0
"""An ordinary restart of a server."""


class Resumption:
    """Of one stream. A stream that has not begun has nothing to go on behind, and fails as a call does."""

    def __init__(self) -> None:
        self.has_begun = False
        self._lost_at: float | None = None

    def has_come(self) -> None:
        """An answer has."""
        self.has_begun = True
        self._lost_at = None

    def pause_before(self, attempt: int, failure: LociError) -> float | None:
        """How many seconds to wait before an attempt; `None` when it would not help.

        Raises:
            LociError: The same reason, when the stream is lost for too long.
        """
        pause = pause_for(attempt, failure, may_wait_again=True)
        if pause is None:
            return None
        now = monotonic()
        if self._lost_at is None:
            self._lost_at = now
        if now + pause < self._lost_at + RESUME_SECONDS:
            return pause
        message = f"The stream was lost, and could not be taken up again within {RESUME_SECONDS:g} s: {failure.message}"
        advice = "When the server is back, begin again behind the last cursor or id that was told."
        raise make_error(
            failure.code,
            failure.reason,
            message,
            advice,
            resource=failure.resource,
            details=failure.details,
            retry_after=failure.retry_after,
        )
