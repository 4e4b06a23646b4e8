"""Runs of OpenAI's Agents SDK pass the conversations that adapters in every language are played."""

import asyncio
import contextlib
import json
import unittest

from agents import Agent, FunctionTool, RunConfig, Runner, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

from loci_client.agent import AgentMemory, AsyncAgentMemory
from loci_client.openai_agents import keep_run, loci_input_filter
from served_loci import needs_server
from told_conversations import (
    CONVERSATIONS,
    INSTRUCTIONS,
    SOME_CONVERSATIONS,
    RunningLoop,
    TheUserHasLeft,
    is_image,
    message,
    play,
)

set_tracing_disabled(True)


class Driver:
    def __init__(self, loci, **options):
        self.memory = AgentMemory(loci, conversation=lambda context: context, **options)

    def ask(self, conversation, history, messages, script, is_streamed):
        return asyncio.run(self._ask(conversation, history, messages, script, is_streamed))

    async def _ask(self, conversation, history, messages, script, is_streamed):
        model = ScriptedModel([step_of(step) for step in script.steps])
        agent = Agent(
            name="clerk",
            instructions=INSTRUCTIONS,
            model=model,
            tools=[named(name, script) for name in script.tools],
        )
        config = RunConfig(call_model_input_filter=loci_input_filter(self.memory))
        given = [*(history or []), *[{"role": "user", "content": content_of(each)} for each in messages]]
        try:
            if is_streamed:
                result = Runner.run_streamed(agent, given, context=conversation, run_config=config)
                async for _ in result.stream_events():
                    pass
            else:
                result = await Runner.run(agent, given, context=conversation, run_config=config)
        finally:
            for call in model.calls:
                with contextlib.suppress(RuntimeError, TheUserHasLeft):
                    script.next(call.system_instructions, shown(call.input))
        await keep_run(self.memory, result)
        return result.final_output, result.to_input_list()

    def settled(self):
        self.memory.settled()


class AsynchronousDriver(Driver):
    def __init__(self, loci, **options):
        self.memory = AsyncAgentMemory(loci, conversation=lambda context: context, **options)

    async def ask(self, *given):
        return await self._ask(*given)

    async def settled(self):
        await self.memory.settled()


def step_of(step):
    if "fails" in step:
        return RuntimeError(step["fails"])
    if "isStopped" in step:
        return TheUserHasLeft()
    said = [assistant_message(step["says"])] if step.get("says") else []
    return [*said, *[function_call(call["tool"], call["input"], call_id=call["id"]) for call in step.get("calls", [])]]


def named(name, script):
    async def called(context, given):
        return script.result_of(context.tool_call_id)

    schema = {"type": "object", "properties": {}, "additionalProperties": True}
    return FunctionTool(name, name, schema, called, strict_json_schema=False)


def content_of(asked):
    if isinstance(asked, str):
        return asked
    image = {"type": "input_image", "image_url": "data:image/png;base64,AAAA", "detail": "auto"}
    return [image if is_image(part) else {"type": "input_text", "text": part} for part in asked]


def shown(items):
    """What is said and called in one step stands in items of its own."""
    messages = []
    for item in items:
        if item.get("type") == "function_call":
            call = (item["call_id"], item["name"], json.loads(item["arguments"]))
            if not messages or messages[-1]["role"] != "assistant":
                messages.append(message("assistant", ""))
            messages[-1]["calls"].append(call)
        elif item.get("type") == "function_call_output":
            messages.append(message("tool", item["output"], answers=item["call_id"]))
        else:
            content = item["content"]
            parts = [{"text": content}] if isinstance(content, str) else content
            messages.append(message(item["role"], "".join([part.get("text", "[image]") for part in parts])))
    return messages


@needs_server
class ConversationsTest(unittest.TestCase):
    def test_conversations(self):
        for told in CONVERSATIONS:
            with self.subTest(told["name"]):
                play(self, Driver, told)

    def test_conversations_with_the_asynchronous_client(self):
        loop = RunningLoop(self)
        for told in SOME_CONVERSATIONS:
            with self.subTest(told["name"]):
                play(self, AsynchronousDriver, told, loop)
