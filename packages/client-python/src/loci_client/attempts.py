"""When a call that failed is sent again."""

from __future__ import annotations

import random

from loci_client.errors import LociError

MAX_ATTEMPTS = 7
"""How often a call is sent at most by a client that no server has answered yet: its address may be wrong. With the pauses between, some
four seconds. One that was answered goes on until its time is over: a busy server takes longer to be back."""

_MAX_ATTEMPTS_AT_TLS = 2
"""The same where client and server do not agree on TLS: nothing but another server at the address would help."""

_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 2.0


def pause_before(
    attempt: int, failure: LociError, is_repeatable: bool, *, was_answered: bool = False
) -> float | None:
    """How many seconds to wait before an attempt, the first being 1; `None` when it would not help.

    Args:
        failure: What the attempt before ended with.
        is_repeatable: False for what must not happen twice and has no idempotency key.
        was_answered: A server has answered this client before, and the call has an end of its own.
    """
    most = _MAX_ATTEMPTS_AT_TLS if failure._is_of_tls else None if was_answered else MAX_ATTEMPTS
    if most is not None and attempt > most:
        return None
    return pause_for(attempt, failure, is_repeatable)


def pause_for(
    attempt: int, failure: LociError, is_repeatable: bool = True, *, may_wait_again: bool = False
) -> float | None:
    """The same, however many attempts there were.

    Args:
        may_wait_again: An attempt is worth it that would only wait for a connection as long again.
    """
    # A call that the server asks to come back later has not begun, whatever it is.
    told = failure.retry_after if failure.code == "RESOURCE_EXHAUSTED" else None
    is_patient = may_wait_again or failure._is_repeatable
    if told is None and not (is_repeatable and is_patient and failure.code == "UNAVAILABLE"):
        return None
    longest: float = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** (attempt - 2))
    # Half of it is chance, so that many clients do not come back at the same moment.
    return longest * (0.5 + random.random() / 2) + (told or 0.0)
