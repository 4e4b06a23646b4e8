"""Prints the reference of the Python client as Markdown: what `loci_client` offers, by its signatures and docstrings."""

import inspect
import re
import sys
from enum import Enum
from importlib import import_module
from types import ModuleType
from typing import get_args, get_type_hints

import loci_client

_SECTION = re.compile(r"(Args|Raises|Returns|Yields|Attributes):")
_ENTRY = re.compile(r"([*\w.]+)(?: \([^)]*\))?: (.*)")


def _documented(text: str | None) -> str:
    """A docstring as Markdown: its sections become lists."""
    lines, entries = [], False
    for line in inspect.cleandoc(text or "").split("\n"):
        if _SECTION.fullmatch(line):
            entries = True
            lines += ["", f"**{line[:-1]}**", ""]
        elif entries and line and not line.startswith(" "):
            entries = False
            lines += ["", line]
        elif entries and (entry := _ENTRY.fullmatch(line[4:])) and not line[4:].startswith(" "):
            lines.append(f"- `{entry[1]}`: {entry[2]}")
        elif entries:
            lines.append(line.strip() and f"  {line.strip()}")
        else:
            lines.append(line)
    return "\n".join(lines).replace("<", "&lt;")


def _signature(name: str, of: object) -> str:
    try:
        signature = str(inspect.signature(of))
    except (TypeError, ValueError):
        signature = ""
    prefix = "async " if inspect.iscoroutinefunction(of) else ""
    return f"```python\n{prefix}{name}{_plain(signature)}\n```"


def _plain(signature: str) -> str:
    """Without the modules that names come from, and a parameter a line when it is long."""
    text = re.sub(r"\b(?:[a-z_0-9]+\.)+(?=[A-Za-z_])", "", signature).replace("'", "")
    text = re.sub(r"^\(self(?:, )?", "(", text)
    if len(text) <= 80:
        return text
    depth, parts, last = 0, [], 1
    end = text.rindex(")")
    for index, character in enumerate(text[:end]):
        depth += character in "([{"
        depth -= character in ")]}"
        if character == "," and depth == 1:
            parts.append(text[last:index].strip())
            last = index + 1
    parts.append(text[last:end].strip())
    return "(\n" + "".join(f"    {part},\n" for part in parts if part) + text[end:]


def _members(of: type) -> dict[str, object]:
    """What a class and those of this package that it comes from offer, as it is written."""
    found = {}
    for base in reversed(of.__mro__):
        if base.__module__.startswith("loci_client"):
            found |= {name: value for name, value in vars(base).items() if not name.startswith("_")}
    return found


def _classes_of(of: object) -> list[type]:
    """The classes of this package that something is said to return."""
    try:
        returned = get_type_hints(of).get("return")
    except (AttributeError, NameError, TypeError):
        return []
    candidates = (returned, *get_args(returned))
    return [one for one in candidates if inspect.isclass(one) and one.__module__.startswith("loci_client.")]


def _class(name: str, of: type, later: list[type]) -> list[str]:
    is_made_by_callers = not issubclass(of, (BaseException, Enum))
    parts = [f"## {name}", _signature(name, of) if is_made_by_callers else "", _documented(of.__doc__)]
    making = vars(of).get("__init__")
    parts += [_documented(making.__doc__)] if inspect.isfunction(making) and is_made_by_callers else []
    for member, value in _members(of).items():
        is_bound = isinstance(value, (staticmethod, classmethod))
        is_read = isinstance(value, property) or hasattr(value, "func")
        unread = value.fget if isinstance(value, property) else getattr(value, "func", value)
        function = value.__func__ if is_bound else unread
        if inspect.isfunction(function):
            called = getattr(of, member) if is_bound else function
            shown = f"`{name}.{member}`" if is_read else _signature(f"{name}.{member}", called)
            parts += [f"### {name}.{member}", shown, _documented(function.__doc__)]
            later += _classes_of(function)
    return parts


def _adapters() -> dict[str, object]:
    """What the package has for agents, as far as their frameworks are installed, by module and name."""
    found = {}
    for module in ("agent", "langchain", "openai_agents", "llama_index"):
        try:
            adapter = import_module(f"loci_client.{module}")
        except ModuleNotFoundError as error:
            print(f"site: the reference of Python is without loci_client.{module}. {error}", file=sys.stderr)
            continue
        found |= {f"{module}.{name}": getattr(adapter, name) for name in adapter.__all__}
    return found


def main() -> None:
    """Goes through what the package names, then what that returns, each once."""
    parts, later, done = [], [], set()
    named = {name: getattr(loci_client, name) for name in sorted(loci_client.__all__)} | _adapters()
    modules = [value for value in named.values() if isinstance(value, ModuleType)]
    for name, value in named.items():
        if inspect.isclass(value):
            done.add(value)
            parts += _class(name, value, later)
        elif inspect.isfunction(value):
            parts += [f"## {name}", _signature(name, value), _documented(value.__doc__)]
    # Generated code is the contract, which has pages of its own.
    for module in modules:
        if module.__name__ != "loci_client.v1":
            later += [value for value in vars(module).values() if inspect.isclass(value)]
    while later:
        value = later.pop(0)
        if value not in done and value.__module__.startswith("loci_client.") and ".v1" not in value.__module__:
            done.add(value)
            parts += _class(value.__name__, value, later)
    sys.stdout.write("\n\n".join(part for part in parts if part) + "\n")


if __name__ == "__main__":
    main()
