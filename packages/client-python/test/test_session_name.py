"""Every call that is about a session is told which one in the same ways."""

import unittest

from loci_client import Loci, Scope, v1
from loci_client.types import Session, SessionReference
from scripted_server import ScriptedServer

ANN = v1.Scope(kind=v1.SCOPE_KIND_USER, id="ann")
CALLS = {
    "create": (lambda loci, session: loci.sessions.create(session), v1.CreateSessionRequest),
    "get": (lambda loci, session: loci.sessions.get(session), v1.GetSessionRequest),
    "close": (lambda loci, session: loci.sessions.close(session), v1.CloseSessionRequest),
    "reopen": (lambda loci, session: loci.sessions.reopen(session), v1.ReopenSessionRequest),
    "delete": (lambda loci, session: loci.sessions.delete(session), v1.DeleteSessionRequest),
    "append": (lambda loci, session: loci.sessions.append(session, [], expected_last_turn=0), v1.AppendTurnsRequest),
    "append_and_assemble": (
        lambda loci, session: loci.sessions.append_and_assemble(session, [], expected_last_turn=0),
        v1.AppendTurnsAndAssembleContextRequest,
    ),
    "append_and_capture": (
        lambda loci, session: loci.sessions.append_and_capture(session, [{"role": "user", "content": "Hi."}]),
        v1.AppendTurnsAndCaptureRequest,
    ),
    "turns": (lambda loci, session: list(loci.sessions.turns(session)), v1.ListTurnsRequest),
    "load": (lambda loci, session: loci.sessions.turn_state.load(session), v1.GetTurnStateRequest),
    "save": (lambda loci, session: loci.sessions.turn_state.save(session, {}), v1.SaveTurnStateRequest),
    "mark_blocked": (
        lambda loci, session: loci.sessions.turn_state.mark_blocked(session, "Ice."),
        v1.MergeTurnStateRequest,
    ),
    "start": (lambda loci, session: loci.captures.start(session), v1.StartCaptureRequest),
    "captures": (lambda loci, session: list(loci.captures.list(session)), v1.ListCapturesRequest),
    "assemble": (lambda loci, session: loci.assemble("And now?", session=session), v1.AssembleContextRequest),
}


def named_in(request):
    request = getattr(request, "append", request)
    name = getattr(request, "session", request)
    return name.scope, name.id


class Empty:
    """The answer of any call, with nothing in it."""

    def SerializeToString(self):
        return b""


class SessionName(ScriptedServer):
    def test_by_its_scope_and_id_or_by_what_was_read(self):
        read = v1.Session(scope=ANN, id="monday", title="Travels", last_turn=3, etag="e")
        names = {
            "texts": ("user:ann", "monday"),
            "a scope": (Scope("user", "ann"), "monday"),
            "a mapping": {"scope": "user:ann", "id": "monday"},
            "a reference": SessionReference(scope=Scope("user", "ann"), id="monday"),
            "a session": Session.from_proto(read),
        }
        with Loci.connect(self.address) as loci:
            for call, (made, request) in CALLS.items():
                for name, session in names.items():
                    with self.subTest(call=call, name=name):
                        self.script.steps = [Empty()]
                        made(loci, session)
                        sent = request.FromString(self.script.calls[-1].request)
                        self.assertEqual(named_in(sent), (ANN, "monday"))

    def test_a_scope_alone_is_a_conversation_of_its_own(self):
        said = [{"role": "user", "content": "Hi."}]
        with Loci.connect(self.address) as loci:
            for scope in ("user:ann", Scope("user", "ann")):
                with self.subTest(scope=scope):
                    self.script.steps = [Empty()]
                    loci.sessions.append_and_capture(scope, said, title="Meeting", wait=2.5)
                    sent = v1.AppendTurnsAndCaptureRequest.FromString(self.script.calls[-1].request)
                    self.assertEqual((sent.session.scope, sent.session.id, sent.session.title), (ANN, "", "Meeting"))
                    self.assertEqual(sent.wait.ToTimedelta().total_seconds(), 2.5)
                    self.assertFalse(sent.HasField("expected_last_turn"))
                    self.assertNotEqual(sent.request_id, "")

    def test_what_names_none_is_refused(self):
        with Loci.connect(self.address) as loci:
            for call, (made, _) in CALLS.items():
                for wrong in ("monday", ("a", "b", "c"), 5):
                    if call == "append_and_capture" and wrong == "monday":
                        continue  # a text alone is a scope there
                    refused = self.assertRaisesRegex(TypeError, "^session must be a session")
                    with self.subTest(call=call, wrong=wrong), refused:
                        made(loci, wrong)
        self.assertEqual(self.script.calls, [])


if __name__ == "__main__":
    unittest.main()
