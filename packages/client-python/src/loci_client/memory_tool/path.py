"""Paths below `/memories`."""

from __future__ import annotations

import re

from loci_client.memory_tool.problem import MemoryToolError

MOST_BYTES = 512

ROOT = "/memories"

# What a block would not keep in one line.
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def memory_path(given: str) -> str:
    """What a path names below `/memories`: its parts with a slash between, or nothing for `/memories` itself.

    Raises:
        MemoryToolError: It is not below it, or a file system or a URL could take it for another one.
    """
    if not given.startswith(ROOT):
        raise MemoryToolError(f"Path must start with /memories, got: {given}")
    parts = [part for part in given[len(ROOT) :].split("/") if part not in ("", ".")]
    if ".." in parts:
        raise _refused_parent(given, parts)
    if len(given.encode("utf-8", "surrogatepass")) > MOST_BYTES:
        raise MemoryToolError(f"The path is longer than {MOST_BYTES} bytes. Use a shorter one.")
    is_odd = "%" in given or _CONTROLS.search(given) is not None or not is_well_formed(given)
    if is_odd or (parts and parts[-1].endswith(" ")):
        raise MemoryToolError(
            f"Path {given} is not allowed: a path has no %, no control characters, and no space at its end. Use another one."
        )
    return "/".join(parts)


def _refused_parent(given: str, parts: list[str]) -> MemoryToolError:
    depth = 0
    for part in parts:
        depth += -1 if part == ".." else 1
        if depth < 0:
            return MemoryToolError(f"Path {given} would escape /memories directory")
    return MemoryToolError(f"Path {given} is not allowed: it has .. in it. Use the path that is meant.")


def is_well_formed(text: str) -> bool:
    """Whether UTF-8 has a text: no half of a character."""
    return re.search("[\ud800-\udfff]", text) is None


def parent_of(path: str) -> str:
    """The directory that a path is in. That of `a` is the root, which is empty."""
    return path.rpartition("/")[0]


def directories_of(path: str) -> list[str]:
    """The directories that a path is in, the root first."""
    parts = path.split("/")[:-1]
    return ["", *["/".join(parts[: at + 1]) for at in range(len(parts))]]


def is_within(path: str, directory: str) -> bool:
    """Whether a path is in a directory, at any depth."""
    return path != directory and (directory == "" or path.startswith(f"{directory}/"))


def shown_path(path: str) -> str:
    """A path as a model writes it."""
    return ROOT if path == "" else f"{ROOT}/{path}"
