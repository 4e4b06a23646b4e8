from loci_client import connect_local, v1

with connect_local() as channel:  # the server that has LOCI_DATA_DIR open, with the key it keeps there
    billing = v1.Scope(kind=v1.SCOPE_KIND_PROJECT, id="billing")

    text = "We chose PostgreSQL 17 for billing because of its row-level security."
    memory = v1.Memory(text=text, scope=billing)
    v1.MemoryServiceStub(channel).CreateMemory(v1.CreateMemoryRequest(memory=memory))

    request = v1.AssembleContextRequest(
        model="gpt-4o",
        system="You are the assistant of the billing team.",
        query="Which database does billing use, and why?",
        recall=v1.AssemblyRecall(scopes=[billing]),
    )
    context = v1.ContextServiceStub(channel).AssembleContext(request)
    print(context.text)  # send it to the model
