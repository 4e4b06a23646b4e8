"""Writes `loci_client.synchronous` from `loci_client.asynchronous`: the same client, whose calls block.

Usage: write_synchronous.py FOLDER, a copy of the workspace's folders.
"""

import re
import sys
import tempfile
from pathlib import Path

import unasync

PACKAGE = Path(__file__).parent.parent
MODULE = "src/loci_client"
HEADER = "# Generated from ../asynchronous/{name} by `npm run generate`.\n"

# What is called otherwise. Every other name loses its Async.
REPLACED = {"aclose": "close", "asynchronous": "synchronous"}
IN_TEXT = {"an event loop waits for": "block their thread"}


def write_synchronous(folder: Path) -> None:
    source = PACKAGE / MODULE / "asynchronous"
    target = folder / MODULE / "synchronous"
    target.mkdir(parents=True, exist_ok=True)
    for stale in target.glob("*.py"):
        stale.unlink()
    files = sorted(source.glob("*.py"))
    names = {name for file in files for name in re.findall(r"\bAsync\w+", file.read_text(encoding="utf-8"))}
    replacements = {**{name: name.removeprefix("Async") for name in names}, **REPLACED}
    with tempfile.TemporaryDirectory(prefix="loci-synchronous-") as made:
        rule = unasync.Rule(f"{source}/", f"{made}/", additional_replacements=replacements)
        unasync.unasync_files([str(file) for file in files], [rule])
        for file in files:
            text = Path(made, file.name).read_text(encoding="utf-8")
            for before, after in IN_TEXT.items():
                text = text.replace(before, after)
            (target / file.name).write_text(HEADER.format(name=file.name) + text, encoding="utf-8")


if __name__ == "__main__":
    write_synchronous(Path(sys.argv[1], "packages/client-python"))
