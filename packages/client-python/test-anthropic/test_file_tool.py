"""Every answer is that of the SDK's own tool on a directory, byte for byte."""

import os
import random
import tempfile
import unittest
from pathlib import Path

from anthropic.lib.tools import ToolError
from anthropic.tools.memory import BetaLocalFilesystemMemoryTool

from administrators import connect_administrator, connect_administrator_async
from loci_client.anthropic import AsyncLociMemoryTool, LociMemoryTool
from served_loci import needs_server, new_user

RUNS = int(os.environ.get("LOCI_MEMORY_TOOL_RUNS", "30"))
NAMES = ("a", "b", "c.md", ".d", "node_modules", "é", "👍 x")
ODD_PATHS = ("/memories", "/memories/", "/memories//a/./b/", "/memoriesa", "/etc/a", "")
LINES = ("", "one", "two", "one two", "  ", "\ttab", "\\1 \\g<0> \"q\" '''", "\r", "\0", "\u2028x", "\ufeff", "ü👍", "n\nn")


class Commands:
    """Commands that somebody might give, by chance."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def path(self):
        if self.random.random() < 0.08:
            return self.random.choice(ODD_PATHS)
        return "/memories/" + "/".join(self.random.choices(NAMES, k=self.random.randint(1, 3)))

    def text(self):
        return "\n".join(self.random.choices(LINES, k=self.random.randint(0, 5)))

    def line(self):
        return self.random.choice(LINES)

    def number(self):
        return self.random.randint(-3, 6)

    def next(self):
        name = self.random.choice(["view", "create", "create", "create", "str_replace", "insert", "delete", "rename"])
        fields = {
            "view": lambda: {"path": self.path()} | self.range(),
            "create": lambda: {"path": self.path(), "file_text": self.text()},
            "str_replace": lambda: {"path": self.path(), "old_str": self.line(), "new_str": self.text()},
            "insert": lambda: {"path": self.path(), "insert_line": self.number(), "insert_text": self.text()},
            "delete": lambda: {"path": self.path()},
            "rename": lambda: {"old_path": self.path(), "new_path": self.path()},
        }
        return {"command": name, **fields[name]()}

    def range(self):
        return {"view_range": [self.number(), self.number()]} if self.random.random() < 0.5 else {}

    def sequence(self):
        looks = [{"command": "view", "path": path} for path in ("/memories", "/memories/a", "/memories/a/b")]
        return [self.next() for _ in range(self.random.randint(1, 16))] + looks


def said(error, base=""):
    return f"{type(error).__name__}: {error}".replace(base, "") if base else f"{type(error).__name__}: {error}"


def with_usual_sizes(answer):
    """What a directory takes is its file system's, 4K on most and 40B in memory."""
    if not answer.startswith("Here're the files and directories"):
        return answer
    lines = answer.split("\n")
    return "\n".join(
        "4K\t" + line.partition("\t")[2] if index == 1 or line.endswith("/") else line
        for index, line in enumerate(lines)
    )


def expected(tool, command, base):
    try:
        return with_usual_sizes(tool.call(command).replace(base, ""))
    except (ToolError, OSError) as error:
        return said(error, base)


@needs_server
class FileToolTest(unittest.IsolatedAsyncioTestCase):
    def sequences(self, seeds):
        with tempfile.TemporaryDirectory() as folder:
            for seed in seeds:
                base = str(Path(folder, str(seed)).resolve())
                files = BetaLocalFilesystemMemoryTool(base)
                yield f"seed {seed}", [(each, expected(files, each, base)) for each in Commands(seed).sequence()]

    def test_answers_as_on_a_directory(self):
        with connect_administrator() as loci:
            for name, sequence in self.sequences(range(RUNS)):
                tool = LociMemoryTool(loci, owner=new_user(), policy="auto")
                for command, answer in sequence:
                    try:
                        got = tool.call(command)
                    except (ToolError, OSError) as error:
                        got = said(error)
                    self.assertEqual((name, command, got), (name, command, answer))

    async def test_answers_the_same_from_an_event_loop(self):
        async with connect_administrator_async() as loci:
            for name, sequence in self.sequences(range(RUNS, RUNS + RUNS // 3)):
                tool = AsyncLociMemoryTool(loci, owner=new_user(), policy="auto")
                for command, answer in sequence:
                    try:
                        got = await tool.call(command)
                    except (ToolError, OSError) as error:
                        got = said(error)
                    self.assertEqual((name, command, got), (name, command, answer))
