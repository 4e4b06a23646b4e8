"""Says what failed when nobody else is told."""

from __future__ import annotations

import logging
from traceback import walk_tb
from typing import Literal

from loci_client.errors import LociError

Stage = Literal["recall", "capture"]
"""Where something failed: before the model was called, or while what was said was kept."""

_WHAT_FAILED = {
    "recall": "nothing was recalled for a model call, which went on without",
    "capture": "what was said was not kept",
}

_log = logging.getLogger("loci_client.agent")


def warn_of_problem(error: Exception, stage: Stage) -> None:
    """Warns in the log. What Loci says of a problem quotes no memory; of anything else there is only its name."""
    why = str(error) if isinstance(error, LociError) or _is_of_an_argument(error) else type(error).__name__
    if stage == "capture" and isinstance(error, LociError) and error.reason == "CLOSED":
        # Who closed the client too early has called nothing that could come back: the call was the memory's.
        why = f"{error.message} Wait for the memory's settled() before you close the client. [CLOSED]"
    _log.warning("Loci: %s. %s", _WHAT_FAILED[stage], why)


def _is_of_an_argument(error: Exception) -> bool:
    """Whether this package has found an argument wrong: what it says then names the argument and its type, and quotes nothing."""
    if type(error) not in (TypeError, ValueError):
        return False
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    return len(frames) > 0 and str(frames[-1].f_globals.get("__name__", "")).startswith("loci_client.")
