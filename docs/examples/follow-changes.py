from loci_client import connect_local, v1

with connect_local() as channel:
    memories = v1.MemoryServiceStub(channel)
    for answer in memories.WatchMemories(v1.WatchMemoriesRequest(all_scopes=True, beginning=True)):
        change = answer.WhichOneof("change")
        if change == "written":
            print("written", answer.written.text)
        elif change == "removed_id":
            print("removed", answer.removed_id)
        else:
            break  # nothing more for now; a program that follows would go on
