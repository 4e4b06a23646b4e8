"""What programs with LlamaIndex do, for type checkers: `mypy --strict` finds nothing in it. It is not run."""

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.query_engine import RetrieverQueryEngine

from loci_client import AsyncLoci, Loci
from loci_client.agent import AgentMemory, AsyncAgentMemory, Conversation, RecalledBlock
from loci_client.llama_index import LociMemory, LociMemoryBlock, LociRetriever, loci_memory, loci_tools


def who_speaks(user: str) -> Conversation:
    return Conversation(f"user:{user}", session="monday")


def blocking() -> None:
    with Loci.local() as loci:
        remembering = AgentMemory[str](loci, conversation=who_speaks, recall={"max_tokens": 500}, required=True)
        memory: LociMemory = loci_memory(remembering, "ann", tools=["timetable"], token_limit=10_000)
        engine = SimpleChatEngine.from_defaults(llm=MockFunctionCallingLLM(), memory=memory)
        print(engine.chat("Hi").response)
        remembering.settled()
        retriever = LociRetriever(loci, scopes=["user:ann"], recall={"limit": 3})
        print([found.score for found in retriever.retrieve("x")])
        RetrieverQueryEngine.from_args(retriever, llm=MockFunctionCallingLLM())


async def asynchronous() -> None:
    shown: list[RecalledBlock] = []
    async with AsyncLoci.local() as loci:
        remembering = AsyncAgentMemory[str](loci, conversation=who_speaks)
        tools = loci_tools(loci, "ann", conversation=who_speaks, names=["recall"])
        agent = FunctionAgent(llm=MockFunctionCallingLLM(), tools=[*tools])
        await agent.run("Hi", memory=loci_memory(remembering, "ann", on_recalled=shown.append))
        await remembering.settled()
        print(LociMemoryBlock(memory=remembering, request="ann").name)
