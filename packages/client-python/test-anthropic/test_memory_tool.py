"""The memory tool of Anthropic's SDK in Loci, against a running server."""

import asyncio
import json
import unittest
from pathlib import Path

import httpx2
from anthropic import Anthropic, AsyncAnthropic
from anthropic.lib.tools import ToolError

from administrators import connect_administrator, connect_administrator_async
from loci_client import LociError
from loci_client.anthropic import AsyncLociMemoryTool, LociMemoryTool
from loci_client.memory_tool.file import KnownBlock, file_label, file_of, file_values
from served_loci import connect, connect_async, needs_server, new_user

PATH = "/memories/trip.md"
GOLDEN = Path(__file__).parents[2] / "agent/test/golden/memory-files.json"


class FakeModel:
    """Answers each request with the next command, or a text."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.results = []

    def answer(self, request):
        sent = json.loads(request.content)
        content = sent["messages"][-1]["content"]
        self.results += [
            (block["content"], block.get("is_error", False))
            for block in content
            if isinstance(block, dict) and block["type"] == "tool_result"
        ]
        reply = self.replies.pop(0)
        is_text = isinstance(reply, str)
        said = {"type": "text", "text": reply} if is_text else {"type": "tool_use", "id": "t", "name": "memory", "input": reply}
        message = {
            "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [said], "stop_sequence": None,
            "stop_reason": "end_turn" if is_text else "tool_use", "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        return httpx2.Response(200, json=message)

    async def answer_later(self, request):
        return self.answer(request)


class FilesTest(unittest.TestCase):
    def test_blocks_are_those_of_typescript(self):
        for case in json.loads(GOLDEN.read_text(encoding="utf-8")):
            path, text = case["path"], case["text"]
            name = f"{path}/" if text is None else path
            self.assertEqual(file_label(name), case["label"])
            self.assertEqual(file_values(path, text), case["values"])
            block = KnownBlock(case["label"], case["values"], "auto", 1, "", 0.0)
            file = file_of(block)
            self.assertEqual((file.path, file.text), (path, text))


@needs_server
class MemoryToolTest(unittest.TestCase):
    def setUp(self):
        self.loci = connect()
        self.addCleanup(self.loci.close)
        self.owner = new_user()
        self.tool = LociMemoryTool(self.loci, owner=self.owner)

    def approve(self):
        for edit in list(self.loci.blocks.list_edits(self.owner)):
            preview = self.loci.blocks.get_edit(edit.id).preview
            self.loci.blocks.approve(edit.id, base_version=preview.base_version, content_hash=preview.content_hash)

    def refused(self, **command):
        with self.assertRaises(ToolError) as caught:
            self.tool.call(command)
        return str(caught.exception)

    def test_a_person_approves(self):
        answer = self.tool.call({"command": "create", "path": PATH, "file_text": "Oslo\n"})
        (edit,) = self.loci.blocks.list_edits(self.owner)
        self.assertEqual(answer, f"Proposed as edit {edit.id}: it takes effect when a person approves it.")
        missing = f"The path {PATH} does not exist. Please provide a valid path."
        waits = "\n\n1 edit of this file waits until a person approves."
        self.assertEqual(self.refused(command="view", path=PATH), missing + waits)
        self.assertIn("1 edit of files in this directory waits", self.tool.call({"command": "view", "path": "/memories"}))
        self.approve()
        shown = self.tool.call({"command": "view", "path": PATH})
        self.assertEqual(shown, f"Here's the content of {PATH} with line numbers:\n     1\tOslo\n     2\t")
        moved = self.tool.call({"command": "rename", "old_path": PATH, "new_path": "/memories/b/trip.md"})
        self.assertRegex(moved, r"^Proposed as edits \S+ and \S+: they take effect when a person approves them\.$")
        self.approve()
        self.assertEqual(self.refused(command="view", path=PATH), missing)

    def test_a_key_without_the_role_admin_makes_nothing_that_takes_effect_at_once(self):
        self.tool = LociMemoryTool(self.loci, owner=self.owner, policy="auto")
        self.assertIn("role admin", self.refused(command="create", path=PATH, file_text=""))
        self.assertEqual(self.loci.blocks.list(self.owner, schema="memory_file"), ())

    def test_what_is_not_allowed(self):
        for path in ("/memories/../x", "/memories/a/../b", "/memories/%2e", "/memories/a\0", "/memories/a\n", "/memories/a ",
                     "/memories/\ud800", "/memories/" + "ä" * 256, "memories"):
            for command in ({"command": "view", "path": path}, {"command": "create", "path": path, "file_text": ""},
                            {"command": "rename", "old_path": "/memories/x", "new_path": path}):
                self.assertRegex(self.refused(**command), "not allowed|would escape|longer than|must start with")
        self.assertIn("needs path as a string", self.refused(command="view", path=3))
        self.assertIn("needs insert_line as a number", self.refused(command="insert", path=PATH, insert_line=None, insert_text=""))
        self.assertIn("half of a character", self.refused(command="create", path=PATH, file_text="\ud800"))
        self.assertIn("65536", self.refused(command="create", path=PATH, file_text="x" * 65_537))

    def test_nobody_has_files(self):
        for owner in (lambda: None, "user:None"):
            with self.assertRaises(LociError) as caught:
                LociMemoryTool(self.loci, owner=owner).call({"command": "view", "path": PATH})
            self.assertEqual(caught.exception.reason, "SCOPE_REQUIRED")

    def test_a_server_that_is_gone_is_told(self):
        loci = connect()
        loci.close()
        tool = LociMemoryTool(loci, owner=self.owner)
        with self.assertRaises(ToolError) as caught:
            tool.call({"command": "view", "path": PATH})
        self.assertIn("closed", str(caught.exception))

    def test_a_run_of_the_tool_runner(self):
        command = {"command": "create", "path": PATH, "file_text": "Oslo"}
        model = FakeModel(command, {"command": "view", "path": "/memories/none"}, "Noted.")
        client = Anthropic(api_key="none", http_client=httpx2.Client(transport=httpx2.MockTransport(model.answer)))
        with connect_administrator() as loci:
            tool = LociMemoryTool(loci, owner=self.owner, policy="auto")
            messages = [{"role": "user", "content": "I fly to Oslo."}]
            runner = client.beta.messages.tool_runner(model="m", max_tokens=99, tools=[tool], messages=messages)
            self.assertEqual(runner.until_done().content[0].text, "Noted.")
        self.assertEqual(model.results, [
            (f"File created successfully at: {PATH}", False),
            ("The path /memories/none does not exist. Please provide a valid path.", True),
        ])


@needs_server
class AsyncMemoryToolTest(unittest.IsolatedAsyncioTestCase):
    async def test_a_run_of_the_tool_runner(self):
        async def owner():
            return user

        user = new_user()
        model = FakeModel({"command": "create", "path": PATH, "file_text": "Oslo"}, "Proposed.")
        http_client = httpx2.AsyncClient(transport=httpx2.MockTransport(model.answer_later))
        client = AsyncAnthropic(api_key="none", http_client=http_client)
        async with connect_async() as loci:
            tool = AsyncLociMemoryTool(loci, owner=owner)
            messages = [{"role": "user", "content": "I fly to Oslo."}]
            runner = client.beta.messages.tool_runner(model="m", max_tokens=99, tools=[tool], messages=messages)
            self.assertEqual((await runner.until_done()).content[0].text, "Proposed.")
            (edit,) = [each async for each in loci.blocks.list_edits(user)]
        self.assertEqual(model.results[0][0], f"Proposed as edit {edit.id}: it takes effect when a person approves it.")

    async def test_many_at_once_keep_what_each_has_written(self):
        user = new_user()
        async with connect_administrator_async() as loci:
            tools = [AsyncLociMemoryTool(loci, owner=user, policy="auto") for _ in range(8)]
            create = {"command": "create", "path": PATH, "file_text": ""}
            created = await asyncio.gather(*[tool.call(create) for tool in tools], return_exceptions=True)
            self.assertEqual(len([answer for answer in created if isinstance(answer, str)]), 1)
            inserts = [{"command": "insert", "path": PATH, "insert_line": 0, "insert_text": f"line {at}"} for at in range(8)]
            await asyncio.gather(*[tool.call(each) for tool, each in zip(tools, inserts)])
            shown = await tools[0].call({"command": "view", "path": PATH})
        self.assertEqual([at for at in range(8) if f"\tline {at}\n" in shown], list(range(8)))
