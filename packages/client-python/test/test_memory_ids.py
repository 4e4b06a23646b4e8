"""Ids that come packed."""

import unittest

from loci_client import unpacked_ids

ONE = "0190a1b2-c3d4-7e5f-8091-a2b3c4d5e6f7"
OTHER = "fedcba98-7654-7321-8fed-cba987654321"


class MemoryIdsTest(unittest.TestCase):
    def test_packed_ids_are_given_as_texts(self):
        packed = bytes.fromhex((ONE + OTHER).replace("-", ""))
        self.assertEqual(unpacked_ids(packed), [ONE, OTHER])
        self.assertEqual(unpacked_ids(b""), [])

    def test_what_is_no_whole_id_is_left_out(self):
        packed = bytes.fromhex(ONE.replace("-", ""))
        self.assertEqual(unpacked_ids(packed + packed[:15]), [ONE])


if __name__ == "__main__":
    unittest.main()
