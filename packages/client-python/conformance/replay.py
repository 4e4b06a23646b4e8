"""Makes the calls of a scenario file through this client, one after the other, and prints a line for each.

tools/scenarios compares the lines with those of the other languages. With `--async`, through `AsyncLoci`.
"""

import asyncio
import inspect
import json
import os
import re
import sys
import threading
from contextlib import aclosing
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from typing import Any

from google.protobuf import json_format
from google.protobuf.message import Message
from idiomatic import answer_of, arguments_of
from methods import adapted

from loci_client import AsyncLoci, Loci, LociError, v1

REFERENCE = re.compile(r"\$\{([^:}]+):([^}]+)\}")
WRITES_AT_ONCE = 8


def read_steps() -> list[dict[str, Any]]:
    with open(os.environ["LOCI_SCENARIO_FILE"], encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def connect(kind: Any, name: str) -> Any:
    client = json.loads(os.environ["LOCI_SCENARIO_CLIENTS"])[name]
    return kind.connect(client["address"], api_key=client.get("apiKey"))


def print_line(line: dict[str, Any]) -> None:
    print(json.dumps(line, ensure_ascii=False), flush=True)


def error_of(error: LociError) -> dict[str, Any]:
    names = ("code", "reason", "message", "advice", "field", "resource", "details")
    return {"error": {name: getattr(error, name) for name in names}}


class Step:
    """One call: how it is made, and what its results are in the contract."""

    def __init__(self, step: dict[str, Any], lines: dict[str, Any]) -> None:
        self.name = step["step"]
        self.client = step.get("client", "writer")
        self.call = step["call"]
        self.take = step.get("take")
        self.timeout = step.get("timeoutMilliseconds")
        rpc = self.call.rpartition("/")[2]
        exports = self.call == "loci.v1.MemoryService/ExportMemories"
        stem = f"MemoryService{rpc}" if exports else rpc
        self._response = getattr(v1, f"{stem}Response")
        self._is_one_page = self.call == "loci.v1.MaintenanceService/ExportMemories"
        request = json_format.ParseDict(with_references(step["request"], lines), getattr(v1, f"{stem}Request")())
        self.method, self.arguments = adapted(self.call, arguments_of(request))
        if self.timeout is not None:
            self.arguments["timeout"] = self.timeout / 1000

    def begin(self, loci: Any) -> Any:
        """A result, or what gives one or many."""
        method = reduce(getattr, self.method.split("."), loci)
        for parameter in inspect.signature(method).parameters.values():
            # What the request leaves out although Python insists on it.
            if parameter.default is parameter.empty and parameter.name not in self.arguments:
                is_list = str(parameter.annotation).startswith("Iterable")
                self.arguments[parameter.name] = () if is_list else None
        begun = method(**self.arguments)
        return begun.pages() if hasattr(begun, "pages") else begun

    def answer(self, result: Any) -> dict[str, Any]:
        return {"answer": self._plain(result)}

    def answers(self, results: list[Any]) -> dict[str, Any]:
        if self._is_one_page:
            return self.answer(results[0])
        return {"answers": [self._plain(each) for each in results]}

    def is_enough(self, count: int) -> bool:
        return count == (1 if self._is_one_page else self.take)

    def _plain(self, result: Any) -> Any:
        response: Message = self._response()
        if self.method == "sessions.turn_state.load_with_summary":
            result, response.summary = result
        return json_format.MessageToDict(answer_of(getattr(result, "operation", result), response))


def with_references(value: Any, lines: dict[str, Any]) -> Any:
    """A request with what earlier steps printed in place of `${step:answer.path}`."""
    if isinstance(value, list):
        return [with_references(each, lines) for each in value]
    if isinstance(value, dict):
        return {name: with_references(each, lines) for name, each in value.items()}
    match = REFERENCE.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return value
    found = lines[match[1]]
    for name in match[2].split("."):
        found = found[int(name)] if isinstance(found, list) else found[name]
    return found


def outcome(step: Step, loci: Loci) -> dict[str, Any]:
    begun = step.begin(loci)
    if not inspect.isgenerator(begun):
        return step.answer(begun)
    results: list[Any] = []
    for result in begun:
        results.append(result)
        if step.is_enough(len(results)):
            begun.close()
            break
    return step.answers(results)


async def async_outcome(step: Step, loci: AsyncLoci) -> dict[str, Any]:
    begun = step.begin(loci)
    if not inspect.isasyncgen(begun):
        return step.answer(await begun)
    results: list[Any] = []
    async with aclosing(begun):
        async for result in begun:
            results.append(result)
            if step.is_enough(len(results)):
                break
    return step.answers(results)


def replay() -> None:
    clients: dict[str, Loci] = {}
    lines: dict[str, Any] = {}
    for given in read_steps():
        step = Step(given, lines)
        loci = clients.setdefault(step.client, clients.get(step.client) or connect(Loci, step.client))
        try:
            line = outcome(step, loci)
        except LociError as error:
            line = error_of(error)
        lines[step.name] = {"step": step.name, **line}
        print_line(lines[step.name])
    for loci in clients.values():
        loci.close()


async def async_replay() -> None:
    clients: dict[str, AsyncLoci] = {}
    lines: dict[str, Any] = {}
    for given in read_steps():
        step = Step(given, lines)
        loci = clients.setdefault(step.client, clients.get(step.client) or connect(AsyncLoci, step.client))
        try:
            line = await async_outcome(step, loci)
        except LociError as error:
            line = error_of(error)
        lines[step.name] = {"step": step.name, **line}
        print_line(lines[step.name])
    for loci in clients.values():
        await loci.close()


def write_many(count: int) -> None:
    printing = threading.Lock()

    def write(index: int) -> None:
        try:
            line = {"write": index, "id": loci.memories.remember(f"write {index}", scope="user:scenario").id}
        except LociError as error:
            line = {"write": index, **error_of(error)}
        with printing:
            print_line(line)

    with connect(Loci, "faulty") as loci, ThreadPoolExecutor(WRITES_AT_ONCE) as threads:
        for done in [threads.submit(write, index) for index in range(count)]:
            done.result()


async def async_write_many(count: int) -> None:
    indexes = iter(range(count))
    async with connect(AsyncLoci, "faulty") as loci:

        async def write_on() -> None:
            for index in indexes:
                try:
                    memory = await loci.memories.remember(f"write {index}", scope="user:scenario")
                    print_line({"write": index, "id": memory.id})
                except LociError as error:
                    print_line({"write": index, **error_of(error)})

        await asyncio.gather(*[write_on() for _ in range(WRITES_AT_ONCE)])


if __name__ == "__main__":
    writes = os.environ.get("LOCI_SCENARIO_WRITES")
    is_async = "--async" in sys.argv
    if writes is not None:
        asyncio.run(async_write_many(int(writes))) if is_async else write_many(int(writes))
    else:
        asyncio.run(async_replay()) if is_async else replay()
