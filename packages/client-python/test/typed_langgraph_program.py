"""What programs with a LangGraph store do, for type checkers: `mypy --strict` finds nothing in it. It is not run."""

from __future__ import annotations

from loci_client import AsyncLoci, Loci
from loci_client.langgraph import LociStore


def whose(namespace: tuple[str, ...]) -> str | None:
    return f"user:{namespace[1]}" if len(namespace) > 1 else None


def blocking() -> None:
    with Loci.local() as loci:
        store = LociStore(loci, whose, index=["title", "notes[*].text"], ttl=60)
        store.put(("users", "ann"), "tea", {"title": "Assam"}, index=False, ttl=5)
        print([(item.key, item.value, item.score) for item in store.search(("users", "ann"), query="tea")])


async def asynchronous() -> None:
    async with AsyncLoci.local() as loci:
        store = LociStore(loci, "agent:store", index=False)
        item = await store.aget(("users", "ann"), "tea")
        print(None if item is None else item.value)
