import sys

from loci_client import Loci


def model(messages):  # your model
    return f"I was shown {len(messages)} messages."


with Loci.local() as loci:  # the server that has LOCI_DATA_DIR open, with the key it keeps there
    key = ("user:ann", "ann-monday")
    last = loci.sessions.create(key, title="Travels").last_turn
    for line in sys.stdin:
        asked = {"role": "user", "content": line.rstrip("\n")}
        context = {"system": "You help Ann with her travels.", "scopes": ["user:ann"], "memory_dates": True}
        reply = loci.sessions.append_and_assemble(key, [asked], expected_last_turn=last, context=context)
        answer = model(reply.context.messages)
        print(answer)
        said = {"role": "assistant", "content": answer}
        last = loci.sessions.append(key, [said], expected_last_turn=reply.appended.last_turn).last_turn
    loci.sessions.close(key)  # from now on memories are made of it
