import json

from loci_client import Loci
from loci_client.agent import AgentTools, Conversation, openai_tools


def model(messages, tools):  # yours: client.chat.completions.create(model="gpt-5", messages=messages, tools=tools)
    if messages[-1]["role"] == "tool":
        return {"role": "assistant", "content": "I have noted it."}
    asked = {"name": "remember", "arguments": json.dumps({"text": "Ann prefers window seats."})}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": "call_1", "type": "function", "function": asked}]}


with Loci.local() as loci:
    tools = AgentTools(loci, conversation=Conversation("user:ann"))
    messages = [{"role": "user", "content": "Remember that I prefer window seats."}]
    calls = True
    while calls:
        answer = model(messages, openai_tools(["remember", "recall"]))
        messages.append(answer)
        calls = answer.get("tool_calls") or []
        for call in calls:
            result = tools.run(call["function"]["name"], call["function"]["arguments"], call_id=call["id"])
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
    print(messages[-1]["content"])
    print([memory.text for memory in loci.memories.list(["user:ann"])])
