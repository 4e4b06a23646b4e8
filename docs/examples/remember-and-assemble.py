from loci_client import Loci

with Loci.local() as loci:  # the server that has LOCI_DATA_DIR open, with the key it keeps there
    text = "We chose PostgreSQL 17 for billing because of its row-level security."
    loci.memories.remember(text, scope="project:billing")

    context = loci.assemble(
        "Which database does billing use, and why?",
        model="gpt-4o",
        system="You are the assistant of the billing team.",
        scopes=["project:billing"],
    )
    print(context.text)  # send it to the model
