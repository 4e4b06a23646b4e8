from scripted_anthropic import client  # yours: client = Anthropic()

from loci_client import Loci
from loci_client.anthropic import LociMemoryTool

with Loci.local() as loci:
    memory = LociMemoryTool(loci, owner="user:ann")
    runner = client.beta.messages.tool_runner(
        model="claude-sonnet-5-5",
        max_tokens=1024,
        tools=[memory],
        messages=[{"role": "user", "content": "I prefer window seats."}],
    )
    print(runner.until_done().content[0].text)

    for edit in loci.blocks.list_edits("user:ann"):  # what a person does
        print(edit.reason)
        preview = loci.blocks.get_edit(edit.id).preview
        loci.blocks.approve(edit.id, base_version=preview.base_version, content_hash=preview.content_hash)
    print(memory.call({"command": "view", "path": "/memories/travel.md"}))
