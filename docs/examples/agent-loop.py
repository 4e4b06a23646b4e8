import json

from loci_client import Loci, to_openai


def model(messages):  # yours: client.chat.completions.create(…, messages=messages).choices[0].message.model_dump()
    if messages[-1]["role"] == "tool":
        return {"role": "assistant", "content": messages[-1]["content"]}
    call = {"id": "call_1", "type": "function", "function": {"name": "timetable", "arguments": '{"to": "Oslo"}'}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def run(name, to):  # your tools
    return f"The ferry to {to} leaves at nine."


with Loci.local() as loci:
    messages = [{"role": "user", "content": "When does the ferry to Oslo leave?"}]
    calls = True
    while calls:
        context = loci.assemble(model="gpt-4o", messages=messages, scopes=["user:ann"])
        answer = model(to_openai(context.messages))
        messages.append(answer)
        calls = answer.get("tool_calls") or []
        for call in calls:
            result = run(call["function"]["name"], **json.loads(call["function"]["arguments"]))
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
    print(messages[-1]["content"])
