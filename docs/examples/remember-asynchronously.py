import asyncio
import contextlib

from loci_client import AsyncLoci


async def main() -> None:
    async with AsyncLoci.local() as loci:
        texts = ["The ferry leaves at nine.", "The inn is in Oslo."]
        await asyncio.gather(*[loci.memories.remember(text, scope="user:ann") for text in texts])
        print(sorted([memory.text async for memory in loci.memories.list(["user:ann"])]))

        changes = loci.memories.watch(["user:ann"], beginning=True)
        async with contextlib.aclosing(changes):  # leaving it ends the call
            async for change in changes:
                if change.written is None:
                    break
        report = await loci.maintenance.verify(on_progress=lambda progress: None)
        print(report.job, (await loci.tokens.count("How long is this?")).tokens)


asyncio.run(main())
