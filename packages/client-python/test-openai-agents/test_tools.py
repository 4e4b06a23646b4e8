"""Tools for models in agents of OpenAI's Agents SDK, against a running server."""

import asyncio
import unittest

from agents import Agent, RunConfig, Runner
from agents.testing import ScriptedModel, assistant_message, function_call

from loci_client.agent import AgentMemory, Conversation
from loci_client.openai_agents import keep_run, loci_input_filter, loci_tools
from served_loci import connect, connect_async, needs_server, new_user


def who_speaks(user):
    return Conversation(user, session="talk")


@needs_server
class ToolsTest(unittest.TestCase):
    def setUp(self):
        self.loci = connect()
        self.addCleanup(self.loci.close)
        self.user = new_user()
        self.memory = AgentMemory(self.loci, conversation=who_speaks, recall_timeout=60.0)

    async def run_agent(self, loci):
        steps = [
            [function_call("remember", {"text": "Ann's dentist is Dr. Berg."}, call_id="c1")],
            [function_call("recall", {"query": "Who is Ann's dentist?"}, call_id="c2")],
            [assistant_message("Dr. Berg.")],
        ]
        agent = Agent(name="clerk", model=ScriptedModel(steps), tools=loci_tools(loci, conversation=who_speaks))
        config = RunConfig(call_model_input_filter=loci_input_filter(self.memory), tracing_disabled=True)
        result = await Runner.run(agent, "Note my dentist, and tell me.", context=self.user, run_config=config)
        await keep_run(self.memory, result)
        return [item["output"] for item in result.to_input_list() if item.get("type") == "function_call_output"]

    def test_a_model_remembers_and_recalls_and_nothing_is_learnt_of_that_again(self):
        remembered, recalled = asyncio.run(self.run_agent(self.loci))
        self.memory.settled()
        self.assertEqual(remembered, "Remembered.")
        self.assertIn("Dr. Berg", recalled)
        turns = list(self.loci.sessions.turns((self.user, "talk")))
        self.assertEqual([turn.recalled for turn in turns if turn.role == "tool"], [False, True])

    def test_the_asynchronous_client(self):
        async def main():
            async with connect_async() as loci:
                return await self.run_agent(loci)

        self.assertIn("Dr. Berg", asyncio.run(main())[1])
        self.memory.settled()

    def test_models_are_shown_the_schemas_of_every_language(self):
        tools = loci_tools(self.loci, conversation=Conversation(self.user), names=["remember"])
        self.assertEqual([tool.name for tool in tools], ["remember"])
        self.assertEqual(list(tools[0].params_json_schema["properties"]), ["text", "category"])
