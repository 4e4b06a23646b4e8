"""Messages go from OpenAI's library to Loci and back as they are."""

import asyncio
import unittest

from loci_client import AsyncLoci, Loci, to_openai, v1
from loci_client.types import AssembledContext, ChatMessage
from scripted_server import ScriptedServer

CALL = {"id": "call_1", "type": "function", "function": {"name": "ferries", "arguments": '{"to":"Oslo"}'}}
CONVERSATION = [
    {"role": "system", "content": "Be brief."},
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "When does this one leave?"},
            {"type": "image_url", "image_url": {"url": "https://ferry.example/1.png", "detail": "low"}},
        ],
        "name": "ann",
    },
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "content": "At nine.", "tool_call_id": "call_1"},
]


class OpenAiForm(ScriptedServer):
    def call(self, work):
        with Loci.connect(self.address) as loci:
            return work(loci)

    def test_a_conversation_is_taken_and_given_back(self):
        self.script.steps = [v1.AssembleContextResponse()]
        self.call(lambda loci: loci.assemble(messages=CONVERSATION))
        sent = v1.AssembleContextRequest.FromString(self.script.calls[0].request)
        self.assertEqual(to_openai(map(ChatMessage.from_proto, sent.messages)), CONVERSATION)
        context = AssembledContext.from_proto(v1.AssembleContextResponse(messages=sent.messages))
        self.assertEqual(to_openai(context.messages), CONVERSATION)

    def test_what_the_library_adds_to_an_answer_is_left_behind(self):
        self.script.steps = [v1.AssembleContextResponse()]
        answered = {"role": "assistant", "content": "At nine.", "refusal": None, "annotations": [], "tool_calls": None}
        self.call(lambda loci: loci.assemble("And back?", messages=[answered]))
        sent = v1.AssembleContextRequest.FromString(self.script.calls[0].request)
        kept = to_openai(map(ChatMessage.from_proto, sent.messages))
        self.assertEqual(kept, [{"role": "assistant", "content": "At nine."}])

    def test_what_other_libraries_add_is_left_behind(self):
        self.script.steps = [v1.AssembleContextResponse(), v1.AppendTurnsResponse()]
        part = {"type": "text", "text": "The ferry.", "cache_control": {"type": "ephemeral"}}
        call = {**CALL, "provider_specific_fields": {"thought": "…"}}
        thought = {"reasoning_content": "He asks for a ferry.", "reasoning_details": [], "thinking_blocks": None}
        answered = {"role": "assistant", "content": "", "tool_calls": [call], "provider_specific_fields": {}, **thought}
        self.call(lambda loci: loci.assemble(messages=[{"role": "user", "content": [part]}, answered]))
        self.call(lambda loci: loci.sessions.append(("user:ann", "monday"), [answered], expected_last_turn=0))
        sent = v1.AssembleContextRequest.FromString(self.script.calls[0].request)
        kept = to_openai(map(ChatMessage.from_proto, sent.messages))
        self.assertEqual(kept[0]["content"], [{"type": "text", "text": "The ferry."}])
        self.assertEqual(kept[1]["tool_calls"], [CALL])
        appended = v1.AppendTurnsRequest.FromString(self.script.calls[1].request)
        self.assertEqual(appended.turns[0].tool_calls[0].name, "ferries")

    def test_a_turn_keeps_the_words_of_parts(self):
        self.script.steps = [v1.AppendTurnsResponse()]
        parts = [*CONVERSATION[1]["content"], {"type": "file", "file": {"file_id": "a"}}]
        turn = {"role": "user", "content": parts}
        self.call(lambda loci: loci.sessions.append(("user:ann", "monday"), [turn], expected_last_turn=0))
        sent = v1.AppendTurnsRequest.FromString(self.script.calls[0].request)
        self.assertEqual(sent.turns[0].content, "When does this one leave?\n[image]\n[file]")
        for part, problem in (("Hello.", "a mapping, but is str"), ({"type": "txt"}, "of type text, .*, but is of type txt")):
            wrong = {"role": "user", "content": [part]}
            with self.assertRaisesRegex(TypeError, rf"^turns\[0\]\.content\[0\] must be {problem}\.$"):
                self.call(
                    lambda loci, wrong=wrong: loci.sessions.append(("user:ann", "d"), [wrong], expected_last_turn=0)
                )

    def test_an_answer_of_the_library_is_a_turn(self):
        self.script.steps = [v1.AppendTurnsResponse()]
        answered = {"role": "assistant", "content": "At nine.", "refusal": None, "annotations": [], "tool_calls": None}
        self.call(lambda loci: loci.sessions.append(("user:ann", "monday"), [answered], expected_last_turn=0))
        sent = v1.AppendTurnsRequest.FromString(self.script.calls[0].request)
        self.assertEqual((sent.turns[0].content, len(sent.turns)), ("At nine.", 1))

    def test_what_no_context_shows_is_told_by_its_type(self):
        for said, problem in (
            ({"content": [{"type": "input_audio", "input_audio": {}}]}, r"parts\[0\] must be of type text or image_url, but is of type input_audio"),
            ({"tool_calls": [{"id": "a", "type": "custom", "custom": {}}]}, r"tool_calls\[0\] must be a call such as"),
        ):
            with self.assertRaisesRegex(TypeError, rf"^messages\[0\]\.{problem}"):
                self.call(lambda loci, said=said: loci.assemble(messages=[{"role": "user", **said}]))
        self.assertEqual(self.script.calls, [])

    def test_a_turn_takes_calls_of_tools_as_well(self):
        self.script.steps = [v1.AppendTurnsResponse()]
        turn = {"role": "assistant", "content": "", "tool_calls": [CALL]}
        self.call(lambda loci: loci.sessions.append(("user:ann", "monday"), [turn], expected_last_turn=0))
        sent = v1.AppendTurnsRequest.FromString(self.script.calls[0].request)
        self.assertEqual((sent.turns[0].tool_calls[0].name, sent.turns[0].tool_calls[0].id), ("ferries", "call_1"))

    def test_a_misspelt_field_is_refused(self):
        with self.assertRaisesRegex(TypeError, r"^messages\[0\]\.text is not known\. There are: role, content, parts,"):
            self.call(lambda loci: loci.assemble(messages=[{"role": "user", "text": "Hello."}]))
        with self.assertRaisesRegex(TypeError, r"^operations\[0\]\.kind is not known\. There are: op, field, value"):
            wrong = {"kind": "append", "field": "facts", "value": "Likes tea."}
            self.call(lambda loci: loci.blocks.propose("user:ann", "human", [wrong]))
        self.assertEqual(self.script.calls, [])


class AsyncOpenAiForm(OpenAiForm):
    """The same of the asynchronous client."""

    def call(self, work):
        async def called():
            async with AsyncLoci.connect(self.address) as loci:
                return await work(loci)

        return asyncio.run(called())


if __name__ == "__main__":
    unittest.main()
