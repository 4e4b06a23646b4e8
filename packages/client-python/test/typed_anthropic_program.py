"""What programs with Anthropic's memory tool do, for type checkers: `mypy --strict` finds nothing in it. It is not run."""

from anthropic import Anthropic, AsyncAnthropic

from loci_client import AsyncLoci, Loci
from loci_client.anthropic import AsyncLociMemoryTool, LociMemoryTool


def blocking() -> None:
    with Loci.local() as loci:
        memory = LociMemoryTool(loci, owner="user:ann", cache_control={"type": "ephemeral"})
        runner = Anthropic().beta.messages.tool_runner(
            model="claude-sonnet-5-5", max_tokens=1024, tools=[memory], messages=[{"role": "user", "content": "Hi"}]
        )
        print(runner.until_done().content)


async def asynchronous() -> None:
    async with AsyncLoci.local() as loci:
        memory = AsyncLociMemoryTool(loci, owner=lambda: "user:ann", policy="auto")
        runner = AsyncAnthropic().beta.messages.tool_runner(
            model="claude-sonnet-5-5", max_tokens=1024, tools=[memory], messages=[{"role": "user", "content": "Hi"}]
        )
        print((await runner.until_done()).content)
