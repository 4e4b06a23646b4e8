"""A context in Anthropic's form is what the TypeScript package makes of it."""

import json
import unittest
from pathlib import Path

from loci_client import to_anthropic, v1
from loci_client.fill import fill
from loci_client.types import AssembledContext

CASES = Path(__file__).parents[3] / "conformance" / "anthropic-forms.json"


def context_of(case):
    fields = {"text": case["text"], "messages": case["messages"]}
    response = fill(v1.AssembleContextResponse(), fields)
    response.cache.stable_prefix_length = case["stablePrefixLength"]
    return AssembledContext.from_proto(response)


class AnthropicForm(unittest.TestCase):
    def test_each_case_is_as_in_typescript(self):
        for case in json.loads(CASES.read_text(encoding="utf-8")):
            with self.subTest(case["name"]):
                self.assertEqual(to_anthropic(context_of(case)), case["anthropic"])

    def test_an_empty_context_asks_for_an_answer(self):
        form = to_anthropic(AssembledContext.from_proto(v1.AssembleContextResponse()))
        self.assertEqual(form, {"system": [], "messages": [{"role": "user", "content": [{"type": "text", "text": "..."}]}]})


if __name__ == "__main__":
    unittest.main()
