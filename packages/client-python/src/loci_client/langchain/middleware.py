"""Memory for agents of LangChain."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, cast

from langchain.agents.middleware.types import (
    AgentMiddleware,
    AgentState,
    ContextT,
    ModelRequest,
    ModelResponse,
    PrivateStateAttr,
    ResponseT,
)
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.tools import BaseTool
from langgraph.runtime import Runtime
from typing_extensions import NotRequired, TypedDict

from loci_client.agent import AgentMemory, AsyncAgentMemory, Conversation, RecalledBlock, INSTRUCTIONS_NOTICE
from loci_client.agent.recalled_block import summary_of
from loci_client.langchain.finished_turns import begin_of_run, is_answered, turns_of
from loci_client.langchain.messages import (
    is_of_user,
    latest_of_user,
    position_of,
    text_of_user,
    with_text_before,
    with_text_behind,
)
from loci_client.langchain.request import LociRequest, request_of
from loci_client.synchronous.client import Loci

if TYPE_CHECKING:
    from loci_client.agent.problem import Stage
    from loci_client.asynchronous.client import AsyncLoci


# So many messages before a question tell it from one that was asked before.
_MOST_BEFORE = 100


class Question(TypedDict):
    """What a run is about."""

    id: str | None
    """Of the user's message."""
    position: str
    """Where it stood when the run began: what is before it may be summarized meanwhile."""


class LociState(AgentState[ResponseT]):
    """What the middleware keeps for the time of a run, with its checkpoints."""

    loci_question: NotRequired[Annotated[Question, PrivateStateAttr]]


class LociMiddleware(AgentMiddleware[LociState[ResponseT], ContextT, ResponseT]):
    """Shows a model what is remembered of the user's message, and keeps what was said when the agent has finished.

    With `Loci` for agents that are invoked in both ways: asynchronously, its calls are made in threads. With `AsyncLoci`
    for those that are invoked asynchronously.
    """

    state_schema = LociState  # type: ignore[assignment]

    def __init__(
        self,
        loci: Loci | AsyncLoci,
        *,
        conversation: Conversation | Callable[[LociRequest[ContextT]], Any],
        recall: Mapping[str, object] | None = None,
        capture: bool = True,
        required: bool = False,
        recall_timeout: float = 2.0,
        on_error: Callable[[Exception, Stage], None] | None = None,
    ) -> None:
        """Made once for an agent.

        Args:
            conversation: Who speaks, in which conversation: always the same, or by what the agent was invoked with.
            recall: As for `AgentMemory`, like the other arguments.
        """
        super().__init__()
        kind: Any = AgentMemory if isinstance(loci, Loci) else AsyncAgentMemory
        self.memory: AgentMemory[LociRequest[ContextT]] | AsyncAgentMemory[LociRequest[ContextT]] = kind(
            loci,
            conversation=conversation,
            recall=recall,
            capture=capture,
            required=required,
            recall_timeout=recall_timeout,
            on_error=on_error,
        )

    def before_agent(self, state: LociState[ResponseT], runtime: Runtime[ContextT]) -> dict[str, Any] | None:
        """Notes what is asked.

        Raises:
            InvalidArgumentError: `SCOPE_REQUIRED`, the application does not say who speaks.
        """
        self._blocking().conversation_of(request_of(runtime))
        return _noted(state)

    async def abefore_agent(self, state: LociState[ResponseT], runtime: Runtime[ContextT]) -> dict[str, Any] | None:
        """As `before_agent`."""
        await self._conversation_of(runtime)
        return _noted(state)

    def wrap_model_call(
        self,
        request: ModelRequest[ContextT],
        handler: Callable[[ModelRequest[ContextT]], ModelResponse[ResponseT]],
    ) -> ModelResponse[ResponseT]:
        """Calls the model with what is remembered."""
        memory = self._blocking()
        conversation = memory.conversation_of(request_of(request.runtime))
        asked = _question(request)
        block = None if asked is None else memory.block_for(conversation, **asked)
        return _with_receipt(handler(_shown(request, block)), block)

    async def awrap_model_call(
        self,
        request: ModelRequest[ContextT],
        handler: Callable[[ModelRequest[ContextT]], Awaitable[ModelResponse[ResponseT]]],
    ) -> ModelResponse[ResponseT]:
        """As `wrap_model_call`."""
        conversation = await self._conversation_of(request.runtime)
        asked = _question(request)
        block = None if asked is None else await self._block_for(conversation, asked)
        return _with_receipt(await handler(_shown(request, block)), block)

    def after_agent(self, state: LociState[ResponseT], runtime: Runtime[ContextT]) -> None:
        """Keeps what was said, in the background."""
        memory = self._blocking()
        try:
            _finish(memory, memory.conversation_of(request_of(runtime)), state)
        except Exception as error:
            memory.tell(error, "capture")

    async def aafter_agent(self, state: LociState[ResponseT], runtime: Runtime[ContextT]) -> None:
        """As `after_agent`."""
        try:
            _finish(self.memory, await self._conversation_of(runtime), state)
        except Exception as error:
            self.memory.tell(error, "capture")

    def settled(self) -> None:
        """Waits until what has finished is kept. Call it before the client is closed."""
        self._blocking().settled()

    async def asettled(self) -> None:
        """As `settled`."""
        memory = self.memory
        if isinstance(memory, AsyncAgentMemory):
            await memory.settled()
        else:
            await asyncio.to_thread(memory.settled)

    def _blocking(self) -> AgentMemory[LociRequest[ContextT]]:
        if isinstance(self.memory, AsyncAgentMemory):
            raise TypeError("The agent was invoked blocking, but LociMiddleware has an AsyncLoci: use Loci, or ainvoke.")
        return self.memory

    async def _conversation_of(self, runtime: Runtime[ContextT]) -> Conversation:
        memory = self.memory
        if isinstance(memory, AsyncAgentMemory):
            return await memory.conversation_of(request_of(runtime))
        return memory.conversation_of(request_of(runtime))

    async def _block_for(self, conversation: Conversation, asked: Mapping[str, Any]) -> RecalledBlock | None:
        memory = self.memory
        if isinstance(memory, AsyncAgentMemory):
            return await memory.block_for(conversation, **asked)
        blocking = memory
        return await asyncio.to_thread(lambda: blocking.block_for(conversation, **asked))


def _noted(state: LociState[Any]) -> dict[str, Any] | None:
    messages = state["messages"]
    at = latest_of_user(messages)
    return None if at is None else {"loci_question": {"id": messages[at].id, "position": position_of(messages, at)}}


def _place(state: AgentState[Any], messages: Sequence[BaseMessage]) -> tuple[int, str] | None:
    """Where the latest message of the user stands now, and where it stood when the run began."""
    at = latest_of_user(messages)
    if at is None:
        return None
    noted = cast("Question | None", state.get("loci_question"))
    if noted is not None and noted["id"] == messages[at].id:
        return at, noted["position"]
    return at, position_of(messages, at)


def _question(request: ModelRequest[Any]) -> dict[str, Any] | None:
    """What is asked, as the arguments of `block_for`."""
    place = _place(request.state, request.messages)
    if place is None:
        return None
    names = [_named(tool) for tool in request.tools]
    return {
        "question": text_of_user(request.messages[place[0]]),
        "position": place[1],
        "earlier": [text_of_user(said) for said in request.messages[: place[0]] if is_of_user(said)],
        "tools": [name for name in names if name],
    }


def _named(tool: BaseTool | dict[str, Any]) -> str | None:
    """The name of a tool, also in the form of a provider."""
    if isinstance(tool, BaseTool):
        return tool.name
    name = tool.get("name") or tool.get("function", {}).get("name")
    return name if isinstance(name, str) else None


def _shown(request: ModelRequest[ContextT], block: RecalledBlock | None) -> ModelRequest[ContextT]:
    messages = list(request.messages)
    at = latest_of_user(messages)
    if block is not None and at is not None:
        messages[at] = cast(Any, with_text_before(messages[at], block.text))
    return request.override(
        messages=messages, system_message=with_text_behind(request.system_message, INSTRUCTIONS_NOTICE)
    )


def _with_receipt(response: ModelResponse[ResponseT], block: RecalledBlock | None) -> ModelResponse[ResponseT]:
    """Says with the answer which memories it was given with."""
    if block is not None:
        for message in response.result:
            if isinstance(message, AIMessage):
                message.response_metadata["loci"] = summary_of(block)
    return response


def _finish(memory: AgentMemory[Any] | AsyncAgentMemory[Any], conversation: Conversation, state: LociState[Any]) -> None:
    messages = state["messages"]
    place = _place(state, messages)
    if place is not None and is_answered(messages):
        begin = begin_of_run(messages, place[0])
        before = turns_of(messages[max(0, begin - _MOST_BEFORE) : begin])
        turns, question = turns_of(messages[begin:]), text_of_user(messages[place[0]])
        memory.finished(conversation, turns, position=place[1], question=question, before=before)
