"""The rules by which an agent of any framework remembers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from loci_client.agent.background.asynchronous import AsyncTurnstile, checked_client, resolved
from loci_client.agent.block_layout import LEAST_BLOCK_TOKENS
from loci_client.agent.conversation import Conversation, check_asked, missing_in_request, scope_required
from loci_client.agent.keepable_turns import TurnInput, keepable_turns
from loci_client.agent.problem import Stage, warn_of_problem
from loci_client.agent.recalled_block import RecalledBlock, block_request, checked_options, read_block
from loci_client.agent.recent import Recent
from loci_client.agent.without_recalled import without_recalled
from loci_client.asynchronous.finished_runs import AsyncFinishedRuns
from loci_client.errors import LociError

if TYPE_CHECKING:
    from loci_client.asynchronous.client import AsyncLoci

Request = TypeVar("Request")

_MOST_QUESTIONS = 256
_LONGEST_RUN = 3_600.0


class AsyncAgentMemory(Generic[Request]):
    """The rules by which every adapter remembers.

    Who speaks comes from the application, a question is recalled for once, and a run is kept once, when it is finished.
    For any number of conversations at once; a loop of your own may call it as well.
    """

    def __init__(
        self,
        loci: AsyncLoci,
        *,
        conversation: Conversation | Callable[[Request], Any],
        recall: Mapping[str, object] | None = None,
        capture: bool = True,
        required: bool = False,
        recall_timeout: float = 2.0,
        on_error: Callable[[Exception, Stage], None] | None = None,
    ) -> None:
        """Made once for an agent.

        Args:
            conversation: Who speaks, in which conversation: always the same, or by the request.
            recall: What stands in the block before a question: `max_tokens`, the most it takes (from 200, default 2,000),
                `time_zone`, and arguments of `loci.recall`: `limit`, `procedure_limit`, `categories`, `where`, `profile`,
                `strategy`, `relevance_floor`, `max_tokens_per_memory`, `fallback`.
            capture: Whether memories are made of what is said. False: a session that is begun keeps its turns, and nothing
                is learnt of them. A session that is there already is captured as it says itself.
            required: Whether the call fails when nothing could be recalled because Loci failed. Default: it goes on
                without.
            recall_timeout: How long a recall may take, in seconds.
            on_error: Told what failed, and whether before the model was called (`recall`) or while what was said was kept
                (`capture`). Default: a warning in the log, which quotes nothing.

        Raises:
            InvalidArgumentError: `INVALID_BUDGET`, for a block of less than 200 tokens.
            TypeError: The client is of the other kind, or `conversation` is neither a `Conversation` nor a function.
        """
        checked_client(loci)
        if not isinstance(conversation, Conversation) and not callable(conversation):
            raise TypeError(
                f"conversation must be a Conversation or a function that gives one, but is {type(conversation).__name__}."
            )
        self._loci = loci
        self._conversation = conversation
        self._recall = checked_options({} if recall is None else recall)
        self._required = required
        self._recall_timeout = recall_timeout
        self._on_error = warn_of_problem if on_error is None else on_error
        # With the time of the last step that was shown it.
        self._blocks: Recent[tuple[RecalledBlock | None, float]] = Recent(_MOST_QUESTIONS)
        self._turnstile = AsyncTurnstile()
        self._runs = AsyncFinishedRuns(loci, capture, lambda error: self.tell(error, "capture"))

    async def conversation_of(self, request: Request) -> Conversation:
        """Who speaks, by what the application says: ask before the model is called.

        Raises:
            InvalidArgumentError: `SCOPE_REQUIRED`, nobody says it, also where the function fails because a request has not what
                it reads.
        """
        given = self._conversation
        try:
            found = given if isinstance(given, Conversation) else await resolved(given(request))
        except (AttributeError, KeyError, TypeError) as error:
            if isinstance(error, TypeError) and "NoneType" not in str(error):
                raise
            raise missing_in_request(error) from error
        if found is None:
            raise scope_required()
        if not isinstance(found, Conversation):
            raise TypeError(f"conversation must give a Conversation, but gave {type(found).__name__}.")
        return found

    async def block_for(
        self,
        conversation: Conversation,
        question: str,
        *,
        position: Hashable,
        earlier: Sequence[str] = (),
        tools: Iterable[str] | None = None,
    ) -> RecalledBlock | None:
        """What is to stand before a question: the same bytes in all steps of its run.

        Args:
            question: The latest message of the user, its texts together. A block in front of it is passed over.
            position: Where it stands: how many messages are before it, or whatever else is the same in all steps and when
                the run is tried again.
            earlier: What the user said before it, oldest first, as far as it is known: a question that goes on from that, such
                as "and on Saturday?", is asked together with it.
            tools: Names of the tools in use, which bring the procedures for them.

        Returns:
            `None` when there is nothing to show, and when Loci did not answer, which `on_error` is told.

        Raises:
            LociError: What went wrong, where memory is required.
        """
        check_asked(conversation, question)
        asked = without_recalled(question)
        key = _question_key(conversation, asked, position)
        async with self._turnstile.alone(key):
            known = self._blocks.find(key)
            if known is not None and monotonic() - known[1] < _LONGEST_RUN:
                block = known[0]
            else:
                block = await self._recalled(conversation, asked, earlier, tools, self._recall)
            self._blocks.keep(key, (block, monotonic()))
            return block

    async def shorter_block_for(
        self,
        conversation: Conversation,
        question: str,
        *,
        max_tokens: int,
        earlier: Sequence[str] = (),
        tools: Iterable[str] | None = None,
    ) -> RecalledBlock | None:
        """What is to stand before a question where there is less room than `recall` says. It is asked for anew each time.

        Args:
            max_tokens: The most it takes. For less than 200 there is none.

        Raises:
            LociError: What went wrong, where memory is required.
        """
        check_asked(conversation, question)
        if max_tokens < LEAST_BLOCK_TOKENS:
            return None
        options = {**self._recall, "max_tokens": max_tokens}
        return await self._recalled(conversation, without_recalled(question), earlier, tools, options)

    def finished(
        self,
        conversation: Conversation,
        turns: Iterable[TurnInput],
        *,
        position: Hashable,
        question: str | None = None,
        before: Iterable[TurnInput] = (),
    ) -> None:
        """Keeps a finished run in the background, once, however often this is called. Without a session nothing is kept.

        Call it when the model has answered: not between the steps of a tool loop, nor for a run that was stopped or failed.

        Args:
            turns: What the user said since the last answer, the question last; what tools were asked and returned; and the
                answer.
            position: Where the question stands: as when its block was asked for.
            question: As its block was asked for. Default: the last turn of the user.
            before: What was said before the question, oldest first, as far as it is known: tells a run that is kept again
                from one that says the same as an earlier one.
        """
        try:
            check_asked(conversation, question or "")
            said = keepable_turns(turns)
            if len(said) == 0:
                return
            of_user = [turn.content for turn in said if turn.role == "user"]
            asked = without_recalled(question) if question is not None else of_user[-1] if of_user else ""
            self._blocks.forget(_question_key(conversation, asked, position))
            if conversation.session is not None:
                self._runs.keep(conversation, said, keepable_turns(before), position)
        except Exception as error:
            # The user has the answer already.
            self.tell(error, "capture")

    async def settled(self) -> None:
        """Waits until everything that was finished so far is kept, or has failed: before the client is closed."""
        await self._runs.settled()

    def tell(self, error: Exception, stage: Stage) -> None:
        """Tells `on_error` what failed, for adapters: once there is an answer nothing may fail any more."""
        try:
            self._on_error(error, stage)
        except Exception as problem:
            warn_of_problem(problem, stage)

    async def _recalled(
        self,
        conversation: Conversation,
        asked: str,
        earlier: Sequence[str],
        tools: Iterable[str] | None,
        options: Mapping[str, object],
    ) -> RecalledBlock | None:
        request = block_request(conversation, asked, options, earlier=earlier, tools=tools)
        try:
            return read_block(await self._loci.assemble(**request, timeout=self._recall_timeout))
        except LociError as error:
            if self._required:
                raise
            # The other steps of the run go on without as well, instead of waiting each anew.
            self.tell(error, "recall")
            return None


def _question_key(conversation: Conversation, question: str, position: Hashable) -> Hashable:
    asked = hashlib.sha256(question.encode(errors="surrogatepass")).digest()
    return (conversation.scope, conversation.session, conversation.recall_from, position, asked)
