"""Pairs of a short fact and a question of the same topic: composed ones, and ones from WordNet's wider words."""

import random
import re
from dataclasses import dataclass
from pathlib import Path

from personal_topics import SLOTS, TOPICS
from sentences import Lexicon
from wider_words import wider_word_pairs

# Slots that are filled with common lemmas of a WordNet noun class.
CLASSES = {"body": "body", "object": "object", "artifact": "artifact", "food": "food"}
NOUN_CLASSES = ["cognition", "event", "animal", "act", "state"]
# How often a slot that fact and question share is filled alike.
SHARED = 0.67


@dataclass(frozen=True)
class Pair:
    """Pairs with the same topic may answer each other's questions."""

    topic: int
    fact: str
    question: str


def topics() -> list[tuple[list[str], list[str]]]:
    lines = TOPICS.split("\n")
    return [(lines[index].split("|"), lines[index + 1].split("|")) for index in range(0, len(lines), 2)]


def composed_pairs(folder: Path, count: int, seed: int) -> list[Pair]:
    lexicon = Lexicon(folder)
    source = random.Random(seed)
    lists = {name: words.split("|") for name, words in SLOTS.items()}
    all_topics = topics()

    def fill(template: str, chosen: dict[str, str]) -> str:
        def slot(match: re.Match[str]) -> str:
            name = match.group(1)
            if name in chosen and source.random() < SHARED:
                return chosen[name]
            if name in CLASSES:
                word = lexicon.pick(lexicon.nouns[CLASSES[name]], source)
            elif name == "noun":
                word = lexicon.pick(lexicon.nouns[source.choice(NOUN_CLASSES)], source)
            else:
                word = source.choice(lists[name])
            chosen.setdefault(name, word)
            return word

        text = re.sub(r"\{(\w+)\}", slot, template)
        return text[0].upper() + text[1:] if source.random() < 0.8 else text

    found = []
    for _ in range(count):
        topic = source.randrange(len(all_topics))
        facts, questions = all_topics[topic]
        chosen: dict[str, str] = {}
        found.append(Pair(topic, fill(source.choice(facts), chosen), fill(source.choice(questions), chosen)))
    return found


def gather_pairs(folder: Path, composed: int = 90_000, wider: int = 30_000) -> list[Pair]:
    """Without repeats. The topic of a pair from WordNet is its word."""
    pairs = composed_pairs(folder, composed, seed=5)
    topic_of: dict[str, int] = {}
    for word, fact, question in wider_word_pairs(folder, wider, seed=9):
        pairs.append(Pair(1_000 + topic_of.setdefault(word, len(topic_of)), fact, question))
    return list(dict.fromkeys(pairs))
