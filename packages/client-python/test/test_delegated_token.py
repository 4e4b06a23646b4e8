"""What `delegated_token` promises: the same bytes as the other languages."""

import json
import os
import unittest
from datetime import datetime, timedelta, timezone
from pathlib import Path

import grpc

from loci_client import connect, delegated_token, v1

_VECTORS = json.loads(
    (Path(__file__).parents[2] / "api/test/golden/delegated-tokens.json").read_text(encoding="utf-8")
)
_PYTHON_NAMES = {"apiKey": "api_key", "expiresInSeconds": "expires_in"}
_EXAMPLE = _VECTORS["cases"][0]["in"]


def _make(given, **other):
    arguments = {
        "scopes": given["scopes"],
        "roles": given["roles"],
        "expires_in": timedelta(seconds=given["expiresInSeconds"]),
        "now": datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=given["now"]),
    }
    return delegated_token(**{"api_key": given["apiKey"], **arguments, **other})


class DelegatedTokenTest(unittest.TestCase):
    def test_makes_the_same_bytes_as_the_other_languages(self):
        for case in _VECTORS["cases"]:
            with self.subTest(case["name"]):
                self.assertEqual(_make(case["in"]), case["out"])

    def test_refuses_what_the_other_languages_refuse_and_repeats_no_key(self):
        for case in _VECTORS["refused"]:
            name = _PYTHON_NAMES.get(case["field"], case["field"])
            with self.subTest(case["name"]), self.assertRaisesRegex(ValueError, f"^{name} ") as refusal:
                _make(case["in"])
            if case["in"]["apiKey"]:
                self.assertNotIn(case["in"]["apiKey"].strip(), str(refusal.exception))

    def test_refuses_one_text_where_a_list_belongs_and_a_time_without_its_zone(self):
        for wrong in ({"scopes": "user:ann"}, {"roles": "read"}, {"now": datetime(2026, 1, 1)}):
            with self.subTest(wrong), self.assertRaisesRegex(ValueError, f"^{next(iter(wrong))} "):
                _make(_EXAMPLE, **wrong)

    def test_names_what_is_of_another_type(self):
        for wrong in ({"api_key": None}, {"scopes": [None]}, {"expires_in": 900}):
            with self.subTest(wrong), self.assertRaisesRegex(TypeError, f"^{next(iter(wrong))} must "):
                _make(_EXAMPLE, **wrong)

    def test_a_zone_changes_no_time(self):
        now = datetime.fromtimestamp(_EXAMPLE["now"] / 1000, timezone(timedelta(hours=5)))
        self.assertEqual(_make(_EXAMPLE, now=now), _VECTORS["cases"][0]["out"])


@unittest.skipUnless("LOCI_TEST_ADDRESS" in os.environ, "needs a Loci server")
class DelegatedTokenOnAServerTest(unittest.TestCase):
    def test_opens_what_it_names_and_nothing_else(self):
        token = delegated_token(
            os.environ["LOCI_TEST_API_KEY"],
            scopes=["user:ann"],
            roles=["read"],
            expires_in=timedelta(minutes=1),
        )
        pem = Path(os.environ["LOCI_TEST_AUTHORITY"]).read_bytes()
        credentials = grpc.ssl_channel_credentials(pem)
        with connect(os.environ["LOCI_TEST_ADDRESS"], api_key=token, credentials=credentials) as channel:
            memories = v1.MemoryServiceStub(channel)

            def listed(user):
                scope = v1.Scope(kind=v1.SCOPE_KIND_USER, id=user)
                return memories.ListMemories(v1.ListMemoriesRequest(scopes=[scope]), timeout=30)

            self.assertEqual(list(listed("ann").memories), [])
            with self.assertRaises(grpc.RpcError) as refusal:
                listed("bob")
            self.assertEqual(refusal.exception.code(), grpc.StatusCode.PERMISSION_DENIED)


if __name__ == "__main__":
    unittest.main()
