"""LoCoMo questions as queries over their conversation's turns; the data is found through LOCI_BENCHMARK_DATA."""

import json
import math
import os
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import snowballstemmer

STOP_WORDS = set(
    """a about above after again against all am an and any are as at be because been before being below between both but by can could
did do does doing don down during each few for from further had has have having he her here hers herself him himself his how i if
in into is it its itself just ll me more most my myself no nor not now of off on once only or other our ours ourselves out over own
re s same she should so some such t than that the their theirs them themselves then there these they this those through to too
under until up ve very was we were what when where which while who whom why will with would you your yours yourself yourselves d m""".split()
)


@dataclass
class Conversation:
    name: str
    texts: list[str]
    questions: list[str]
    evidence: list[set[int]]


def conversations() -> list[Conversation]:
    folder = os.environ.get("LOCI_BENCHMARK_DATA")
    path = Path(folder or "") / "locomo-dev" / "conversations.jsonl"
    if not folder or not path.exists():
        print("skipped: set LOCI_BENCHMARK_DATA to the folder that holds locomo-dev")
        sys.exit(0)
    result = []
    for line in path.read_text("utf-8").splitlines():
        entry = json.loads(line)
        position = {turn["id"]: index for index, turn in enumerate(entry["turns"])}
        texts = [f"{turn['speaker']}: {turn['text']}" + (f" {turn['caption']}" if turn.get("caption") else "") for turn in entry["turns"]]
        asked = [(qa["question"], {position[turn] for turn in qa["evidence"] if turn in position}) for qa in entry["qas"]]
        asked = [pair for pair in asked if pair[1]]
        result.append(Conversation(entry["conv_id"], texts, [question for question, _ in asked], [turns for _, turns in asked]))
    return result


STEMMER = snowballstemmer.stemmer("english")


def terms(text: str) -> list[str]:
    return STEMMER.stemWords([word for word in re.findall(r"[^\W_]+", text.lower()) if word not in STOP_WORDS])


def bm25(conversation: Conversation, k1: float = 1.2, b: float = 0.75) -> np.ndarray:
    """Scores [questions, texts]."""
    documents = [Counter(terms(text)) for text in conversation.texts]
    lengths = np.array([sum(document.values()) for document in documents])
    frequency = Counter(term for document in documents for term in document)
    postings: dict[str, list[tuple[int, int]]] = {}
    for index, document in enumerate(documents):
        for term, count in document.items():
            postings.setdefault(term, []).append((index, count))
    scores = np.zeros((len(conversation.questions), len(documents)), np.float32)
    for row, question in enumerate(conversation.questions):
        for term in set(terms(question)):
            if term not in frequency:
                continue
            idf = math.log(1 + (len(documents) - frequency[term] + 0.5) / (frequency[term] + 0.5))
            for index, count in postings[term]:
                scores[row, index] += idf * count * (k1 + 1) / (count + k1 * (1 - b + b * lengths[index] / lengths.mean()))
    return scores


def recall(scores: np.ndarray, evidence: list[set[int]], cuts: tuple[int, ...] = (5, 10, 20)) -> np.ndarray:
    """Mean share of a question's evidence among its best turns, [len(cuts)]; ties keep the earlier turn first."""
    found = np.zeros((len(evidence), len(cuts)))
    for row, wanted in enumerate(evidence):
        order = np.argsort(-scores[row], kind="stable")
        for column, cut in enumerate(cuts):
            found[row, column] = len(wanted & set(order[:cut].tolist())) / len(wanted)
    return found
