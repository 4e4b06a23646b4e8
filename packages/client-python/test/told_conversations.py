"""The conversations that adapters in every language are played: `packages/agent/test/golden/conversations.json`.

What their fields mean is told in `packages/agent/src/conformance/told-conversation.ts`. Frameworks of Python have no
signal that stops a call: who leaves is an error of the model.
"""

import asyncio
import json
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from loci_client.agent import AgentMemory, Conversation, INSTRUCTIONS_NOTICE
from loci_client.errors import UnavailableError
from served_loci import connect, connect_async, new_user

_FILE = Path(__file__).parents[2] / "agent/test/golden/conversations.json"
CONVERSATIONS = json.loads(_FILE.read_text(encoding="utf-8"))
# What the asynchronous client is played, which does the same by other calls. The nightly run plays it all.
SOME_CONVERSATIONS = CONVERSATIONS if os.environ.get("LOCI_EVERY_CONVERSATION") == "1" else CONVERSATIONS[::4]
INSTRUCTIONS = "You help."
_IMAGE = "[image]"
# For a recall that is to come: the first one reads a model, and machines are shared.
_PATIENCE = 60.0
# For one that does not come.
_IMPATIENCE = 0.1


class TheUserHasLeft(Exception):
    pass


class OutOfReach(UnavailableError):
    def __init__(self):
        message = "The server is out of reach, as the conversation tells."
        super().__init__("SERVER_UNAVAILABLE", message, code="UNAVAILABLE")


class Script:
    """What the model and the tools of an agent do, in order, and what the model was shown."""

    def __init__(self, steps):
        self.steps = steps
        self._calls = [call for step in steps for call in step.get("calls", [])]
        self.shown = []

    @property
    def tools(self):
        return sorted({call["tool"] for call in self._calls})

    def next(self, instructions, messages):
        """What is said and called, after what is shown was noted."""
        if len(self.shown) == len(self.steps):
            raise AssertionError("The model is called more often than the conversation tells.")
        step = self.steps[len(self.shown)]
        self.shown.append({"instructions": instructions, "messages": messages})
        if "fails" in step:
            raise RuntimeError(step["fails"])
        if "isStopped" in step:
            raise TheUserHasLeft
        return step.get("says", ""), step.get("calls", [])

    def result_of(self, call_id):
        return next(call["returns"] for call in self._calls if call["id"] == call_id)


def message(role, text, calls=(), answers=None):
    """A message as any framework can tell it. `calls` are the id, the tool and the input of each."""
    return {"role": role, "text": text, "calls": list(calls), "answers": answers}


def parts_of(asked):
    """The texts of a message, and a word for each image."""
    return [asked] if isinstance(asked, str) else asked


def is_image(part):
    return part == _IMAGE


class RunningLoop:
    """An event loop in a thread of its own: all that an asynchronous client does has to be done in one."""

    def __init__(self, case):
        self._loop = asyncio.new_event_loop()
        thread = threading.Thread(target=self._loop.run_forever)
        thread.start()
        case.addCleanup(self._loop.close)
        case.addCleanup(thread.join)
        case.addCleanup(self._loop.call_soon_threadsafe, self._loop.stop)

    def run(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()


def play(case, driver, told, loop=None):
    """Plays a conversation to an adapter, and checks what comes of it.

    Args:
        driver: Makes the adapter of a client and the arguments of a memory. It has `ask(conversation, history, messages,
            script, is_streamed)`, which returns what was answered and the history then, and `settled()`.
        loop: Where an asynchronous client is to run, which the driver is given then; its methods are coroutines. Default: the
            client is blocking.
    """
    (_Played(case, driver, told) if loop is None else _PlayedAsynchronously(case, driver, told, loop)).play()


class _Played:
    def __init__(self, case, driver, told):
        self.case, self.driver, self.told = case, driver, told
        self.plain = connect()
        case.addCleanup(self.plain.close)
        self.users, self.chats, self.problems = {}, {}, []
        self.agent = self.agent_of = self.does = None
        self.loci = self.connected()

    def connected(self):
        """A client that fails when a conversation tells so."""
        loci = connect()
        self.case.addCleanup(loci.close)
        unary = loci._calls.unary

        def played(method, *rest):
            silence = self.begun(loci, method)
            if silence == 0:
                return unary(method, *rest)
            time.sleep(silence)
            raise OutOfReach

        loci._calls.unary = played
        return loci

    def begun(self, loci, method):
        """How long a call is silent before it fails. 0: it is made."""
        name = method.path.rpartition("/")[2]
        fails = {("AssembleContext", "fails to recall"), ("AppendTurns", "fails to keep")}
        if (name, self.does) in fails:
            loci.called.append(name)
            raise OutOfReach
        if (name, self.does) != ("AssembleContext", "silent"):
            return 0
        loci.called.append(name)
        return 3 * _IMPATIENCE

    def asked_agent(self, agent, *given):
        return agent.ask(*given)

    def settled(self, agent):
        agent.settled()

    def play(self):
        for user, texts in self.told.get("memories", {}).items():
            for text in texts:
                self.plain.memories.remember(text, scope=self.scope(user))
        for asked in self.told["questions"]:
            self.ask_all(asked if isinstance(asked, list) else [asked])
        for chat in self.chats.values():
            self.check_kept(chat)

    def ask_all(self, questions):
        self.does = questions[0].get("loci")
        self.loci.called.clear()
        self.problems.clear()
        agent = self.agent_for(questions[0])
        with ThreadPoolExecutor(len(questions)) as threads:
            list(threads.map(lambda question: self.ask(agent, question), questions))
        self.settled(agent)
        recalls = sum(question.get("recalls", 1) for question in questions)
        self.case.assertEqual(self.loci.called.count("AssembleContext"), recalls, "so often it is recalled")
        self.case.assertEqual(self.problems, _problems_of(questions[0]), "what on_error is told")

    def ask(self, agent, question):
        chat = self.chat(question)
        if not question.get("isRepeated"):
            chat["before"] = chat["now"]
        history, messages = chat["before"]
        earlier = [each["text"] for each in messages if each["role"] == "user"]
        earlier += ["".join(parts_of(each)) for each in question.get("after", [])]
        block = self.block_for(chat["conversation"], question, earlier)
        script = Script(question["steps"])
        said = [*question.get("after", []), question["asks"]]
        ends, failure = question.get("ends"), None
        try:
            is_streamed = question.get("isStreamed", False)
            answer, new_history = self.asked_agent(agent, chat["conversation"], history, said, script, is_streamed)
        except Exception as error:
            if ends is None:
                raise
            failure = error
        self.case.assertEqual(failure is None, ends is None, "how it ends")
        asked = [*messages, *[message("user", "".join(parts_of(each))) for each in said]]
        expected = [] if ends == "unasked" else _shown_calls(asked, block, question["steps"])
        self.case.assertEqual(script.shown, expected, "what the model is shown")
        if failure is not None:
            return
        self.case.assertEqual(answer, question["steps"][-1].get("says"), "what is answered")
        chat["now"] = (new_history, [*asked, *_messages_of(question["steps"])])
        # Also where Loci fails to keep it: before the next one.
        is_kept = question.get("isKept", not question.get("isRepeated"))
        if is_kept and chat["conversation"] is not None and chat["conversation"].session is not None:
            chat["kept"] += _kept_turns(question)

    def block_for(self, conversation, question, earlier):
        """What `AgentMemory` recalls for it."""
        if conversation is None or question.get("loci") in ("silent", "fails to recall"):
            return None
        memory = AgentMemory(self.plain, conversation=conversation, required=True, recall_timeout=_PATIENCE)
        words = "\n".join([part for part in parts_of(question["asks"]) if not is_image(part)])
        tools = Script(question["steps"]).tools
        block = memory.block_for(conversation, words, position=0, earlier=earlier, tools=tools)
        if question.get("shows", []) is None:
            self.case.assertIsNone(block)
        for text in question.get("shows") or []:
            self.case.assertIn(text, block.text if block is not None else "")
        for text in question.get("hides", []):
            self.case.assertNotIn(text, block.text if block is not None else "")
        return None if block is None else block.text

    def check_kept(self, chat):
        conversation, kept = chat["conversation"], chat["kept"]
        if conversation is None:
            return
        sessions = [session.id for session in self.plain.sessions.list([conversation.scope])]
        if conversation.session is None:
            self.case.assertEqual(sessions, [])
        elif kept or conversation.session in sessions:
            turns = self.plain.sessions.turns((conversation.scope, conversation.session))
            turns = list(turns)
            self.case.assertEqual([_kept(turn) for turn in turns], kept, "what is kept")
            captures = self.plain.captures.list((conversation.scope, conversation.session))
            captured = [number for job in captures for number in range(job.first_turn, job.last_turn + 1)]
            self.case.assertEqual(sorted(captured), [turn.number for turn in turns], "what memories are made of")

    def agent_for(self, question):
        timeout = _IMPATIENCE if question.get("loci") == "silent" else _PATIENCE
        options = {"required": question.get("isMemoryRequired", False), "recall_timeout": timeout}
        if self.agent is None or self.agent_of != options or question.get("isElsewhere"):
            self.agent = self.driver(self.loci, on_error=lambda _, stage: self.problems.append(stage), **options)
            self.agent_of = options
        return self.agent

    def chat(self, question):
        user, session = question.get("user", "ann"), question.get("session", "talk")
        if (user, session) not in self.chats:
            conversation = None if user is None else Conversation(self.scope(user), session=session)
            nothing = (None, [])
            self.chats[user, session] = {"conversation": conversation, "now": nothing, "before": nothing, "kept": []}
        return self.chats[user, session]

    def scope(self, user):
        return self.users.setdefault(user, new_user())


class _PlayedAsynchronously(_Played):
    def __init__(self, case, driver, told, loop):
        self.loop = loop
        super().__init__(case, driver, told)

    def connected(self):
        async def main():
            loci = connect_async()
            unary = loci._calls.unary

            async def played(method, *rest):
                silence = self.begun(loci, method)
                if silence == 0:
                    return await unary(method, *rest)
                await asyncio.sleep(silence)
                raise OutOfReach

            loci._calls.unary = played
            return loci

        loci = self.loop.run(main())
        self.case.addCleanup(lambda: self.loop.run(loci.close()))
        return loci

    def asked_agent(self, agent, *given):
        return self.loop.run(agent.ask(*given))

    def settled(self, agent):
        self.loop.run(agent.settled())


def _shown_calls(asked, block, steps):
    latest = asked[-1] if block is None else {**asked[-1], "text": f"{block}\n\n{asked[-1]['text']}"}
    return [
        {
            "instructions": f"{INSTRUCTIONS}\n\n{INSTRUCTIONS_NOTICE}",
            "messages": [*asked[:-1], latest, *_messages_of(steps[:at])],
        }
        for at in range(len(steps))
    ]


def _messages_of(steps):
    messages = []
    for step in steps:
        calls = step.get("calls", [])
        messages.append(message("assistant", step.get("says", ""), _calls(step)))
        messages += [message("tool", call["returns"], answers=call["id"]) for call in calls]
    return messages


def _calls(step):
    return [(call["id"], call["tool"], call["input"]) for call in step.get("calls", [])]


def _kept_turns(question):
    said = ["\n".join(parts_of(each)) for each in question.get("after", [])]
    turns = [("user", text, [], None, False) for text in [*said, _kept_words(question)]]
    for step in question["steps"]:
        turns.append(("assistant", step.get("says", ""), _calls(step), None, False))
        for call in step.get("calls", []):
            turns.append(("tool", call["returns"], [], call["id"], call["tool"] in ("recall", "view_blocks")))
    return turns


def _kept_words(question):
    return question.get("keepsAsked", "\n".join(parts_of(question["asks"])))


def _kept(turn):
    calls = [(call.id, call.name, json.loads(call.arguments)) for call in turn.tool_calls]
    return (turn.role, turn.content, calls, turn.tool_call_id, turn.recalled)


def _problems_of(question):
    loci = question.get("loci")
    if loci is None or question.get("ends") == "unasked":
        return []
    return ["capture" if loci == "fails to keep" else "recall"]
