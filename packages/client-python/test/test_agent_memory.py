"""The rules by which agents remember, against a running server: what is recalled, and how often."""

import asyncio
import json
import re
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path

from loci_client import AsyncLoci, InvalidArgumentError, Loci, LociError, Scope, UnavailableError
from loci_client.agent import (
    INSTRUCTIONS_NOTICE,
    AgentMemory,
    AgentTools,
    AsyncAgentMemory,
    Conversation,
    without_recalled,
)
from scripted_server import ScriptedServer
from served_loci import connect, connect_async, needs_server, new_user, told

GOLDEN = json.loads((Path(__file__).parents[3] / "packages/agent/test/golden/blocks.json").read_text(encoding="utf-8"))
QUESTION = "When does the ferry to Oslo leave?"
OPTIONS = {"maxTokens": "max_tokens", "timeZone": "time_zone"}


class ConversationTest(unittest.TestCase):
    def test_who_names_no_scope_is_told_so(self):
        for arguments in ({"scope": ""}, {"scope": None}, {"scope": "user:ann", "recall_from": []}):
            with self.subTest(arguments), self.assertRaises(InvalidArgumentError) as failed:
                Conversation(**arguments)
            self.assertEqual(failed.exception.reason, "SCOPE_REQUIRED")

    def test_a_template_without_its_value_is_nobody(self):
        for value in (None, float("nan"), "undefined", "null"):
            for arguments in ({"scope": f"user:{value}"}, {"scope": "user:ann", "recall_from": [f"user:{value}"]}):
                with self.subTest(arguments), self.assertRaisesRegex(InvalidArgumentError, "which is nobody") as failed:
                    Conversation(**arguments)
                self.assertEqual(failed.exception.reason, "SCOPE_REQUIRED")
        self.assertEqual(Conversation(Scope("user", "None")).scope, Scope("user", "None"))

    def test_what_names_nobody_is_refused(self):
        for arguments in ({"scope": "user:"}, {"scope": "user:ann", "session": ""}, {"scope": "user:ann", "agent": ""}):
            with self.subTest(arguments), self.assertRaisesRegex(InvalidArgumentError, "INVALID_IDENTIFIER"):
                Conversation(**arguments)
        with self.assertRaisesRegex(TypeError, "recall_from must be a list, but is str"):
            Conversation("user:ann", recall_from="user:ann")
        for field in ("session", "agent", "project"):
            with self.assertRaisesRegex(TypeError, f"conversation.{field} must be text, but is int."):
                Conversation("user:ann", **{field: 42})

    def test_a_function_that_says_nothing_is_told_so(self):
        memory = AgentMemory(Loci.connect("localhost:1"), conversation=lambda request: None)
        with self.assertRaisesRegex(InvalidArgumentError, "The model was not called"):
            memory.conversation_of("request")

    def test_a_function_that_reads_what_the_request_has_not_is_told_so(self):
        for conversation, request, cause in (
            (lambda request: Conversation(f"user:{request.user}"), None, AttributeError),
            (lambda request: Conversation(f"user:{request['user']}"), {}, KeyError),
            (lambda request: Conversation(f"user:{request['user']}"), None, TypeError),
        ):
            memory = AgentMemory(Loci.connect("localhost:1"), conversation=conversation)
            with self.subTest(cause), self.assertRaisesRegex(InvalidArgumentError, "SCOPE_REQUIRED") as failed:
                memory.conversation_of(request)
            self.assertIsInstance(failed.exception.__cause__, cause)

    def test_a_blocking_agent_cannot_wait_for_a_coroutine(self):
        async def conversation(request):
            return Conversation("user:ann")

        memory = AgentMemory(Loci.connect("localhost:1"), conversation=conversation)
        with self.assertRaisesRegex(TypeError, "use AsyncLoci"):
            memory.conversation_of("request")

    def test_a_client_of_the_other_kind_and_a_text_for_a_conversation_are_told_at_once(self):
        ann = Conversation("user:ann")
        blocking, awaited = Loci.connect("localhost:1"), AsyncLoci.connect("localhost:1")
        for make, said in (
            (lambda: AgentMemory(awaited, conversation=ann), "must be a Loci, but is AsyncLoci. .* AsyncAgentMemory"),
            (lambda: AsyncAgentMemory(blocking, conversation=ann), "must be an AsyncLoci, but is Loci. .* AgentMemory"),
            (lambda: AgentTools(awaited, conversation=ann), "must be a Loci, but is AsyncLoci"),
            (lambda: AgentMemory("localhost:1", conversation=ann), "must be a Loci, but is str"),
            (lambda: AgentMemory(blocking, conversation="user:ann"), "must be a Conversation or a function .* is str"),
        ):
            with self.subTest(said), self.assertRaisesRegex(TypeError, said):
                make()

    def test_arguments_of_a_wrong_type_are_named(self):
        memory = AgentMemory(Loci.connect("localhost:1"), conversation=Conversation("user:ann"))
        with self.assertRaisesRegex(TypeError, "question must be text, but is NoneType."):
            memory.block_for(Conversation("user:ann"), None, position=0)
        with self.assertRaisesRegex(TypeError, "conversation must be a Conversation, but is str."):
            memory.block_for("user:ann", "Who?", position=0)

    def test_why_a_run_could_not_be_kept_stands_in_the_log_and_nothing_of_what_was_said(self):
        memory = AgentMemory(Loci.connect("localhost:1"), conversation=Conversation("user:ann", session="talk"))
        naive = datetime(2026, 11, 29)

        def secret_turns():
            yield {"role": "user", "content": "a secret"}
            raise ValueError("a secret")

        for turns, said in (
            ([{"role": "user", "content": "a secret", "time": naive}], "has no time zone"),
            ("a secret", "turns must be a list, but is a str."),
            (secret_turns(), "ValueError"),
        ):
            with self.subTest(said), self.assertLogs("loci_client.agent", "WARNING") as log:
                memory.finished(Conversation("user:ann", session="talk"), turns, position=0)
            self.assertRegex(log.output[0], said)
            self.assertNotIn("a secret", log.output[0])

    def test_a_coroutine_says_who_speaks(self):
        async def conversation(request):
            return Conversation(f"user:{request}")

        memory = AsyncAgentMemory(AsyncLoci.connect("localhost:1"), conversation=conversation)
        self.assertEqual(asyncio.run(memory.conversation_of("ann")), Conversation("user:ann"))

    def test_options_that_do_not_exist_or_are_too_small(self):
        loci = Loci.connect("localhost:1")
        with self.assertRaisesRegex(TypeError, "recall.scopes is not known. There are: max_tokens"):
            AgentMemory(loci, conversation=Conversation("global"), recall={"scopes": ["user:bob"]})
        with self.assertRaisesRegex(InvalidArgumentError, "INVALID_BUDGET"):
            AgentMemory(loci, conversation=Conversation("global"), recall={"max_tokens": 199})


class WithoutRecalledTest(unittest.TestCase):
    def test_as_in_other_languages(self):
        for case in GOLDEN["withoutRecalled"]:
            with self.subTest(case["text"]):
                self.assertEqual(without_recalled(case["text"]), case["said"])

    def test_the_notice_is_that_of_other_languages(self):
        self.assertEqual(INSTRUCTIONS_NOTICE, GOLDEN["notice"])


@needs_server
class BlockTest(unittest.TestCase):
    def setUp(self):
        self.loci = connect()
        self.addCleanup(self.loci.close)
        self.scope = new_user()
        self.errors = []

    def memory(self, loci=None, **options):
        conversation = Conversation(self.scope, session="talk")
        return AgentMemory(loci or self.loci, conversation=conversation, on_error=told(self.errors), **options)

    def block_for(self, memory, question=QUESTION, position=0, **options):
        return memory.block_for(memory.conversation_of(None), question, position=position, **options)

    def recalls(self):
        return self.loci.called.count("AssembleContext")

    def test_blocks_have_the_bytes_of_typescript(self):
        for memory in GOLDEN["memories"]:
            fields = dict(memory)
            said = datetime.fromtimestamp(fields.pop("createdAt") / 1000, timezone.utc)
            provenance = {"source_id": memory["provenance"]["sourceId"], "kind": memory["provenance"]["kind"]}
            self.loci.memories.remember(
                **{**fields, "provenance": provenance}, scope=self.scope, create_time=said
            )
        self.loci.blocks.create(self.scope, "human", schema="human", values=GOLDEN["human"])
        self.loci.settled()
        for case in GOLDEN["blocks"]:
            with self.subTest(case["question"], recall=case.get("recall")):
                recall = {OPTIONS.get(name, name): value for name, value in case.get("recall", {}).items()}
                asked = {"earlier": case.get("earlier", ()), "tools": case.get("tools")}
                block = self.block_for(self.memory(recall=recall), case["question"], **asked)
                text = re.sub('today="[^"]+"', 'today="TODAY"', block.text, count=1)
                self.assertEqual(text.encode(), case["text"].encode())
                self.assertEqual(len(block.memories), len(set(block.memories)))
                self.assertLessEqual(block.tokens, recall.get("max_tokens", 2000))

    def test_all_steps_of_a_run_are_shown_the_same(self):
        self.loci.memories.remember("The ferry to Oslo leaves at nine.", scope=self.scope)
        memory = self.memory()
        first = self.block_for(memory)
        self.loci.memories.remember("The ferry to Oslo leaves at ten now.", scope=self.scope)
        # A framework may have kept the block in its own message.
        again = [self.block_for(memory), self.block_for(memory, f"{first.text}\n\n{QUESTION}")]
        self.assertEqual([block.text for block in again], [first.text] * 2)
        self.assertEqual(self.recalls(), 1)

        later = self.block_for(memory, position=2)
        self.assertIn("at ten now", later.text)
        self.assertEqual(self.recalls(), 2)

    def test_a_finished_run_is_forgotten(self):
        self.loci.memories.remember("The ferry to Oslo leaves at nine.", scope=self.scope)
        memory = self.memory()
        first = self.block_for(memory)
        asked = {"role": "user", "content": f"{first.text}\n\n{QUESTION}"}
        greeting = {"role": "user", "content": "Hello."}
        for turns, question in (([asked], None), ([greeting, asked], None), ([asked, greeting], QUESTION)):
            memory.finished(memory.conversation_of(None), turns, position=0, question=question)
            memory.settled()
            self.block_for(memory)
        self.assertEqual(self.recalls(), 4)
        self.assertEqual(self.errors, [])

    def test_who_asks_at_once_asks_once(self):
        self.loci.memories.remember("The ferry to Oslo leaves at nine.", scope=self.scope)
        memory = self.memory()
        with ThreadPoolExecutor(16) as threads:
            blocks = list(threads.map(lambda _: self.block_for(memory), range(32)))
        self.assertEqual(len({id(block) for block in blocks}), 1)
        self.assertEqual(self.recalls(), 1)

    def test_tasks_that_ask_at_once_ask_once(self):
        self.loci.memories.remember("The ferry to Oslo leaves at nine.", scope=self.scope)

        async def main():
            async with connect_async() as loci:
                memory = AsyncAgentMemory(loci, conversation=Conversation(self.scope))
                conversation = await memory.conversation_of(None)
                asked = [memory.block_for(conversation, QUESTION, position=0) for _ in range(32)]
                blocks = await asyncio.gather(*asked)
                return len({id(block) for block in blocks}), loci.called.count("AssembleContext")

        self.assertEqual(asyncio.run(main()), (1, 1))

    def test_nothing_is_shown_where_nothing_is_known(self):
        memory = self.memory()
        self.assertEqual([self.block_for(memory) for _ in range(3)], [None] * 3)
        self.assertEqual((self.recalls(), self.errors), (1, []))

    def test_memories_of_others_are_not_shown(self):
        other = new_user()
        self.loci.memories.remember("The ferry to Oslo leaves at nine.", scope=other)
        self.assertIsNone(self.block_for(self.memory()))
        shown = AgentMemory(self.loci, conversation=Conversation(self.scope, recall_from=[self.scope, other]))
        self.assertIn("at nine", self.block_for(shown).text)

    def test_questions_of_any_form(self):
        self.loci.memories.remember("Ann prefers short answers.", scope=self.scope, category="preference")
        memory = self.memory()
        for question in ("", " \n", "x" * 2_000_000, "half \ud83d of one", "\0 \u202e"):
            with self.subTest(question[:20]):
                self.assertIn("short answers", self.block_for(memory, question).text)
        self.assertEqual(self.errors, [])

    def test_names_of_tools_that_no_recall_takes_are_left_out(self):
        memory = self.memory(required=True)
        self.block_for(memory, tools=["", "half \ud83d", "x" * 201, *[f"tool{at}" for at in range(200)]])
        self.assertEqual(self.recalls(), 1)

    def test_the_least_recently_asked_of_257_is_asked_for_again(self):
        memory = self.memory(self.loci)
        for position in [*range(257), 256, 0]:
            self.block_for(memory, position=position)
        self.assertEqual(self.recalls(), 258)


class FailingRecallTest(ScriptedServer):
    def setUp(self):
        super().setUp()
        self.over = threading.Event()
        self.addCleanup(self.over.set)
        self.errors = []

    def memory(self, address, **options):
        loci = Loci.connect(address)
        self.addCleanup(loci.close)
        return AgentMemory(loci, conversation=Conversation("user:ann"), on_error=told(self.errors), **options)

    def test_a_server_that_is_slow_is_not_waited_for(self):
        self.script.steps = [lambda context: self.over.wait(30) and None]
        memory = self.memory(self.address, recall_timeout=0.3)
        begun = time.monotonic()
        blocks = [memory.block_for(Conversation("user:ann"), QUESTION, position=0) for _ in range(3)]
        self.assertLess(time.monotonic() - begun, 5)
        self.assertEqual((blocks, self.errors), ([None] * 3, [("DEADLINE_EXCEEDED", "recall")]))

    def test_a_server_that_is_away_is_waited_for_two_seconds_once(self):
        self.server.stop(None).wait()
        memory = self.memory(self.address)
        begun = time.monotonic()
        blocks = [memory.block_for(Conversation("user:ann"), QUESTION, position=0) for _ in range(3)]
        self.assertLess(time.monotonic() - begun, 5)
        # A busy machine decides whether the attempts end first, or the two seconds.
        self.assertEqual((blocks, [stage for _, stage in self.errors]), ([None] * 3, ["recall"]))

    def test_memory_that_is_required_fails_the_call_and_is_asked_again(self):
        self.server.stop(None).wait()
        memory = self.memory(self.address, required=True, recall_timeout=0.3)
        for _ in range(2):
            with self.assertRaises(LociError):
                memory.block_for(Conversation("user:ann"), QUESTION, position=0)
        self.assertEqual(self.errors, [])

    def test_what_nobody_is_told_stands_in_the_log_and_quotes_nothing(self):
        self.server.stop(None).wait()
        loci = Loci.connect(self.address)
        self.addCleanup(loci.close)
        memory = AgentMemory(loci, conversation=Conversation("user:ann"), recall_timeout=0.3)
        with self.assertLogs("loci_client.agent", "WARNING") as logged:
            memory.block_for(Conversation("user:ann"), "secret words", position=0)
        self.assertEqual(len(logged.output), 1)
        self.assertIn("nothing was recalled for a model call, which went on without", logged.output[0])
        self.assertNotIn("secret words", logged.output[0])

    def test_who_closes_the_client_before_all_is_kept_is_told_what_to_wait_for(self):
        loci = Loci.connect(self.address)
        memory = AgentMemory(loci, conversation=Conversation("user:ann", session="closed"))
        loci.close()
        with self.assertLogs("loci_client.agent", "WARNING") as logged:
            turns = [{"role": "user", "content": "secret words"}]
            memory.finished(Conversation("user:ann", session="closed"), position=0, turns=turns)
            memory.settled()
        self.assertIn("was not kept. The client was closed. Wait for the memory's settled()", logged.output[0])
        self.assertNotIn("secret words", logged.output[0])

    def test_an_on_error_that_fails_itself_stops_nothing(self):
        self.server.stop(None).wait()

        def fail(error, stage):
            raise ValueError("secret words")

        loci = Loci.connect(self.address)
        self.addCleanup(loci.close)
        memory = AgentMemory(loci, conversation=Conversation("user:ann"), recall_timeout=0.3, on_error=fail)
        with self.assertLogs("loci_client.agent", "WARNING") as logged:
            self.assertIsNone(memory.block_for(Conversation("user:ann"), QUESTION, position=0))
        self.assertIn("ValueError", logged.output[0])
        self.assertNotIn("secret words", logged.output[0])

    def test_a_task_that_is_cancelled_cancels_its_recall_and_nobody_elses(self):
        cancelled = threading.Event()

        def wait(context):
            context.add_callback(cancelled.set)
            cancelled.wait(30)

        self.script.steps = [wait, (__import__("grpc").StatusCode.INTERNAL, "Failed.")]

        async def main():
            async with AsyncLoci.connect(self.address) as loci:
                memory = AsyncAgentMemory(
                    loci, conversation=Conversation("user:ann"), recall_timeout=20, on_error=told(self.errors)
                )
                asked = [memory.block_for(Conversation("user:ann"), QUESTION, position=0) for _ in range(2)]
                first, second = [asyncio.create_task(each) for each in asked]
                while not self.script.calls:
                    await asyncio.sleep(0.01)
                first.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await first
                return await second

        self.assertIsNone(asyncio.run(main()))
        self.assertTrue(cancelled.wait(10))
        self.assertEqual(len(self.script.calls), 2)
        self.assertEqual([stage for _, stage in self.errors], ["recall"])


if __name__ == "__main__":
    unittest.main()
