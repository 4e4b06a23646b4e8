"""What `connect_local` promises, without a Loci server."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from loci_client import connect_local, v1
from test_connect import API_KEY, RecordedCalls


class ConnectLocalTest(RecordedCalls):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.directory = Path(folder.name)

    def announce(self, **note):
        location = {"address": f"127.0.0.1:{self.port}", "pid": os.getpid(), "tls": False, **note}
        (self.directory / "server.json").write_text(json.dumps(location))

    def key_sent(self, *directory, **options):
        with connect_local(*directory, **options) as channel:
            v1.ContextServiceStub(channel).CountTokens(v1.CountTokensRequest(text="four"), timeout=30)
        return self.recorder.metadata.get("authorization")

    def test_the_key_in_the_directory_goes_with_the_call(self):
        self.announce(apiKey=API_KEY)
        self.assertEqual(self.key_sent(self.directory), f"Bearer {API_KEY}")
        self.assertEqual(self.key_sent(str(self.directory)), f"Bearer {API_KEY}")
        self.assertEqual(self.key_sent(self.directory, api_key="own"), "Bearer own")

    def test_a_server_with_keys_of_its_own_keeps_none_there(self):
        self.announce()
        self.assertIsNone(self.key_sent(self.directory))

    def test_the_directory_comes_from_the_environment(self):
        self.announce(apiKey=API_KEY)
        with mock.patch.dict(os.environ, {"LOCI_DATA_DIR": str(self.directory)}):
            self.assertEqual(self.key_sent(), f"Bearer {API_KEY}")
        data_home = self.directory / "home"
        (data_home / "loci").mkdir(parents=True)
        (self.directory / "server.json").rename(data_home / "loci" / "server.json")
        with mock.patch.dict(os.environ, {"LOCI_DATA_DIR": "", "XDG_DATA_HOME": str(data_home)}):
            self.assertEqual(self.key_sent(), f"Bearer {API_KEY}")

    def test_what_is_no_server_is_said_to_be_none(self):
        ended = subprocess.Popen([sys.executable, "-c", ""])
        ended.wait()
        for note in (None, "", "{", "null", "[]", '{"address":"a:1"}', json.dumps({"pid": "x"})):
            with self.subTest(note):
                if note is not None:
                    (self.directory / "server.json").write_text(note)
                with self.assertRaisesRegex(ConnectionError, "loci serve"):
                    connect_local(self.directory)
        self.announce(pid=ended.pid, apiKey=API_KEY)
        with self.assertRaisesRegex(ConnectionError, "No server") as refusal:
            connect_local(self.directory)
        self.assertNotIn(API_KEY, str(refusal.exception))


if __name__ == "__main__":
    unittest.main()
