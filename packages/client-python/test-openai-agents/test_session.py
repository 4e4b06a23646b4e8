"""Histories of OpenAI's Agents SDK in Loci, against a running server."""

import asyncio
import unittest

from agents import Agent, Runner, SessionSettings, set_tracing_disabled
from agents.memory import Session
from agents.testing import ScriptedModel, assistant_message

from loci_client import InvalidArgumentError
from loci_client.openai_agents import LociSession
from served_loci import connect_async, needs_server, new_user

set_tracing_disabled(True)

ITEMS = [
    {"role": "user", "content": 'Hi "<b>" \u202e\n\n  there\ttab'},
    {"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": [
        {"type": "output_text", "text": "line\nline", "annotations": [{"a": None, "b": [1, 2.5, True]}], "logprobs": []},
    ]},
    {"role": "user", "content": [{"type": "input_image", "image_url": "data:image/png;base64,AAAA", "detail": "auto"}]},
    {"type": "function_call", "id": "f", "call_id": "c1", "name": "look", "arguments": '{"at":"é\\n"}'},
    {"type": "function_call_output", "call_id": "c1", "output": "half \ud83d of one, \0 and \x1e"},
    {"type": "reasoning", "id": "r", "summary": [], "encrypted_content": None},
]


def item(text):
    return {"role": "user", "content": text}


@needs_server
class SessionTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.loci = connect_async()
        self.addAsyncCleanup(self.loci.close)
        self.scope = new_user()

    def session(self, **options):
        """As another process has it."""
        return LociSession(self.loci, scope=self.scope, id="talk", **options)

    async def texts(self, limit=None):
        return [each["content"] for each in await self.session().get_items(limit)]

    async def test_it_is_what_the_sdk_takes(self):
        self.assertIsInstance(self.session(), Session)
        self.assertEqual(self.session().session_id, "talk")

    async def test_items_come_back_as_they_went_in(self):
        self.assertEqual(await self.session().get_items(), [])
        await self.session().add_items(ITEMS)
        self.assertEqual(await self.session().get_items(), ITEMS)
        await self.session().add_items([])
        await self.session().add_items(ITEMS[:1])
        self.assertEqual(await self.session().get_items(), [*ITEMS, ITEMS[0]])

    async def test_the_newest_items(self):
        for at in range(4):
            await self.session().add_items([item(f"{at}a"), item(f"{at}b")])
        self.assertEqual(await self.texts(3), ["2b", "3a", "3b"])
        self.assertEqual(await self.texts(100), [f"{at}{of}" for at in range(4) for of in "ab"])
        limited = self.session(session_settings=SessionSettings(limit=2))
        self.assertEqual([each["content"] for each in await limited.get_items()], ["3a", "3b"])

    async def test_what_is_popped_is_gone(self):
        session = self.session()
        self.assertIsNone(await session.pop_item())
        await session.add_items([item("a"), item("b")])
        await session.add_items([item("c")])
        self.assertEqual([(await session.pop_item())["content"] for _ in range(2)], ["c", "b"])
        self.assertEqual(await self.texts(), ["a"])
        await session.add_items([item("d")])
        self.assertEqual((await self.texts(), await self.texts(1)), (["a", "d"], ["d"]))
        self.assertEqual([(await session.pop_item())["content"] for _ in range(2)], ["d", "a"])
        self.assertIsNone(await session.pop_item())

    async def test_clearing_begins_anew_and_the_log_keeps_what_was(self):
        session = self.session()
        await session.clear_session()
        await session.add_items([item("a"), item("b")])
        await session.clear_session()
        await session.clear_session()
        self.assertEqual(await self.texts(), [])
        await session.add_items([item("c")])
        self.assertEqual(await self.texts(), ["c"])
        kept = [turn async for turn in self.loci.sessions.turns((self.scope, "openai-agents-python:talk"))]
        self.assertEqual(len(kept), 3)
        self.assertTrue(all(turn.recalled and turn.role == "developer" for turn in kept))

    async def test_nothing_is_learnt_of_it(self):
        await self.session().add_items([item("I moved to Porto last week.")])
        kept = await self.loci.sessions.get((self.scope, "openai-agents-python:talk"))
        self.assertEqual(kept.capture_moment, "off")
        await self.loci.settled()
        self.assertEqual([memory async for memory in self.loci.memories.list([self.scope])], [])

    async def test_large_items_stand_in_several_turns(self):
        large = [item("é😀\n" * 300_000), item("b" * 100)]
        await self.session().add_items(large)
        self.assertEqual(await self.session().get_items(), large)
        self.assertEqual((await self.session().pop_item())["content"], "b" * 100)
        self.assertEqual(await self.session().get_items(), large[:1])
        with self.assertRaisesRegex(InvalidArgumentError, "pass large files and images by their address"):
            await self.session().add_items([item("x" * 7_000_000)])

    async def test_what_json_does_not_know_is_refused(self):
        with self.assertRaises(TypeError):
            await self.session().add_items([item(b"bytes")])
        self.assertEqual(await self.session().get_items(), [])

    async def test_several_who_write_at_once_lose_nothing(self):
        async def write(who):
            session = self.session()
            for at in range(5):
                await session.add_items([item(f"{who} {at}"), item(f"{who} {at}b")])

        await asyncio.gather(*map(write, range(6)))
        texts = await self.texts()
        self.assertEqual(len(texts), 60)
        for who in range(6):
            mine = [text for text in texts if text.startswith(f"{who} ")]
            self.assertEqual(mine, [f"{who} {at}{of}" for at in range(5) for of in ("", "b")])
        popped = await asyncio.gather(*[self.session().pop_item() for _ in range(6)])
        self.assertEqual(sorted(each["content"] for each in popped), sorted(texts[-6:]))
        self.assertEqual(await self.texts(), texts[:-6])

    async def test_secrets_are_not_kept_unless_they_are_to_be(self):
        secret = "-----BEGIN PRIVATE KEY-----\n" + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n" * 20 + "-----END PRIVATE KEY-----"
        items = [item(f'My key is "{secret}".\n\x1e\0\ud800'), item("Hide it.")]
        await self.session().add_items(items)
        first, second = await self.session().get_items()
        self.assertNotIn("MIIEvQ", first["content"])
        self.assertRegex(first["content"], 'My key is "\\[redacted: [a-z_]+\\]"\\.\n\x1e\0\ud800')
        self.assertEqual(second, items[1])
        open_session = LociSession(self.loci, scope=self.scope, id="open", keep_secrets=True)
        await open_session.add_items(items)
        self.assertEqual(await open_session.get_items(), items)

    async def test_blocks_are_taken_out(self):
        block = "<loci-remembered>\nx\n</loci-remembered>\n\n<loci-recalled>\ny\n</loci-recalled>"
        part = {"type": "input_text", "text": block}
        await self.session().add_items([item(f"{block}\n\n  Hi"), item([part, *ITEMS[2]["content"]])])
        self.assertEqual(await self.session().get_items(), [item("  Hi"), ITEMS[2]])

    async def test_two_histories_and_two_scopes_have_nothing_in_common(self):
        await self.session().add_items([item("a")])
        self.assertEqual(await LociSession(self.loci, scope=self.scope, id="other").get_items(), [])
        self.assertEqual(await LociSession(self.loci, scope=new_user(), id="talk").get_items(), [])

    async def test_a_conversation_goes_on_in_another_process(self):
        model = ScriptedModel([[assistant_message("At nine.")], [assistant_message("Welcome.")]])
        agent = Agent(name="clerk", model=model)
        for text in ("When?", "Thanks"):
            await Runner.run(agent, text, session=self.session())
        said = [each["content"] if isinstance(each["content"], str) else each["content"][0]["text"] for each in model.calls[1].input]
        self.assertEqual(said, ["When?", "At nine.", "Thanks"])
        self.assertEqual(len(await self.session().get_items()), 4)


if __name__ == "__main__":
    unittest.main()
