"""Which turns of a session are those of a run that is kept again."""

import time
import unittest

from loci_client.agent.repetitions import repetitions
from loci_client.agent.run_parts import in_parts
from loci_client.types import Turn

THANKS = ["Thanks.", "You are welcome."]
SEAT = ["A seat?", "4A."]
MEAL = ["A meal?", "Soup."]


def talk(*texts):
    """Turns of the user and the assistant in turn."""
    return [Turn(role=("user", "assistant")[at % 2], content=text) for at, text in enumerate(texts)]


class RepetitionsTest(unittest.TestCase):
    def test_a_run_stands_in_a_session_already(self):
        cases = {
            "alone": ([], SEAT, 0),
            "behind what was said before it": (SEAT, [*SEAT, *MEAL], 2),
            "before what others have said since": (SEAT, [*SEAT, *MEAL, *THANKS], 2),
            "a second time": (MEAL, [*MEAL, *MEAL], 2),
            "behind what is kept of a history that was cut": (THANKS, [*SEAT, *THANKS, *MEAL], 4),
        }
        for name, (before, session, place) in cases.items():
            with self.subTest(name):
                run = talk(*session[place : place + 2])
                self.assertEqual(repetitions(run, talk(*before), talk(*session)), [place])

    def test_a_run_that_says_what_was_said_before_is_another_one(self):
        cases = {
            "at once": (THANKS, THANKS),
            "later": ([*THANKS, *SEAT], [*THANKS, *SEAT]),
            "later, where the first time is cut off": (SEAT, [*THANKS, *SEAT]),
            "after a question that was given up": ([*THANKS, "Wait."], THANKS),
            "a third time": ([*THANKS, *THANKS], [*THANKS, *THANKS]),
        }
        for name, (before, session) in cases.items():
            with self.subTest(name):
                self.assertEqual(repetitions(talk(*THANKS), talk(*before), talk(*session)), [])

    def test_a_late_run_may_stand_before_what_was_said_again_since(self):
        session = talk(*SEAT, *THANKS, *SEAT)
        self.assertEqual(repetitions(talk(*THANKS), talk(*SEAT), session), [])
        self.assertEqual(repetitions(talk(*THANKS), talk(*SEAT), session, is_late=True), [2])
        self.assertEqual(repetitions(talk(*SEAT), talk(*SEAT), talk(*SEAT), is_late=True), [])

    def test_secrets_are_taken_out(self):
        session = talk("My card is [redacted: card], and my code [redacted: password].", "Noted.")
        for text, places in (
            ("My card is 4539, and my code x1.", [0]),
            ("My card is 4539.", []),
            ("My name is Ann.", []),
        ):
            self.assertEqual(repetitions(talk(text, "Noted."), [], session), places)

    def test_turns_as_long_as_they_may_be_are_compared_quickly(self):
        # Each a text of its own, not the same one.
        texts = [bytes("x" * 262_000, "ascii").decode() for _ in range(300)]
        session = [Turn(role="user", content=text) for text in texts]
        begun = time.monotonic()
        repetitions(session[100:101], session[:200], [*session, *talk(*THANKS)])
        self.assertLess(time.monotonic() - begun, 5)

    def test_results_stay_with_their_calls(self):
        turns = [Turn(role="tool" if at % 3 else "assistant", content=str(at)) for at in range(250)]
        parts = in_parts(turns, talk(*SEAT))
        self.assertEqual([turn for part in parts for turn in part.turns], turns)
        self.assertEqual([len(part.turns) for part in parts], [99, 99, 52])
        self.assertEqual(list(parts[1].before), [*talk(*SEAT), *parts[0].turns])
        tools = [Turn(role="tool")] * 250
        self.assertEqual([len(part.turns) for part in in_parts(tools, ())], [100, 100, 50])


if __name__ == "__main__":
    unittest.main()
