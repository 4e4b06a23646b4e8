"""When a call that failed is sent again."""

from __future__ import annotations

import random

from loci_client.errors import LociError

MAX_ATTEMPTS = 5
"""How often a call is sent at most. With the pauses between, a server that restarts quickly is not noticed."""

_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 2.0


def pause_before(attempt: int, failure: LociError, is_repeatable: bool) -> float | None:
    """How many seconds to wait before an attempt, the first being 1; `None` when it would not help.

    Args:
        failure: What the attempt before ended with.
        is_repeatable: False for what must not happen twice and has no idempotency key.
    """
    # A call that the server asks to come back later has not begun, whatever it is.
    told = failure.retry_after if failure.code == "RESOURCE_EXHAUSTED" else None
    may_help = told is not None or (is_repeatable and failure._is_repeatable and failure.code == "UNAVAILABLE")
    if not may_help or attempt > MAX_ATTEMPTS:
        return None
    longest: float = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** (attempt - 2))
    # Half of it is chance, so that many clients do not come back at the same moment.
    return longest * (0.5 + random.random() / 2) + (told or 0.0)
