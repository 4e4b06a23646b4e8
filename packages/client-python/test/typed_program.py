"""What programs do, for type checkers: `mypy --strict` finds nothing in it. It is not run."""

import asyncio
from datetime import datetime, timezone

from loci_client import AsyncLoci, ConflictError, F, Loci, Scope, reasons, types


def blocking() -> list[str]:
    with Loci.connect("localhost:5624", api_key="key", timeout=5) as loci:
        memory: types.Memory = loci.memories.remember("x", scope=Scope("user", "ann"), trust="untrusted", tags=["a"])
        changed = loci.memories.update(memory, importance=0.9, slot=None, request_id="x")
        try:
            loci.memories.forget(changed)
        except ConflictError as error:
            print(error.reason == reasons.VERSION_CONFLICT, error.advice, error.details["currentVersion"])
        old = F.create_time < datetime.now(timezone.utc)
        hits = loci.recall("x", scopes=["user:ann"], where=(F.category == "a") & ~old).hits
        context = loci.assemble("x", scopes=["user:ann"], session=("user:ann", "s"))
        loci.budget.trim([{"role": "user", "content": "x"}, *context.messages], max_tokens=50)
        print(context.receipt.items[0].id, context.usage.total_tokens)
        for change in loci.memories.watch(all_scopes=True):
            print(change.cursor, change.written.text if change.written else None)
        block = loci.blocks.create("user:ann", "human", values={"facts": ["a"]})
        approved: types.Memory | None = loci.captures.reviews.decide("x", "approve")
        print(approved, loci.captures.reviews.decide("x", decision="reject", etag="y"))
        append = {"op": "append", "field": "facts", "value": "b"}
        loci.blocks.update("user:ann", "human", etag=block.etag, operations=[append])
        loci.sessions.append(("user:ann", "s"), [types.Turn(role="user", content="x")], expected_last_turn=0)
        for page in loci.sessions.turns(("user:ann", "s")).pages():
            print(page.last_turn)
        report = loci.maintenance.verify(on_progress=lambda progress: print(progress.done))
        report = loci.maintenance.run({"prune": {"dormant_days": 90}}, dry_run=True)
        listed = [memory.text for memory in loci.memories.list(["user:ann"])]
        gone = loci.memories.list(["user:ann"], states=["deleted"], valid_at=datetime.now(timezone.utc))
        listed += [memory.text for memory in gone]
        return [hit.text for hit in hits] + listed + list(report.notes)


async def asynchronous() -> None:
    async with AsyncLoci.local() as loci:
        job = await loci.captures.start(("user:ann", "s"))
        done = await loci.captures.wait(job.id, timeout=5)
        print(done.outcome.candidates[0].text if done.outcome else None)
        print([memory.text async for memory in loci.memories.list(["global"])])
        operation = await loci.maintenance.start({"verify": {"repair": True}})
        await operation.wait()
        await operation.cancel()
        async for change in loci.memories.watch(["global"]):
            print(change.proto.cursor)


if __name__ == "__main__":
    blocking()
    asyncio.run(asynchronous())
