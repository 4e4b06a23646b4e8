"""A session that others may append to as well, and that is made when it is needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union

from loci_client.errors import AlreadyExistsError, ConflictError, NotFoundError
from loci_client.scope import Scope
from loci_client.synchronous.client import Loci
from loci_client.types import Turn


class GrowingSession:
    """Appends behind whatever stands there.

    Args:
        settings: What the session is made with when its first turn comes.
    """

    def __init__(self, loci: Loci, key: tuple[Union[str, Scope], str], settings: Mapping[str, Any]) -> None:
        self._loci = loci
        self._key = key
        self._settings = settings
        self._last_turn: int | None = None

    def turns(self) -> list[Turn]:
        """All turns, oldest first. None where there is no session."""
        try:
            return list(self._loci.sessions.turns(self._key, page_size=1_000))
        except NotFoundError:
            return []

    def append(
        self, turns: Sequence[Turn], before: Callable[[int], None] = lambda first: None
    ) -> None:
        """Appends up to 100 turns, all or none.

        Args:
            before: Is told which number the first of them gets; again, when somebody else was quicker.
        """
        while turns:
            last_turn = self._open() if self._last_turn is None else self._last_turn
            self._last_turn = None
            before(last_turn + 1)
            try:
                self._last_turn = self._loci.sessions.append(self._key, turns, expected_last_turn=last_turn).last_turn
                return
            except ConflictError:
                continue

    def delete(self) -> None:
        self._last_turn = None
        try:
            self._loci.sessions.delete(self._key)
        except NotFoundError:
            pass

    def _open(self) -> int:
        """The number of its last turn."""
        try:
            return self._loci.sessions.get(self._key).last_turn
        except NotFoundError:
            pass
        try:
            return self._loci.sessions.create(self._key, **self._settings).last_turn
        except AlreadyExistsError:
            return self._loci.sessions.get(self._key).last_turn
