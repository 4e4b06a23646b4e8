"""Messages that Loci keeps, against a running server."""

import asyncio
import unittest
from concurrent.futures import ThreadPoolExecutor

from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
)

from loci_client import InvalidArgumentError
from loci_client.langchain import LociChatMessageHistory
from served_loci import connect, needs_server, new_user

USAGE = {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3}
CALL = {"name": "look", "args": {"at": [1, "é"]}, "id": "c1", "type": "tool_call"}
BROKEN = {"name": "look", "args": "{", "id": "c2", "error": "no JSON", "type": "invalid_tool_call"}
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
MESSAGES = [
    SystemMessage("Be brief.", id="s"),
    SystemMessage("Be brief.", additional_kwargs={"__openai_role__": "developer"}),
    HumanMessage("Hi <b>\u202e", name="ann", id="1"),
    HumanMessage([{"type": "text", "text": "What is this?"}, IMAGE], id="2"),
    AIMessage("", id="3", tool_calls=[CALL], invalid_tool_calls=[BROKEN], response_metadata={"model": "m"}, usage_metadata=USAGE),
    ToolMessage("A ferry.", tool_call_id="c1", artifact={"score": 0.5}, status="error", name="look"),
    ToolMessage([{"type": "text", "text": "No."}, IMAGE], tool_call_id="c2"),
    AIMessage([{"type": "text", "text": "A ferry."}, {"type": "text", "text": " It is red."}]),
    ChatMessage("Hello.", role="critic"),
    FunctionMessage("4", name="sum"),
    ToolMessage("lost", tool_call_id="gone"),
]


@needs_server
class ChatMessageHistoryTest(unittest.TestCase):
    def setUp(self):
        self.loci = connect()
        self.addCleanup(self.loci.close)
        self.scope = new_user()

    def history(self, **options):
        return LociChatMessageHistory(self.loci, scope=self.scope, session="talk", **options)

    def test_messages_come_back_as_they_went_in(self):
        self.assertEqual(self.history().messages, [])
        self.history().add_messages(MESSAGES)
        self.assertEqual(self.history().messages, MESSAGES)
        for message in MESSAGES:
            self.history().add_message(message)
        self.assertEqual(self.history().messages, MESSAGES * 2)

    def test_what_is_kept_is_a_session_to_learn_of(self):
        self.history(agent="coach").add_messages(MESSAGES)
        turns = list(self.loci.sessions.turns((self.scope, "talk")))
        self.assertEqual(turns[3].content, "What is this?")
        self.assertEqual([call.name for call in turns[4].tool_calls], ["look", "look"])
        self.assertEqual([turn.recalled for turn in turns], [False] * 9 + [True] * 2)
        self.assertEqual(self.loci.sessions.get((self.scope, "talk")).agent, "coach")
        beside = self.loci.sessions.turns((self.scope, "talk:langchain"))
        self.assertTrue(all(turn.recalled and turn.role == "developer" for turn in beside))

    def test_what_is_larger_than_a_turn_comes_back_as_it_went_in(self):
        text = "Löwe und Bär. " * 30_000
        image = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "QUJD" * 150_000}}
        messages = [
            HumanMessage([{"type": "text", "text": "What is this?"}, image]),
            AIMessage(text, tool_calls=[{**CALL, "args": {"text": text}}]),
            ToolMessage(text, tool_call_id="c1"),
            AIMessage("Saved."),
        ]
        self.history().add_messages(messages)
        self.assertEqual(self.history().messages, messages)
        turns = list(self.loci.sessions.turns((self.scope, "talk")))
        self.assertEqual([turn.content[-3:] for turn in turns], ["is?", "...", "...", "ed."])
        with self.assertRaisesRegex(InvalidArgumentError, "Pass large files and images by their address"):
            self.history().add_message(HumanMessage([{"type": "text", "text": "a" * 6_100_000}]))
        self.assertEqual(self.history().messages, messages)

    def test_words_alone_are_kept_once(self):
        self.history().add_messages([HumanMessage("Hi"), AIMessage("Hello.")])
        self.assertEqual([session.id for session in self.loci.sessions.list([self.scope])], ["talk"])

    def test_an_answer_that_was_streamed_is_a_message(self):
        self.history().add_messages([AIMessageChunk("At nine.", id="1")])
        self.assertEqual(self.history().messages, [AIMessage("At nine.", id="1")])

    def test_secrets_are_not_kept_and_the_rest_comes_back(self):
        secret = "My key is ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"
        self.history().add_messages([HumanMessage(secret, id="1"), AIMessage("Hide it.", id="2")])
        first, second = self.history().messages
        self.assertNotIn("ghp_", first.content)
        self.assertIn("[redacted: ", first.content)
        self.assertEqual((first.id, second), ("1", AIMessage("Hide it.", id="2")))

    def test_texts_beside_the_turns_have_no_secrets_either(self):
        lines = "-----BEGIN PRIVATE KEY-----\n" + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n" * 20 + "-----END PRIVATE KEY-----"
        image = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6" * 40}}
        self.history().add_messages([HumanMessage([{"type": "text", "text": f'Key: "{lines}"'}, image], id="1")])
        (message,) = self.history().messages
        self.assertRegex(message.content[0]["text"], r'^Key: "\[redacted: [a-z_]+\]"$')
        self.assertEqual((message.id, message.content[1]), ("1", image))

    def test_a_number_that_looks_like_a_card_takes_nothing_with_it(self):
        call = {"id": "c", "name": "pay", "args": {"card": 4300570515923382, "amount": 12}, "type": "tool_call"}
        kept = AIMessage("", id="paid", additional_kwargs={"trace": 4300570515923382}, tool_calls=[call])
        self.history().add_messages([HumanMessage("Pay."), kept])
        _, message = self.history().messages
        redacted = "[redacted: card]"
        self.assertEqual((message.id, message.additional_kwargs["trace"]), ("paid", redacted))
        self.assertEqual(message.tool_calls[0]["args"], {"card": redacted, "amount": 12})

    def test_clearing_begins_anew(self):
        history = self.history()
        history.clear()
        history.add_messages(MESSAGES)
        history.clear()
        self.assertEqual(history.messages, [])
        history.add_user_message("Hi")
        self.assertEqual([message.content for message in history.messages], ["Hi"])

    def test_more_messages_than_are_appended_at_once(self):
        messages = [HumanMessage(str(at), id=str(at)) for at in range(250)]
        self.history().add_messages(messages)
        self.assertEqual(self.history().messages, messages)

    def test_several_who_write_at_once_lose_nothing(self):
        histories = [self.history() for _ in range(6)]
        messages = [[HumanMessage(f"{who} {at}", id=f"{who}-{at}") for at in range(5)] for who in range(6)]

        def write(of):
            history, said = of
            for message in said:
                history.add_message(message)

        with ThreadPoolExecutor(6) as threads:
            list(threads.map(write, zip(histories, messages)))
        kept = self.history().messages
        self.assertEqual({message.id for message in kept}, {message.id for said in messages for message in said})
        for said in messages:
            self.assertEqual([message for message in kept if message in said], said)

    def test_the_asynchronous_way(self):
        async def main():
            history = self.history()
            await history.aadd_messages(MESSAGES)
            messages = await history.aget_messages()
            await history.aclear()
            return messages

        self.assertEqual(asyncio.run(main()), MESSAGES)

    def test_what_cannot_be_kept_says_why_and_changes_nothing(self):
        with self.assertRaisesRegex(InvalidArgumentError, "Sessions only grow"):
            self.history().add_messages([HumanMessage("Hi"), RemoveMessage(id="1")])
        with self.assertRaisesRegex(TypeError, "A message with a object cannot be kept"):
            self.history().add_messages([ToolMessage("x", tool_call_id="c", artifact=object())])
        self.assertEqual(self.history().messages, [])


if __name__ == "__main__":
    unittest.main()
