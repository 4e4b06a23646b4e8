from loci_client import Loci

with Loci.local() as loci:  # the server that has LOCI_DATA_DIR open, with the key it keeps there
    human = ("user:alice", "human")
    loci.blocks.create(*human, values={"name": "Alice"})

    operations = [
        {"op": "append", "field": "preferences", "value": "short answers"},
        {"op": "set", "field": "name", "value": "Alicia"},
    ]
    edit = loci.blocks.propose(*human, operations, reason="She asked for short answers")

    hunks = [0]  # the first operation; the other one is rejected with that
    found = loci.blocks.get_edit(edit.id, hunks=hunks)
    preview = found.preview
    if preview is None:
        raise SystemExit(found.conflict)
    print(", ".join(change.field for change in preview.diff))  # what would change: show it to whoever decides
    loci.blocks.approve(
        edit.id, hunks=hunks, base_version=preview.base_version, content_hash=preview.content_hash
    )

    print(loci.blocks.get(*human).text)
