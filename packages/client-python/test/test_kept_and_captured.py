"""Turns that are kept and captured in one call, and what a repetition of the call is answered."""

import unittest
from uuid import uuid4

from loci_client import LociError
from served_loci import connect, needs_server, new_user

INTRODUCED = [{"role": "user", "content": "I live in Oslo and I play the cello."}]
MOVED = [{"role": "user", "content": "I moved to Bergen."}]


@needs_server
class KeptAndCapturedTest(unittest.TestCase):
    def test_a_repetition_is_known_after_somebody_else_has_appended(self):
        with connect() as loci:
            session, request_id = (new_user(), "monday"), str(uuid4())

            def told(turns, **options):
                return loci.sessions.append_and_capture(session, turns, extractor="rules", **options)

            first = told(INTRODUCED, request_id=request_id)
            told(MOVED)
            again = told(INTRODUCED, request_id=request_id, wait=5)
            self.assertEqual(
                (again.appended.first_turn, again.appended.last_turn, again.appended.replayed), (1, 1, True)
            )
            self.assertEqual([each.id for each in again.captures], [each.id for each in first.captures])
            self.assertEqual(loci.sessions.get(session).last_turn, 2)
            with self.assertRaises(LociError) as refused:
                told(MOVED, request_id=request_id)
            self.assertEqual(refused.exception.reason, "REQUEST_ID_REUSED")


if __name__ == "__main__":
    unittest.main()
