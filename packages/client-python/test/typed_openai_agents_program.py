"""What programs with OpenAI's Agents SDK do, for type checkers: `mypy --strict` finds nothing in it. It is not run."""

from agents import Agent, RunConfig, Runner

from loci_client import AsyncLoci, Loci
from loci_client.agent import AgentMemory, AsyncAgentMemory, Conversation
from loci_client.openai_agents import LociSession, keep_run, keep_run_sync, loci_input_filter, loci_tools


def who_speaks(user: str) -> Conversation:
    return Conversation(f"user:{user}", session="monday")


async def asynchronous() -> None:
    async with AsyncLoci.local() as loci:
        memory = AsyncAgentMemory(loci, conversation=who_speaks, on_error=lambda error, stage: print(error, stage))
        config = RunConfig(call_model_input_filter=loci_input_filter(memory))
        session = LociSession(loci, scope="user:ann", id="monday")
        agent = Agent[str](name="clerk", tools=loci_tools(loci, conversation=who_speaks))
        result = await Runner.run(agent, "Hi", context="ann", run_config=config, session=session)
        await keep_run(memory, result)
        stream = Runner.run_streamed(agent, "Hi", context="ann", run_config=config, session=session)
        async for event in stream.stream_events():
            print(event.type)
        await keep_run(memory, stream)
        await memory.settled()


def blocking() -> None:
    with Loci.local() as loci:
        memory = AgentMemory(loci, conversation=who_speaks)
        config = RunConfig(call_model_input_filter=loci_input_filter(memory))
        keep_run_sync(memory, Runner.run_sync(Agent[str](name="clerk"), "Hi", context="ann", run_config=config))
        memory.settled()
