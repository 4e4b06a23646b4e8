# Generated from ../asynchronous/finished_runs.py by `npm run generate`.
"""Keeps the runs of agents that have finished."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Union

from loci_client.agent.background.synchronous import Background
from loci_client.agent.conversation import Conversation
from loci_client.agent.keepable_turns import digest_of
from loci_client.agent.recent import Recent
from loci_client.agent.repetitions import repetitions
from loci_client.agent.run_parts import RunPart, in_parts
from loci_client.errors import AlreadyExistsError, DeadlineExceededError, LociError, NotFoundError, UnavailableError
from loci_client.scope import Scope

if TYPE_CHECKING:
    from loci_client.synchronous.client import Loci
    from loci_client.types import AppendedTurns, Session, Turn

_SessionKey = tuple[Union[str, Scope], str]

_MOST_SESSIONS = 256
_MOST_RUNS = 1_024
# So many turns before a run tell it from others: where a history is cut, all runs have the same position.
_MOST_NAMED = 4
# So often somebody else may have gone on with a session before this gives up.
_MOST_ATTEMPTS = 50
# What others may have appended between a run and its repetition.
_OTHERS_BETWEEN = 40
# So many runs of a session wait for Loci to be there again.
_MOST_MISSED = 64


class _Run(NamedTuple):
    """A run to keep."""

    name: Hashable
    conversation: Conversation
    session: _SessionKey
    parts: tuple[RunPart, ...]


class _Place(NamedTuple):
    """Where a session stands, as far as is known here."""

    last_turn: int
    last_of_others: int
    """The last turn that may be of another process. Among those up to it are perhaps those of a run."""


class FinishedRuns:
    """Appends runs to their sessions, each once: also when it is appended again by a process that knows nothing of it.

    Turns have no key of their own, so a repetition is known by what it says: as soon as somebody else may have gone on with
    the session, its newest turns are searched for those of the run. What was said before the question tells a repetition
    from somebody who says the same again, so that who says thanks twice is kept twice.
    """

    def __init__(self, loci: Loci, learns: bool, failed: Callable[[Exception], None]) -> None:
        """Keeps runs in the background.

        Args:
            learns: Whether memories are made of a session that is begun here.
            failed: Told of what could not be kept.
        """
        self._loci = loci
        self._learns = learns
        self._failed = failed
        self._runs: Recent[None] = Recent(_MOST_RUNS)
        self._places: Recent[_Place] = Recent(_MOST_SESSIONS)
        # Runs that could not be kept because Loci was away, oldest first, by session.
        self._missed: Recent[list[_Run]] = Recent(_MOST_SESSIONS)
        self._background = Background()

    def keep(
        self, conversation: Conversation, turns: tuple[Turn, ...], before: tuple[Turn, ...], position: Hashable
    ) -> None:
        """Begins to keep a run, behind what is being kept of its session.

        One that could not be kept can be kept again, and is with the next one of its session if Loci was away.
        """
        session = (conversation.scope, str(conversation.session))
        name = (session, position, digest_of(before[-_MOST_NAMED:]), digest_of(turns))
        run = _Run(name, conversation, session, in_parts(turns, before))

        def append() -> None:
            self._keep_with_missed(run)

        def give_up() -> None:
            self._give_up([run])

        if self._runs.keep(name, None):
            self._background.start(session, append, give_up)

    def settled(self) -> None:
        """Waits for what was begun."""
        self._background.settled()

    def _keep_with_missed(self, run: _Run) -> None:
        missed = self._missed.find(run.session) or []
        to_keep = missed if any(each.name == run.name for each in missed) else [*missed, run]
        problems: list[Exception] = []
        left: list[_Run] = []
        for place, each in enumerate(to_keep):
            try:
                self._keep_run(each, is_late=len(missed) > 0)
                self._runs.keep(each.name, None)
            except Exception as error:
                problems.append(error)
                if isinstance(error, (UnavailableError, DeadlineExceededError)):
                    left = to_keep[place:][-_MOST_MISSED:]
                    self._give_up(to_keep[place:])
                    break
                self._give_up([each])
        if len(left) > 0:
            self._missed.keep(run.session, left)
        else:
            self._missed.forget(run.session)
        if len(problems) > 0:
            self._failed(problems[0])

    def _give_up(self, runs: Sequence[_Run]) -> None:
        for run in runs:
            self._runs.forget(run.name)
            # It may have been appended, or not.
            self._places.forget(run.session)

    def _keep_run(self, run: _Run, is_late: bool) -> None:
        for part in run.parts:
            self._append(run, part, is_late)

    def _append(self, run: _Run, part: RunPart, is_late: bool) -> None:
        conversation, session = run.conversation, run.session
        attempt = 1
        while True:
            try:
                place = self._places.find(session) or self._begin(conversation, session)
                # Among these may be those of the run, and of what was said before it.
                first_turn = max(1, place.last_turn + 1 - len(part.before) - part.run_length - _OTHERS_BETWEEN)
                appended = None
                if place.last_of_others >= first_turn:
                    appended = self._standing(session, part, first_turn, place.last_turn, is_late)
                if appended is None:
                    part.not_up_to = place.last_turn
                    appended = self._loci.sessions.append(
                        session, part.turns, expected_last_turn=place.last_turn
                    )
                if appended.replayed:
                    place = _Place(*[max(known, appended.last_turn) for known in place])
                else:
                    place = _Place(appended.last_turn, place.last_of_others)
                self._places.keep(session, place)
                return
            except LociError as error:
                self._places.forget(session)
                if not _is_outdated(error) or attempt == _MOST_ATTEMPTS:
                    raise
            attempt += 1

    def _begin(self, conversation: Conversation, session: _SessionKey) -> _Place:
        """Where it stands now. It is begun when it is missing."""
        try:
            return _place_of(self._loci.sessions.get(session))
        except NotFoundError:
            pass
        try:
            # Captured by Loci itself in the commit that appends: what was kept is learnt of, whoever dies meanwhile.
            made = self._loci.sessions.create(
                session,
                agent=conversation.agent,
                project=conversation.project,
                capture_moment=None if self._learns else "off",
                capture_every_turns=1 if self._learns else None,
            )
            return _place_of(made)
        except AlreadyExistsError:
            return _place_of(self._loci.sessions.get(session))

    def _standing(
        self, session: _SessionKey, part: RunPart, first_turn: int, last_turn: int, is_late: bool
    ) -> AppendedTurns | None:
        """Where the turns of a run stand already among these of its session."""
        pages = self._loci.sessions.turns(session, first_turn=first_turn, last_turn=last_turn, page_size=1_000)
        stored = [turn for turn in pages]
        # A session that is shorter than it was is another one: it was deleted meanwhile.
        first = 0 if part.not_up_to > last_turn else max(0, part.not_up_to + 1 - first_turn)
        for place in repetitions(part.turns, part.before, stored, is_late=is_late, first=first):
            try:
                # Loci compares them as it keeps them: secrets are not kept as they were said.
                return self._loci.sessions.append(
                    session, part.turns, expected_last_turn=stored[place].number - 1
                )
            except LociError as error:
                if not _is_outdated(error):
                    raise
        return None


def _place_of(session: Session) -> _Place:
    return _Place(session.last_turn, session.last_turn)


def _is_outdated(error: LociError) -> bool:
    return error.reason in ("TURN_CONFLICT", "VERSION_CONFLICT", "SESSION_NOT_FOUND")
