import sys

from loci_client import connect_local, v1


def model(messages):  # your model
    return f"I was shown {len(messages)} messages."


with connect_local() as channel:  # the server that has LOCI_DATA_DIR open, with the key it keeps there
    sessions = v1.SessionServiceStub(channel)
    ann = v1.Scope(kind=v1.SCOPE_KIND_USER, id="ann")
    key = {"scope": ann, "id": "ann-monday"}
    created = sessions.CreateSession(v1.CreateSessionRequest(session=v1.Session(**key, title="Travels")))
    last = created.session.last_turn
    for line in sys.stdin:
        asked = v1.Turn(role=v1.CHAT_ROLE_USER, content=line.rstrip("\n"))
        context = v1.AssembleContextRequest(
            system="You help Ann with her travels.", recall=v1.AssemblyRecall(scopes=[ann])
        )
        append = v1.AppendTurnsRequest(**key, expected_last_turn=last, turns=[asked])
        request = v1.AppendTurnsAndAssembleContextRequest(append=append, context=context)
        reply = sessions.AppendTurnsAndAssembleContext(request)
        answer = model(reply.context.messages)
        print(answer)
        said = v1.Turn(role=v1.CHAT_ROLE_ASSISTANT, content=answer)
        append = v1.AppendTurnsRequest(**key, expected_last_turn=reply.appended.last_turn, turns=[said])
        last = sessions.AppendTurns(append).last_turn
    sessions.CloseSession(v1.CloseSessionRequest(**key))  # from now on memories are made of it
