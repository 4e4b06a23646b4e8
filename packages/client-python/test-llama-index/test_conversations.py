"""Agents of LlamaIndex pass the conversations that adapters in every language are played."""

import asyncio
import unittest

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, ImageBlock, TextBlock, ToolCallBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.storage.chat_store.sql import SQLAlchemyChatStore
from llama_index.core.tools import FunctionTool
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import StaticPool

from loci_client.agent import INSTRUCTIONS_NOTICE, AgentMemory, AsyncAgentMemory
from loci_client.llama_index import loci_memory
from served_loci import needs_server
from told_conversations import CONVERSATIONS, INSTRUCTIONS, SOME_CONVERSATIONS, RunningLoop, is_image, message, play


class Driver:
    def __init__(self, loci, **options):
        self.memory = AgentMemory(loci, conversation=lambda conversation: conversation, **options)

    def ask(self, conversation, history, messages, script, is_streamed):
        return asyncio.run(self._ask(conversation, history, messages, script, is_streamed))

    async def _ask(self, conversation, history, messages, script, is_streamed):
        agent = FunctionAgent(
            name="clerk",
            system_prompt=f"{INSTRUCTIONS}\n\n{INSTRUCTIONS_NOTICE}",
            llm=MockFunctionCallingLLM(response_generator=lambda sent, **_: answer_of(script, sent)),
            tools=[named(name, script) for name in script.tools] or None,
            streaming=is_streamed,
        )
        engine = create_async_engine("sqlite+aiosqlite://", poolclass=StaticPool)
        try:
            return await self._answer(agent, conversation, history, messages, script, SQLAlchemyChatStore("messages", async_engine=engine))
        finally:
            await engine.dispose()

    async def _answer(self, agent, conversation, history, messages, script, store):
        memory = loci_memory(self.memory, conversation, tools=script.tools, chat_store=store)
        *unanswered, asked = [ChatMessage(role="user", blocks=blocks_of(each)) for each in messages]
        await memory.aset([*(history or []), *unanswered])
        output = await agent.run(user_msg=asked, memory=memory)
        return output.response.content, await memory.aget_all()

    def settled(self):
        self.memory.settled()


class AsynchronousDriver(Driver):
    def __init__(self, loci, **options):
        self.memory = AsyncAgentMemory(loci, conversation=lambda conversation: conversation, **options)

    async def ask(self, *given):
        return await self._ask(*given)

    async def settled(self):
        await self.memory.settled()


def answer_of(script, sent):
    instructions = [each.content for each in sent if each.role.value == "system"]
    text, calls = script.next("|".join(instructions), [shown(each) for each in sent if each.role.value != "system"])
    called = [
        ToolCallBlock(tool_call_id=call["id"], tool_name=call["tool"], tool_kwargs=call["input"]) for call in calls
    ]
    return ChatMessage(role="assistant", blocks=[*([TextBlock(text=text)] if text else []), *called])


def named(name, script):
    results = [call for step in script.steps for call in step.get("calls", []) if call["tool"] == name]

    def called(**given):
        return results.pop(0)["returns"]

    return FunctionTool.from_defaults(called, name=name, description=name)


def blocks_of(asked):
    parts = [asked] if isinstance(asked, str) else asked
    return [ImageBlock(url="data:image/png;base64,AAAA") if is_image(part) else TextBlock(text=part) for part in parts]


def shown(sent):
    text = "".join([block.text for block in sent.blocks if isinstance(block, TextBlock)])
    if sent.role.value == "tool":
        return message("tool", text, answers=sent.additional_kwargs["tool_call_id"])
    if sent.role.value == "assistant":
        calls = [block for block in sent.blocks if isinstance(block, ToolCallBlock)]
        return message(
            "assistant", text, [(call.tool_call_id, call.tool_name, call.tool_kwargs) for call in calls]
        )
    return message("user", "".join(["[image]" if isinstance(block, ImageBlock) else block.text for block in sent.blocks]))


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
