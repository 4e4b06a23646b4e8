"""Agents of LangChain pass the conversations that adapters in every language are played."""

import unittest

from langchain.agents import create_agent
from langchain.tools import ToolRuntime, tool
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, SystemMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from loci_client.langchain import LociMiddleware
from served_loci import needs_server
from told_conversations import CONVERSATIONS, INSTRUCTIONS, SOME_CONVERSATIONS, RunningLoop, is_image, message, play


class DrivenModel(BaseChatModel):
    """A model that does what a script says."""

    script: object

    @property
    def _llm_type(self):
        return "driven"

    def bind_tools(self, tools, **options):
        return self

    def _next(self, messages):
        instructions = [sent.text for sent in messages if isinstance(sent, SystemMessage)]
        text, calls = self.script.next(
            "|".join(instructions), [shown(sent) for sent in messages if not isinstance(sent, SystemMessage)]
        )
        return text, [{"id": call["id"], "name": call["tool"], "args": call["input"]} for call in calls]

    def _generate(self, messages, stop=None, run_manager=None, **options):
        text, calls = self._next(messages)
        return ChatResult(generations=[ChatGeneration(message=AIMessage(text, tool_calls=calls))])

    def _stream(self, messages, stop=None, run_manager=None, **options):
        text, calls = self._next(messages)
        for word in text.splitlines(keepends=True):
            yield ChatGenerationChunk(message=AIMessageChunk(word))
        yield ChatGenerationChunk(message=AIMessageChunk("", tool_calls=calls))


class Driver:
    def __init__(self, loci, **options):
        self.memory = LociMiddleware(
            loci, conversation=lambda request: request.configurable.get("conversation"), **options
        )

    def prepared(self, conversation, history, messages, script):
        agent = create_agent(
            DrivenModel(script=script),
            tools=[named(name, script) for name in script.tools],
            system_prompt=INSTRUCTIONS,
            middleware=[self.memory],
        )
        given = {"messages": [*(history or []), *[HumanMessage(content_of(each)) for each in messages]]}
        return agent, given, {"configurable": {"conversation": conversation}}

    def ask(self, conversation, history, messages, script, is_streamed):
        agent, given, config = self.prepared(conversation, history, messages, script)
        if not is_streamed:
            return answer_in(agent.invoke(given, config))
        pieces = list(agent.stream(given, config, stream_mode=["messages", "values"]))
        return answer_in(next(piece for mode, piece in reversed(pieces) if mode == "values"))

    def settled(self):
        self.memory.settled()


class AsynchronousDriver(Driver):
    async def ask(self, conversation, history, messages, script, is_streamed):
        agent, given, config = self.prepared(conversation, history, messages, script)
        if not is_streamed:
            return answer_in(await agent.ainvoke(given, config))
        modes = ["messages", "values"]
        pieces = [piece async for piece in agent.astream(given, config, stream_mode=modes)]
        return answer_in(next(piece for mode, piece in reversed(pieces) if mode == "values"))

    async def settled(self):
        await self.memory.asettled()


def answer_in(state):
    return str(state["messages"][-1].text), state["messages"]


def named(name, script):
    @tool(name, description=name, args_schema={"type": "object", "properties": {}, "additionalProperties": True})
    def called(runtime: ToolRuntime, **given):
        return script.result_of(runtime.tool_call_id)

    return called


def content_of(asked):
    if isinstance(asked, str):
        return asked
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    return [image if is_image(part) else {"type": "text", "text": part} for part in asked]


def shown(sent):
    if isinstance(sent, ToolMessage):
        return message("tool", str(sent.text), answers=sent.tool_call_id)
    if isinstance(sent, AIMessage):
        calls = [(call["id"], call["name"], call["args"]) for call in sent.tool_calls]
        return message("assistant", str(sent.text), calls)
    content = [{"type": "text", "text": sent.content}] if isinstance(sent.content, str) else sent.content
    return message("user", "".join([part["text"] if part["type"] == "text" else "[image]" for part in content]))


@needs_server
class ConversationsTest(unittest.TestCase):
    def test_conversations(self):
        for told in CONVERSATIONS:
            with self.subTest(told["name"]):
                play(self, Driver, told)

    def test_conversations_with_the_asynchronous_client(self):
        loop = RunningLoop(self)
        for told in SOME_CONVERSATIONS:
            with self.subTest(told["name"]):
                play(self, AsynchronousDriver, told, loop)
