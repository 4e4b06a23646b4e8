"""How finished runs are kept, against a running server: each once, whoever says so."""

import asyncio
import os
import tracemalloc
import unittest
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

from loci_client import AsyncLoci, Loci
from loci_client.agent import AgentMemory, AsyncAgentMemory, Conversation
from loci_client.errors import UnavailableError
from served_loci import connect, connect_async, needs_server, new_user, told

RUN = [
    {"role": "user", "content": "I moved to Porto last week. Which ferry do I take?"},
    {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "name": "timetable", "arguments": "{}"}]},
    {"role": "tool", "tool_call_id": "c1", "content": "at nine"},
    {"role": "assistant", "content": "The one at nine."},
]
THANKS = [{"role": "user", "content": "Thanks"}, {"role": "assistant", "content": "You are welcome."}]


@needs_server
class FinishedRunsTest(unittest.TestCase):
    def setUp(self):
        self.loci = connect()
        self.addCleanup(self.loci.close)
        self.scope = new_user()
        self.conversation = Conversation(self.scope, session="talk")
        self.errors = []

    def memory(self, **options):
        """As another process has it."""
        return AgentMemory(self.loci, conversation=self.conversation, on_error=told(self.errors), **options)

    def finish(self, memory, turns, position=0, before=()):
        memory.finished(self.conversation, turns, position=position, before=before)
        memory.settled()

    def kept(self):
        turns = self.loci.sessions.turns((self.scope, "talk"), page_size=1000)
        return [turn.content for turn in turns]

    def test_a_run_is_kept_once_and_learnt_of(self):
        memory = self.memory()
        for _ in range(3):
            self.finish(memory, RUN)
        self.assertEqual(self.kept(), [turn["content"] for turn in RUN])
        turns = list(self.loci.sessions.turns((self.scope, "talk")))
        self.assertEqual([turn.role for turn in turns], ["user", "assistant", "tool", "assistant"])
        self.assertEqual(turns[1].tool_calls[0].name, "timetable")
        captures = list(self.loci.captures.list((self.scope, "talk")))
        self.assertEqual([(job.first_turn, job.last_turn) for job in captures], [(1, 4)])
        self.loci.captures.wait(captures[0].id, timeout=12.3)
        self.assertTrue(any("Porto" in memory.text for memory in self.loci.memories.list([self.scope])))
        self.assertEqual(self.errors, [])

    def test_a_run_is_kept_whatever_a_session_would_not_take_of_it(self):
        def calling(*ids, name="look"):
            calls = [{"id": id, "name": name, "arguments": "{}"} for id in ids]
            return {"role": "assistant", "content": "I am looking.", "tool_calls": calls}

        def returned(id, content):
            return {"role": "tool", "tool_call_id": id, "content": content}

        wait = {"role": "assistant", "content": "Wait."}
        ids = [f"call-{index}" for index in range(130)]
        for session, said, taken, without_call in (
            ("no id", [calling(""), returned("", "Four.")], 0, ["Four."]),
            ("no name", [calling("a", name=""), returned("a", "Four.")], 0, ["Four."]),
            ("one id", [calling("a", "a"), returned("a", "Four."), returned("a", "Five.")], 1, ["Five."]),
            ("late", [calling("a", "b"), returned("a", "Four."), wait, returned("b", "Five.")], 2, ["Five."]),
            ("too many", [calling(*ids), *[returned(id, id) for id in ids]], 128, ["call-128", "call-129"]),
        ):
            with self.subTest(session):
                run = [{"role": "user", "content": "Where?"}, *said, {"role": "assistant", "content": "Here."}]
                memory = self.memory()
                memory.finished(Conversation(self.scope, session=session), run, position=0)
                memory.settled()
                turns = list(self.loci.sessions.turns((self.scope, session), page_size=1000))
                self.assertEqual([turn.content for turn in turns], [turn["content"] for turn in run])
                self.assertEqual(len(turns[1].tool_calls), taken)
                recalled = [(turn.role, turn.content) for turn in turns if turn.recalled]
                self.assertEqual(recalled, [("assistant", each) for each in without_call])
                self.assertEqual(self.errors, [])

    def test_arguments_that_are_longer_than_a_turn_may_be_are_cut(self):
        file = "ä" * 200_000
        calls = [{"id": "a", "name": "write", "arguments": file}, {"id": "b", "name": "look", "arguments": "\ud800{}"}]
        run = [RUN[0], {"role": "assistant", "content": "I write.", "tool_calls": calls}, *THANKS]
        self.finish(self.memory(), run)
        self.assertEqual(self.errors, [])
        self.assertEqual(self.kept(), [turn["content"] for turn in run])
        long, short = [call.arguments for call in list(self.loci.sessions.turns((self.scope, "talk")))[1].tool_calls]
        self.assertTrue(long.endswith("...") and file.startswith(long[:-3]) and len(long) > 30_000)
        self.assertEqual(short, "\ufffd{}")

    def test_a_run_that_another_process_keeps_again_stands_there_once(self):
        self.finish(self.memory(), RUN)
        self.finish(self.memory(), RUN)
        self.assertEqual(self.kept(), [turn["content"] for turn in RUN])

    def test_runs_that_another_process_keeps_again_stand_there_once(self):
        for memory in (self.memory(), self.memory()):
            memory.finished(self.conversation, RUN, position=0)
            memory.finished(self.conversation, THANKS, position=4, before=RUN)
            memory.settled()
        self.assertEqual(self.kept(), [turn["content"] for turn in [*RUN, *THANKS]])

    def test_who_says_thanks_twice_is_kept_twice(self):
        before = []
        for position in range(4):
            # Each time another process.
            self.finish(self.memory(), THANKS, position, before)
            before = [*before, *THANKS]
        self.assertEqual(self.kept(), ["Thanks", "You are welcome."] * 4)

    def test_a_run_behind_what_somebody_else_has_said_meanwhile(self):
        first, second = self.memory(), self.memory()
        self.finish(first, RUN)
        self.finish(second, THANKS, 1, RUN)
        self.finish(first, [{"role": "user", "content": "And back?"}, {"role": "assistant", "content": "At ten."}], 2)
        self.finish(second, RUN)
        self.assertEqual(self.kept(), [turn["content"] for turn in [*RUN, *THANKS]] + ["And back?", "At ten."])
        self.assertEqual(self.errors, [])

    def test_what_the_user_was_shown_is_not_kept(self):
        self.loci.memories.remember("The ferry to Oslo leaves at nine.", scope=self.scope)
        memory = self.memory()
        block = memory.block_for(self.conversation, "When does the ferry leave?", position=0)
        calls = [{"id": "r1", "name": "recall", "arguments": '{"query":"ferry"}'}]
        self.finish(
            memory,
            [
                {"role": "user", "content": f"{block.text}\n\nWhen does the ferry leave?"},
                {"role": "assistant", "content": "", "tool_calls": calls},
                {"role": "tool", "tool_call_id": "r1", "content": "The ferry to Oslo leaves at nine."},
                {"role": "assistant", "content": "At nine."},
            ],
        )
        turns = list(self.loci.sessions.turns((self.scope, "talk")))
        self.assertEqual(turns[0].content, "When does the ferry leave?")
        self.assertEqual([turn.recalled for turn in turns], [False, False, True, False])

    def test_texts_of_any_form_and_length(self):
        self.finish(
            self.memory(),
            [{"role": "user", "content": "half \ud83d"}, {"role": "assistant", "content": "é" * 200_000, "name": "bot"}],
        )
        question, answer = self.kept()
        self.assertEqual(question, "half \ufffd")
        self.assertTrue(answer.endswith("é..."))
        self.assertIn(256 * 1024 - len(answer.encode()) - len("bot"), (0, 1))
        self.assertEqual(self.errors, [])

    def test_more_turns_than_are_appended_at_once(self):
        calls = [[{"id": f"c{at}", "name": "look", "arguments": "{}"}] for at in range(120)]
        steps = [
            turn
            for call in calls
            for turn in (
                {"role": "assistant", "content": "", "tool_calls": call},
                {"role": "tool", "tool_call_id": call[0]["id"], "content": call[0]["id"]},
            )
        ]
        turns = [{"role": "user", "content": "Look at all."}, *steps, {"role": "assistant", "content": "Done."}]
        for memory in (self.memory(), self.memory()):
            self.finish(memory, turns)
        self.assertEqual(self.errors, [])
        self.assertEqual(self.kept(), [turn["content"] for turn in turns])

    def test_a_process_that_died_between_two_parts_of_a_run(self):
        turns = [{"role": ("user", "assistant")[at % 2], "content": f"{at // 2 % 40}"} for at in range(250)]
        self.loci.sessions.create((self.scope, "talk"))
        self.loci.sessions.append((self.scope, "talk"), turns[:100], expected_last_turn=0)
        for _ in range(2):
            self.finish(self.memory(), turns)
        self.assertEqual(self.errors, [])
        self.assertEqual(self.kept(), [turn["content"] for turn in turns])

    def test_runs_of_a_session_stand_in_the_order_in_which_they_finished(self):
        memory = self.memory()
        said = [[{"role": "user", "content": str(at)}, {"role": "assistant", "content": "ok"}] for at in range(30)]
        for position, turns in enumerate(said):
            memory.finished(self.conversation, turns, position=position)
        memory.settled()
        self.assertEqual(self.kept()[::2], [str(at) for at in range(30)])

    def test_what_was_kept_is_not_held(self):
        memory = self.memory()
        tracemalloc.start()
        self.addCleanup(tracemalloc.stop)
        for position in range(8):
            text = f"{position}" * 200_000
            memory.block_for(self.conversation, text, position=position)
            self.finish(memory, [{"role": "user", "content": text}], -position)
        self.assertEqual(self.errors, [])
        self.assertLess(tracemalloc.get_traced_memory()[0], 1_000_000)

    def test_sessions_at_once(self):
        memory = self.memory()
        scopes = [new_user() for _ in range(20)]

        def finish(scope):
            conversation = Conversation(scope, session="talk")
            for position in range(3):
                memory.finished(conversation, [{"role": "user", "content": f"{scope} {position}"}], position=position)

        with ThreadPoolExecutor(8) as threads:
            list(threads.map(finish, scopes))
        memory.settled()
        for scope in scopes:
            kept = [turn.content for turn in self.loci.sessions.turns((scope, "talk"))]
            self.assertEqual(kept, [f"{scope} {position}" for position in range(3)])
        self.assertEqual(self.errors, [])

    def test_nothing_is_kept_without_a_session_and_nothing_learnt_without_capture(self):
        memory = self.memory()
        memory.finished(Conversation(self.scope), RUN, position=0)
        memory.finished(self.conversation, [], position=0)
        memory.settled()
        self.assertEqual(self.loci.called, [])
        self.finish(self.memory(capture=False), RUN)
        self.assertEqual(len(self.kept()), 4)
        self.assertEqual(list(self.loci.captures.list((self.scope, "talk"))), [])

    def test_a_session_knows_who_answers_and_what_it_is_about(self):
        conversation = Conversation(self.scope, session="talk", agent="coach", project="billing")
        memory = self.memory()
        memory.finished(conversation, THANKS, position=0)
        memory.settled()
        session = self.loci.sessions.get((self.scope, "talk"))
        self.assertEqual((session.agent, session.project), ("coach", "billing"))

    def test_what_cannot_be_kept_is_told_and_can_be_kept_later(self):
        memory = self.memory()
        self.finish(memory, THANKS)
        self.loci.sessions.close((self.scope, "talk"))
        self.finish(memory, RUN, 1, THANKS)
        self.assertEqual(self.errors, [("SESSION_CLOSED", "capture")])
        self.loci.sessions.reopen((self.scope, "talk"))
        self.finish(memory, RUN, 1, THANKS)
        self.assertEqual(len(self.kept()), 6)
        self.assertEqual(len(self.errors), 1)

    def test_what_loci_was_away_for_is_kept_before_the_next_run_in_order_and_once(self):
        memory = self.memory()
        said = [[{"role": "user", "content": f"Question {at}"}] for at in range(4)]
        away = UnavailableError("SERVER_UNAVAILABLE", "The server is away.", code="UNAVAILABLE")
        with mock.patch.object(type(self.loci.sessions), "get", side_effect=away):
            for position in (0, 1, 1):
                self.finish(memory, said[position], position)
        self.assertEqual(self.errors, [("SERVER_UNAVAILABLE", "capture")] * 3)
        for position in (2, 0, 1, 3):
            self.finish(memory, said[position], position)
        self.assertEqual(self.kept(), [f"Question {at}" for at in range(4)])
        self.assertEqual(len(self.errors), 3)

    def test_a_run_that_loci_was_away_for_is_not_taken_for_what_was_said_before(self):
        memory = self.memory()
        again = THANKS[:1]
        earlier = [*again, *RUN, *again, *THANKS[1:], *RUN]
        self.finish(memory, earlier)
        self.finish(memory, again, position=8)
        away = UnavailableError("SERVER_UNAVAILABLE", "The server is away.", code="UNAVAILABLE")
        with mock.patch.object(type(self.loci.sessions), "append", side_effect=away):
            self.finish(memory, [*again, *THANKS[1:]], position=1, before=again)
        self.finish(memory, [*again, *THANKS[1:]], position=1, before=again)
        kept = [turn["content"] for turn in [*earlier, *again, *again, *THANKS[1:]]]
        self.assertEqual(self.kept(), kept)

    def test_turns_that_are_none_are_told_and_fail_nobody(self):
        self.finish(self.memory(), [{"role": "user", "text": "x"}])
        self.assertEqual(self.errors, [("TypeError", "capture")])

    def test_a_closed_client_is_told(self):
        memory = self.memory()
        self.loci.close()
        self.finish(memory, RUN)
        self.assertEqual(self.errors, [("CLOSED", "capture")])

    def test_tasks_keep_runs_alike(self):
        async def main():
            async with connect_async() as loci:
                memory = AsyncAgentMemory(loci, conversation=self.conversation, on_error=told(self.errors))
                for _ in range(2):
                    memory.finished(self.conversation, RUN, position=0)
                    memory.finished(self.conversation, THANKS, position=4, before=RUN)
                await memory.settled()

        for _ in range(2):
            asyncio.run(main())
        self.assertEqual(self.kept(), [turn["content"] for turn in [*RUN, *THANKS]])
        self.assertEqual(self.errors, [])

    def test_a_task_that_is_stopped_can_be_repeated(self):
        async def main():
            async with connect_async() as loci:
                memory = AsyncAgentMemory(loci, conversation=self.conversation, on_error=told(self.errors))
                memory.finished(self.conversation, RUN, position=0)
                for task in asyncio.all_tasks() - {asyncio.current_task()}:
                    task.cancel()
                await memory.settled()
                memory.finished(self.conversation, RUN, position=0)
                await memory.settled()

        asyncio.run(main())
        self.assertEqual(self.kept(), [turn["content"] for turn in RUN])

    @unittest.skipUnless(hasattr(os, "fork"), "This system does not fork")
    def test_a_child_keeps_what_finishes_in_it(self):
        memory = self.memory()
        self.finish(memory, RUN)
        child = os.fork()
        if child == 0:
            self.finish(memory, THANKS, 1, RUN)
            os._exit(len(self.errors))
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(len(self.kept()), 6)


class ServerAwayTest(unittest.TestCase):
    def test_a_run_that_finishes_without_an_event_loop_is_told(self):
        errors = []
        memory = AsyncAgentMemory(
            AsyncLoci.connect("localhost:1"), conversation=Conversation("user:ann"), on_error=told(errors)
        )
        memory.finished(Conversation("user:ann", session="talk"), THANKS, position=0)
        self.assertEqual(errors, [("RuntimeError", "capture")])

    def test_the_caller_does_not_wait(self):
        errors = []
        loci = Loci.connect("localhost:1")
        self.addCleanup(loci.close)
        memory = AgentMemory(loci, conversation=Conversation("user:ann"), on_error=told(errors))
        memory.finished(Conversation("user:ann", session="talk"), THANKS, position=0)
        self.assertEqual(errors, [])
        memory.settled()
        self.assertEqual(errors, [("SERVER_UNAVAILABLE", "capture")])


if __name__ == "__main__":
    unittest.main()
