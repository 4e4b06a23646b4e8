import asyncio

from agents import Agent, RunConfig, Runner
from agents.testing import ScriptedModel, assistant_message

from loci_client import AsyncLoci
from loci_client.agent import AsyncAgentMemory, Conversation
from loci_client.openai_agents import LociSession, keep_run, loci_input_filter

model = ScriptedModel([[assistant_message("At nine.")]])  # yours: "gpt-5"


async def main() -> None:
    async with AsyncLoci.local() as loci:
        await loci.memories.remember("The ferry to Oslo leaves at nine.", scope="user:ann")

        memory = AsyncAgentMemory(loci, conversation=lambda user: Conversation(f"user:{user}", session="monday"))
        config = RunConfig(call_model_input_filter=loci_input_filter(memory), tracing_disabled=True)
        history = LociSession(loci, scope="user:ann", id="monday")  # or another one of the SDK's
        agent = Agent(name="clerk", instructions="Be brief.", model=model)
        question = "When does the ferry to Oslo leave?"
        result = await Runner.run(agent, question, context="ann", run_config=config, session=history)
        print(result.final_output, len(await history.get_items()))

        await keep_run(memory, result)  # behind every run, and of a stream when it has ended
        await memory.settled()  # what is kept in the background is there now
        print([turn.content async for turn in loci.sessions.turns(("user:ann", "monday"))])


asyncio.run(main())
