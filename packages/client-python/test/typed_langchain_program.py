"""What programs with LangChain do, for type checkers: `mypy --strict` finds nothing in it. It is not run."""

from dataclasses import dataclass

from langchain.agents import create_agent

from loci_client import AsyncLoci, Loci
from loci_client.agent import Conversation
from loci_client.langchain import LociChatMessageHistory, LociMiddleware, LociRequest, LociRetriever, loci_tools


@dataclass
class Who:
    user: str


def who_speaks(request: LociRequest[Who]) -> Conversation:
    return Conversation(f"user:{request.context.user}", session=str(request.configurable["thread_id"]))


def blocking() -> None:
    with Loci.local() as loci:
        memory = LociMiddleware(loci, conversation=who_speaks, recall={"max_tokens": 500}, required=True)
        tools = loci_tools(loci, conversation=who_speaks, names=["recall"])
        agent = create_agent("openai:gpt-5", tools=tools, middleware=[memory], context_schema=Who)
        agent.invoke({"messages": [{"role": "user", "content": "Hi"}]}, context=Who("ann"))
        memory.settled()
        print([document.page_content for document in LociRetriever(loci=loci, scopes=["user:ann"]).invoke("x")])
        history = LociChatMessageHistory(loci, scope="user:ann", session="monday")
        history.add_user_message("Hi")
        print([message.text for message in history.messages])


async def asynchronous() -> None:
    async with AsyncLoci.local() as loci:
        memory = LociMiddleware(loci, conversation=who_speaks)
        agent = create_agent("openai:gpt-5", middleware=[memory], context_schema=Who)
        await agent.ainvoke({"messages": [{"role": "user", "content": "Hi"}]}, context=Who("ann"))
        await memory.asettled()
