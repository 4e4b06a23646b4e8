import asyncio

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms import ChatMessage
from llama_index.core.llms.mock import MockFunctionCallingLLM

from loci_client import AsyncLoci
from loci_client.agent import INSTRUCTIONS_NOTICE, AsyncAgentMemory, Conversation
from loci_client.llama_index import LociRetriever, loci_memory

answer = ChatMessage(role="assistant", content="At nine.")
model = MockFunctionCallingLLM(response_generator=lambda messages, **_: answer)  # yours: OpenAI(model="gpt-5")


async def main() -> None:
    async with AsyncLoci.local() as loci:
        await loci.memories.remember("The ferry to Oslo leaves at nine.", scope="user:ann")

        remembering = AsyncAgentMemory(loci, conversation=lambda user: Conversation(f"user:{user}", session="monday"))
        agent = FunctionAgent(llm=model, system_prompt=f"Be brief.\n\n{INSTRUCTIONS_NOTICE}", streaming=False)
        shown = []
        memory = loci_memory(remembering, "ann", on_recalled=shown.append)  # one for each conversation
        output = await agent.run("When does the ferry to Oslo leave?", memory=memory)
        print(output.response.content, len(shown[0].memories))

        await remembering.settled()  # what is kept in the background is there now
        print([turn.content async for turn in loci.sessions.turns(("user:ann", "monday"))])

        retriever = LociRetriever(loci, scopes=["user:ann"])  # for query engines
        print([found.text for found in await retriever.aretrieve("When does the ferry leave?")])


asyncio.run(main())
