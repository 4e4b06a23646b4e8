from langchain.agents import create_agent
from langchain_core.language_models import GenericFakeChatModel

from loci_client import Loci
from loci_client.agent import Conversation
from loci_client.langchain import LociMiddleware

model = GenericFakeChatModel(messages=iter(["At nine."]))  # yours: "openai:gpt-5"


def who_speaks(request):  # from what the application invokes the agent with, never from messages
    return Conversation(f"user:{request.configurable['user']}", session=request.configurable["thread_id"])


with Loci.local() as loci:
    loci.memories.remember("The ferry to Oslo leaves at nine.", scope="user:ann")

    memory = LociMiddleware(loci, conversation=who_speaks)
    agent = create_agent(model, system_prompt="Be brief.", middleware=[memory])
    question = {"role": "user", "content": "When does the ferry to Oslo leave?"}
    state = agent.invoke({"messages": [question]}, {"configurable": {"user": "ann", "thread_id": "monday"}})
    answer = state["messages"][-1]
    print(answer.text, len(answer.response_metadata["loci"]["memories"]))

    memory.settled()  # what is kept in the background is there now
    print([turn.content for turn in loci.sessions.turns(("user:ann", "monday"))])
