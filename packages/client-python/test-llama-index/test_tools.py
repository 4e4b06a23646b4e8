"""Tools for models in agents of LlamaIndex, against a running server."""

import asyncio
import unittest

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, TextBlock, ToolCallBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM

from loci_client import Loci
from loci_client.agent import AGENT_TOOLS, AgentMemory, Conversation
from loci_client.llama_index import loci_memory, loci_tools
from served_loci import connect, connect_async, needs_server, new_user

STEPS = [
    ("remember", {"text": "Ann's dentist is Dr. Berg."}),
    ("recall", {"query": "Who is Ann's dentist?"}),
]


def who_speaks(user):
    return Conversation(user, session="talk")


def scripted():
    """A model that calls the tools of `STEPS` in turn, and answers then. What it was shown is kept."""
    shown = []

    def answer(messages, **_):
        results = [message.content for message in messages if message.role.value == "tool"]
        shown[:] = results
        if len(results) == len(STEPS):
            return ChatMessage(role="assistant", blocks=[TextBlock(text="Dr. Berg.")])
        name, given = STEPS[len(results)]
        call = ToolCallBlock(tool_call_id=f"c{len(results)}", tool_name=name, tool_kwargs=given)
        return ChatMessage(role="assistant", blocks=[call])

    return MockFunctionCallingLLM(response_generator=answer), shown


@needs_server
class ToolsTest(unittest.TestCase):
    def setUp(self):
        self.loci = connect()
        self.addCleanup(self.loci.close)
        self.user = new_user()

    async def told(self, loci, memory=None):
        model, shown = scripted()
        tools = loci_tools(loci, self.user, conversation=who_speaks, names=["recall", "remember"])
        agent = FunctionAgent(llm=model, tools=tools, streaming=False)
        output = await agent.run("Note my dentist, and tell me.", memory=memory)
        self.assertEqual(output.response.content, "Dr. Berg.")
        return shown

    def test_a_model_remembers_and_recalls_and_nothing_is_learnt_of_that_again(self):
        async def main():
            remembering = AgentMemory(self.loci, conversation=who_speaks, recall_timeout=60.0)
            shown = await self.told(self.loci, loci_memory(remembering, self.user))
            await asyncio.to_thread(remembering.settled)
            return shown

        remembered, recalled = asyncio.run(main())
        self.assertEqual(remembered, "Remembered.")
        self.assertIn("Dr. Berg", recalled)
        turns = list(self.loci.sessions.turns((self.user, "talk")))
        self.assertEqual([turn.recalled for turn in turns if turn.role == "tool"], [False, True])

    def test_with_the_asynchronous_client(self):
        async def main():
            async with connect_async() as loci:
                return await self.told(loci)

        self.assertIn("Dr. Berg", asyncio.run(main())[1])

    def test_what_is_refused_is_told_to_the_model(self):
        (recall,) = loci_tools(self.loci, conversation=Conversation(self.user), names=["recall"])
        self.assertIn("query", recall.call().content)

    def test_who_uses_the_awaited_client_without_awaiting_is_told_so(self):
        async def main():
            async with connect_async() as loci:
                (recall,) = loci_tools(loci, conversation=Conversation(self.user), names=["recall"])
                with self.assertRaisesRegex(TypeError, "AsyncLoci: await acall"):
                    recall.call(query="Who?")

        asyncio.run(main())

    def test_models_are_shown_the_schemas_of_every_language(self):
        tools = loci_tools(self.loci, conversation=Conversation(self.user))
        for made, tool in zip(tools, AGENT_TOOLS, strict=True):
            function = made.metadata.to_openai_tool()["function"]
            self.assertEqual(
                function, {"name": tool.name, "description": tool.description, "parameters": dict(tool.input_schema)}
            )
            self.assertIn('"properties"', made.metadata.fn_schema_str)
        with self.assertRaisesRegex(ValueError, "There is no tool 'forget'"):
            loci_tools(Loci.connect("localhost:1"), conversation=Conversation(self.user), names=["forget"])
