from loci_client import ConflictError, F, Loci

with Loci.local() as loci:
    loci.memories.remember("Deploys are on Thursdays.", scope="project:billing", category="procedure")
    loci.memories.remember("Invoices are kept for ten years.", scope="project:billing")
    for memory in loci.memories.list(["project:billing"]):  # pages by itself; .pages() gives pages
        changed = loci.memories.update(memory, importance=0.9)  # the etag is the memory's
        try:
            loci.memories.update(memory, tags=["late"])  # but it was just changed
        except ConflictError as error:
            print(error.reason, changed.version, changed.importance, error.advice)
    for each in loci.memories.scopes():  # where there are memories, and how many
        print(each.scope, each.memories)

    rules = loci.recall("When do we deploy?", scopes=["project:billing"], where=F.category == "procedure")
    print([hit.text for hit in rules.hits])
