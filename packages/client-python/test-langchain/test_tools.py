"""Tools for models in agents of LangChain, against a running server."""

import asyncio
import unittest

from langchain.agents import create_agent
from langchain_core.messages import ToolMessage
from scripted_model import ScriptedModel, calls

from loci_client import Loci
from loci_client.agent import Conversation
from loci_client.langchain import LociMiddleware, loci_tools
from served_loci import connect, connect_async, needs_server, new_user


def who_speaks(request):
    return Conversation(request.configurable["user"], session="talk")


@needs_server
class ToolsTest(unittest.TestCase):
    def setUp(self):
        self.loci = connect()
        self.addCleanup(self.loci.close)
        self.user = new_user()
        self.config = {"configurable": {"user": self.user}}
        self.model = ScriptedModel()
        self.model.steps = [
            calls("remember", "c1", text="Ann's dentist is Dr. Berg."),
            calls("recall", "c2", query="Who is Ann's dentist?"),
            "Dr. Berg.",
        ]

    def results(self, state):
        return [message.content for message in state["messages"] if isinstance(message, ToolMessage)]

    def test_a_model_remembers_and_recalls_and_nothing_is_learnt_of_that_again(self):
        memory = LociMiddleware(self.loci, conversation=who_speaks, recall_timeout=60.0)
        agent = create_agent(self.model, tools=loci_tools(self.loci, conversation=who_speaks), middleware=[memory])
        state = agent.invoke({"messages": [("user", "Note my dentist, and tell me.")]}, self.config)
        memory.settled()
        remembered, recalled = self.results(state)
        self.assertEqual(remembered, "Remembered.")
        self.assertIn("Dr. Berg", recalled)
        turns = list(self.loci.sessions.turns((self.user, "talk")))
        self.assertEqual([turn.recalled for turn in turns if turn.role == "tool"], [False, True])

    def test_asynchronously_with_either_client(self):
        async def main(loci):
            tools = loci_tools(loci, conversation=who_speaks, names=["recall", "remember"])
            agent = create_agent(self.model, tools=tools)
            return await agent.ainvoke({"messages": [("user", "Note my dentist.")]}, self.config)

        async def with_asynchronous():
            async with connect_async() as loci:
                return await main(loci)

        steps = list(self.model.steps)
        for run in (with_asynchronous, lambda: main(self.loci)):
            self.model.steps = list(steps)
            self.assertIn("Dr. Berg", self.results(asyncio.run(run()))[1])
        # The same call of the same conversation is done once, whoever repeats it.
        self.assertEqual(len(list(self.loci.memories.list([self.user]))), 1)

    def test_models_are_shown_the_schemas_of_every_language(self):
        tools = loci_tools(self.loci, conversation=Conversation(self.user))
        self.assertEqual([tool.name for tool in tools], ["recall", "remember", "view_blocks", "edit_block"])
        self.assertEqual(list(tools[1].tool_call_schema["properties"]), ["text", "category"])
        with self.assertRaisesRegex(ValueError, "There is no tool 'forget'"):
            loci_tools(Loci.connect("localhost:1"), conversation=Conversation(self.user), names=["forget"])
