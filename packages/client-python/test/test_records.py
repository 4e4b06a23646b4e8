"""What calls take and give: dataclasses, times, filters, errors."""

import copy
import dataclasses
import pickle
import unittest
from datetime import datetime, timedelta, timezone

import grpc
from google.protobuf.message import Message

from loci_client import (
    ConflictError,
    F,
    InvalidArgumentError,
    InternalError,
    Loci,
    LociError,
    NotFoundError,
    PermissionDeniedError,
    Scope,
    types,
    v1,
)
from loci_client.fill import fill
from loci_client.record import Record
from loci_client.values import read_time
from scripted_server import ScriptedServer, loci_status

SAID = datetime(2026, 1, 5, 10, 0, 0, 123_000, tzinfo=timezone.utc)


def memory():
    message = v1.Memory(id="id", text="x" * 500, etag="id.1", importance=0, tags=["a"])
    fill(message, {"scope": "user:ann", "create_time": SAID, "metadata": {"open": False, "count": 2, "name": "é"}})
    return types.Memory.from_proto(message)


class RecordTest(unittest.TestCase):
    def test_it_is_equal_frozen_hashable_and_can_be_copied(self):
        one, other = memory(), memory()
        self.assertEqual(one, other)
        self.assertEqual(hash(one), hash(other))
        self.assertNotEqual(one, dataclasses.replace(one, text="y"))
        for made in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one), copy.copy(one)):
            self.assertEqual(made, one)
            self.assertEqual(made.proto, one.proto)
        with self.assertRaises(dataclasses.FrozenInstanceError):
            one.text = "y"
        with self.assertRaises((AttributeError, TypeError)):
            one.unknown = 1

    def test_values_are_those_of_python(self):
        one = memory()
        self.assertEqual(one.scope, Scope("user", "ann"))
        self.assertEqual(str(one.scope), "user:ann")
        self.assertEqual(one.create_time, SAID)
        self.assertEqual(one.metadata, {"open": False, "count": 2.0, "name": "é"})
        self.assertEqual((one.importance, one.confidence, one.tags), (0.0, None, ("a",)))
        self.assertEqual((one.trust, one.state), ("unspecified", "unspecified"))

    def test_little_text_is_shown(self):
        self.assertIn("x" * 79 + "…", repr(memory()))
        self.assertNotIn("x" * 80, repr(memory()))
        self.assertNotIn("x" * 80, repr(types.MemoryPage(memories=(memory(),) * 4)))

    def test_the_counts_of_a_report_are_shown(self):
        counts = {"found": 4.0, "erased": 4.0, "rows": 8.0, "entries": 9.0}
        self.assertIn(f"counts={counts!r}", repr(types.MaintenanceReport(counts=counts)))
        self.assertIn("<4 items>", repr(dataclasses.replace(memory(), metadata=dict.fromkeys("abcd", "x"))))

    def test_it_is_made_by_programs_too(self):
        turn = types.Turn(role="user", content="Hello.", time=SAID)
        self.assertEqual(turn.proto.role, v1.CHAT_ROLE_USER)
        self.assertEqual(types.Turn.from_proto(turn.proto), turn)

    def test_what_a_newer_server_says_is_not_lost(self):
        known = v1.Memory(id="id", state=99)
        newer = v1.Memory.FromString(known.SerializeToString() + b"\xc0\x3e\x07")
        made = types.Memory.from_proto(newer)
        self.assertEqual(made.state, "99")
        self.assertEqual(pickle.loads(pickle.dumps(made)).proto.SerializeToString(), newer.SerializeToString())

    def test_every_record_is_read_from_an_empty_message_and_written_back(self):
        for name in types.__all__:
            kind = getattr(types, name)
            if isinstance(kind, type) and issubclass(kind, Record):
                with self.subTest(name):
                    made = kind.from_proto(kind._new())
                    self.assertIsInstance(made.proto, Message)
                    self.assertEqual(pickle.loads(pickle.dumps(made)), made)


class ArgumentTest(unittest.TestCase):
    def test_times_need_a_zone(self):
        with self.assertRaisesRegex(ValueError, "^evaluation_time has no time zone"):
            fill(v1.ListMemoriesRequest(), {"evaluation_time": datetime(2026, 1, 1)})

    def test_times_of_all_zones_and_centuries_are_kept(self):
        zone = timezone(timedelta(hours=5, minutes=30))
        first, landing = datetime(1, 1, 1, tzinfo=timezone.utc), datetime(1969, 7, 20, tzinfo=zone)
        for time in (SAID, SAID.astimezone(zone), first, landing):
            request = fill(v1.ListMemoriesRequest(), {"evaluation_time": time})
            self.assertEqual(read_time(request.evaluation_time), time)
            self.assertGreaterEqual(request.evaluation_time.nanos, 0)

    def test_what_is_wrong_is_named(self):
        for fields, error, message in (
            ({"memory": {"scope": "alice"}}, InvalidArgumentError, r"^memory\.scope is no scope: 'alice'\."),
            ({"memory": {"scope": "global:x"}}, InvalidArgumentError, "no scope"),
            ({"memory": {"origin": "moon"}}, InvalidArgumentError, "manual, capture"),
            ({"memory": {"text": "a\ud800"}}, InvalidArgumentError, r"^memory\.text holds half of a character"),
            ({"memory": {"text": 5}}, TypeError, r"^memory\.text must be text, but is int"),
            ({"memory": {"tags": "abc"}}, TypeError, r"^memory\.tags must be a list"),
            ({"memory": {"tags": [b"abc"]}}, TypeError, r"^memory\.tags\[0\] must be text"),
            ({"memory": {"importance": "high"}}, TypeError, "must be a number"),
            ({"memory": {"metadata": {"a": None}}}, TypeError, r"^memory\.metadata\.a must be text"),
            ({"memory": {"txet": "x"}}, TypeError, r"^memory\.txet is not known\. There are: id, text"),
        ):
            with self.subTest(message), self.assertRaisesRegex(error, message) as refusal:
                fill(v1.CreateMemoryRequest(), fields)
            if isinstance(refusal.exception, LociError):
                self.assertIsInstance(refusal.exception, ValueError)
        with self.assertRaisesRegex(InvalidArgumentError, "toml and markdown exclude each other"):
            fill(v1.CreateBlockRequest(), {"markdown": "# A", "toml": "a = 1"})
        with self.assertRaisesRegex(InvalidArgumentError, "page_size is too large"):
            fill(v1.ListMemoriesRequest(), {"page_size": 2**31})

    def test_filters_are_written_as_comparisons(self):
        important = (F.category == "decision") & ~(F.importance < 0.5)
        written = important | F.tags.contains("x") | F.metadata["a"].is_in([1, True])
        kinds = [each.WhichOneof("kind") for each in written.proto.any.filters]
        self.assertEqual(kinds, ["all", "comparison", "comparison"])
        both = written.proto.any.filters[0].all.filters
        self.assertEqual(both[0].comparison.values[0].text, "decision")
        self.assertEqual(getattr(both[1], "not").comparison.operator, v1.FILTER_OPERATOR_LESS_THAN)
        last = written.proto.any.filters[2].comparison
        self.assertEqual((last.field, last.values[0].number, last.values[1].boolean), ("metadata.a", 1, True))
        since = (F.create_time >= SAID).proto.comparison
        self.assertEqual(since.values[0].number, SAID.timestamp() * 1000)
        with self.assertRaisesRegex(AttributeError, r"no team to .* There are: category, .*; .* is F\.metadata\.team\."):
            _ = F.team
        with self.assertRaisesRegex(TypeError, "Join filters with &"):
            bool(written)
        self.assertNotIn("decision", repr(written))


class ErrorTest(ScriptedServer):
    def failure(self, step):
        self.script.steps = [step]
        with Loci.connect(self.address) as loci, self.assertRaises(LociError) as failure:
            loci.memories.get("id")
        return failure.exception

    def test_what_the_server_threw_arrives_whole(self):
        status = loci_status(
            grpc.StatusCode.ABORTED,
            "VERSION_CONFLICT",
            "It is at version 2.",
            field="etag",
            interface_field="precondition.etag",
            advice="Read it again.",
            resource="id",
            advice_="a detail",
            field_="another",
            currentVersion="2",
        )
        error = self.failure(status)
        self.assertIsInstance(error, ConflictError)
        for made in (error, pickle.loads(pickle.dumps(error))):
            self.assertIs(type(made), ConflictError)
            self.assertEqual((made.code, made.reason, made.field), ("CONFLICT", "VERSION_CONFLICT", "etag"))
            self.assertEqual((made.message, made.advice), ("It is at version 2.", "Read it again."))
            self.assertEqual((made.resource, made.retry_after), ("id", None))
            self.assertEqual(made.details, {"advice": "a detail", "currentVersion": "2", "field": "another"})
            self.assertEqual(str(made), "It is at version 2. Read it again. [VERSION_CONFLICT]")

    def test_a_newer_reason_keeps_its_text_and_the_code_of_its_status(self):
        error = self.failure(loci_status(grpc.StatusCode.PERMISSION_DENIED, "MOON_IS_FULL"))
        self.assertEqual((error.code, error.reason), ("PERMISSION_DENIED", "MOON_IS_FULL"))
        self.assertIsInstance(error, PermissionDeniedError)
        self.assertIsInstance(error, PermissionError)

    def test_what_is_no_loci_server_is_said_to_be_none(self):
        error = self.failure((grpc.StatusCode.NOT_FOUND, "no such page"))
        self.assertIsInstance(error, NotFoundError)
        self.assertIsInstance(error, LookupError)
        self.assertIn("no such page", error.message)
        self.assertIn("Look into the server's log", error.advice)
        self.assertIsInstance(self.failure((grpc.StatusCode.UNKNOWN, "?")), InternalError)


if __name__ == "__main__":
    unittest.main()
