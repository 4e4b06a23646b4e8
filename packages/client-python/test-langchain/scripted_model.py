"""A chat model that answers as it is told, and remembers what it was sent."""

from copy import deepcopy

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from pydantic import Field


def calls(name, id="c1", **arguments):
    """An answer that calls a tool."""
    return AIMessage("", tool_calls=[{"name": name, "args": arguments, "id": id}])


class ScriptedModel(BaseChatModel):
    """Each call takes the next step: a text, a message, an error, or a function of the messages."""

    steps: list = Field(default_factory=list)
    sent: list = Field(default_factory=list)

    @property
    def _llm_type(self):
        return "scripted"

    def bind_tools(self, tools, **options):
        return self

    def _next(self, messages):
        self.sent.append(deepcopy(messages))
        step = self.steps.pop(0)
        step = step(messages) if callable(step) else step
        if isinstance(step, BaseException):
            raise step
        return AIMessage(step) if isinstance(step, str) else step

    def _generate(self, messages, stop=None, run_manager=None, **options):
        return ChatResult(generations=[ChatGeneration(message=self._next(messages))])

    def _stream(self, messages, stop=None, run_manager=None, **options):
        message = self._next(messages)
        pieces = [message.content[at : at + 3] for at in range(0, len(message.content), 3)] or [""]
        for at, piece in enumerate(pieces):
            tool_calls = message.tool_calls if at == 0 else []
            yield ChatGenerationChunk(message=AIMessageChunk(piece, tool_calls=tool_calls))
