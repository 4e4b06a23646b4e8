"""Values that are kept with their texts as they are."""

import base64
import json
import unittest

from loci_client.agent.raw_texts import with_texts_back, with_texts_behind

VALUES = (
    None,
    [],
    "",
    [{"a": 'one\n"two"', "b": ["\\", {"c": "plain"}]}, 1, 2.5, True, None],
    ["\x1e", "\n\x1e\n", "\x1e001e", "half \ud83d", "\ude00\ud83d", "\0"],
    {"half \ud83d of a key, \x1e": "0"},
    "data:image/png;base64," + base64.b64encode(bytes(range(256)) * 9).decode(),
)


class RawTextsTest(unittest.TestCase):
    def test_values_come_back(self):
        for value in VALUES:
            with self.subTest(value=str(value)[:40]):
                written = with_texts_behind(value)
                written.encode()
                self.assertEqual(with_texts_back(written), value)

    def test_texts_stand_as_they_are(self):
        self.assertIn('one\n"two"', with_texts_behind(VALUES[3]))
        self.assertNotIn("A" * 33, with_texts_behind({"image": "A" * 5000}))

    def test_what_can_no_longer_be_read_says_so(self):
        written = with_texts_behind(["one", "two", "three"])
        for changed in (written.replace("\n\x1e\ntwo", ""), written + "\n\x1e\n", written[1:], "", json.dumps(["7"])):
            with self.assertRaises(ValueError):
                with_texts_back(changed)

    def test_what_json_does_not_know(self):
        for value in (b"bytes", object(), {"a": {1}}):
            with self.assertRaises(TypeError):
                with_texts_behind(value)
        with self.assertRaises(ValueError):
            with_texts_behind(float("nan"))

    def test_time_is_linear_in_the_text(self):
        for part in ("\x1e", "\n\x1e", "A", "data:", "=", "A=", "\ud800"):
            with_texts_back(with_texts_behind(part * 200_000))


if __name__ == "__main__":
    unittest.main()
