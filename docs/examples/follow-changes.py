from loci_client import Loci

with Loci.local() as loci:
    for change in loci.memories.watch(all_scopes=True, beginning=True):
        if change.written is not None:
            print("written", change.written.text)
        elif change.removed_id is not None:
            print("removed", change.removed_id)
        else:
            break  # nothing more for now; a program that follows would go on
