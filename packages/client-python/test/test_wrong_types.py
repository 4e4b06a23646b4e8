"""An argument of a wrong type is a TypeError that names it."""

import asyncio
import unittest

from loci_client import AsyncLoci, F, InvalidArgumentError, Loci, Scope, connect, v1
from loci_client.errors import make_error
from loci_client.types import Memory
from scripted_server import ScriptedServer


class WrongTypes(ScriptedServer):
    def call(self, work):
        with Loci.connect(self.address) as loci:
            return work(loci)

    def test_what_a_call_is_given(self):
        for work, said in (
            (lambda loci: loci.memories.forget(None), "memory must be a Memory or the id of one, but is NoneType."),
            (lambda loci: loci.memories.update(5, importance=1), "memory must be a Memory or the id of one, but is int."),
            (
                lambda loci: loci.blocks.promote("user:ann", "core_memory", memory=5, heading="Facts"),
                "memory must be a Memory or the id of one, but is int.",
            ),
            (lambda loci: loci.captures.evidence(5), "memory must be a Memory or the id of one, but is int."),
            (lambda loci: loci.captures.start("user:ann"), "session must be a session, such as .*, but is str."),
            (lambda loci: loci.captures.start(("a", "b", "c")), "session must be a session, .*, but is a 3-tuple."),
            (
                lambda loci: loci.recall("What?", scopes=["global"], where="category = 1"),
                "^where must be a filter, .*, but is str.",
            ),
            (
                lambda loci: loci.recall("What?", scopes=["global"], where={"category": "fact"}),
                '^where must be a filter, such as F.category == "fact", but is dict.',
            ),
            (
                lambda loci: loci.assemble("What?", scopes=["global"], recall={"limit": "three"}),
                "^recall.limit must be a whole number, but is str.",
            ),
            (lambda loci: loci.memories.remember_many(["text"]), r"memories\[0\] must be a mapping, but is str."),
            (
                lambda loci: loci.memories.remember("It.", scope="global", metadata={1: "one"}),
                "metadata must have texts as its names, but one is int.",
            ),
            (
                lambda loci: loci.memories.remember("It.", scope="global", importance=True),
                "importance must be a number, but is bool.",
            ),
            (
                lambda loci: loci.blocks.create("user:ann", "likes", values={"teas": ["Assam", 7]}),
                r"values.teas\[1\] must be text, but is int.",
            ),
        ):
            with self.subTest(said), self.assertRaisesRegex(TypeError, said):
                self.call(work)
        self.assertEqual(self.script.calls, [])

    def test_a_scope_that_a_template_has_written_without_an_id(self):
        for scope in ("user:None", f"user:{None}", "project:undefined"):
            with self.subTest(scope), self.assertRaises(InvalidArgumentError) as refusal:
                self.call(lambda loci: loci.recall("What?", scopes=[scope]))  # noqa: B023
            self.assertEqual((refusal.exception.reason, refusal.exception.field), ("INVALID_IDENTIFIER", "scopes[0]"))
        self.assertEqual(self.script.calls, [])
        self.script.steps = [v1.RecallMemoriesResponse()]
        self.call(lambda loci: loci.recall("What?", scopes=[Scope("user", "None")]))

    def test_a_whole_number_that_would_come_back_as_another_one(self):
        for work, field in (
            (lambda loci: loci.memories.remember("It.", scope="global", metadata={"id": 2**53}), "metadata.id"),
            (lambda loci: loci.recall("What?", scopes=["global"], where=F.metadata.id == -(2**63)), "metadata.id"),
        ):
            with self.subTest(field), self.assertRaisesRegex(InvalidArgumentError, "Pass it as text") as failed:
                self.call(work)
            self.assertEqual((failed.exception.reason, failed.exception.field), ("INVALID_NUMBER", field))
        self.assertEqual(self.script.calls, [])

    def test_a_text_is_no_list_of_letters(self):
        for compare in (F.category.is_in, F.category.is_not_in):
            with self.assertRaisesRegex(TypeError, "category must be compared with a list of values, but was with str."):
                compare("fact")

    def test_a_session_a_filter_and_a_memory_are_taken(self):
        self.script.steps = [v1.StartCaptureResponse(), v1.RecallMemoriesResponse(), v1.ListEvidenceResponse()]
        self.call(lambda loci: loci.captures.start(("user:ann", "monday")))
        self.call(lambda loci: loci.recall("What?", scopes=["global"], where=F.category == "fact"))
        memory = Memory.from_proto(v1.Memory(id="m"))
        self.call(lambda loci: loci.captures.evidence(memory))
        self.assertEqual(v1.ListEvidenceRequest.FromString(self.script.calls[2].request).memory, "m")
        self.assertEqual(len(self.script.calls), 3)


class AsyncWrongTypes(WrongTypes):
    """The same of the asynchronous client."""

    def call(self, work):
        async def main():
            async with AsyncLoci.connect(self.address) as loci:
                return await work(loci)

        return asyncio.run(main())


class ConnectingTest(unittest.TestCase):
    def test_what_a_client_is_made_with(self):
        for make, said in (
            (lambda: Loci.connect(None), "address must be text, such as localhost:5624, but is NoneType."),
            (lambda: AsyncLoci.connect(5624), "address must be text, .*, but is int."),
            (lambda: connect(None), "address must be text, .*, but is NoneType."),
            (lambda: Loci.local(5), "data_directory must be a path, but is int."),
            (lambda: Loci.connect("localhost:1", credentials="key"), "credentials must be a grpc.ChannelCredentials"),
            (lambda: Loci.connect("localhost:1", max_message_bytes="1"), "max_message_bytes must be a whole number"),
        ):
            with self.subTest(said), self.assertRaisesRegex(TypeError, said):
                make()


class ErrorTextTest(unittest.TestCase):
    def test_message_and_advice_are_two_sentences(self):
        for message in ("It failed: connection refused", "It failed: connection refused."):
            error = make_error("UNAVAILABLE", "SERVER_UNAVAILABLE", message, "Check the address.")
            self.assertEqual(str(error), "It failed: connection refused. Check the address. [SERVER_UNAVAILABLE]")
        self.assertEqual(str(make_error("INTERNAL", "INTERNAL", "It failed")), "It failed [INTERNAL]")


if __name__ == "__main__":
    unittest.main()
