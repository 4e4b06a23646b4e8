"""Measures the model against BM25, its teacher and plain distillation, and writes model/calibration.json.

    LOCI_BENCHMARK_DATA=FOLDER python evaluate.py --work FOLDER

Choices are made on the even-indexed conversations only; the odd ones are reported. The method is in README.md here.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "distill"))

import locomo  # noqa: E402
import realmem  # noqa: E402
from label import FastTeacher  # noqa: E402
from model_file import read_model  # noqa: E402
from plain import kept_tokens, plain_model, token_vectors  # noqa: E402
from sentences import split_sentences  # noqa: E402
from static_embedder import StaticEmbedder  # noqa: E402
from teacher import Teacher  # noqa: E402

WEIGHTS = [round(0.05 * step, 2) for step in range(21)]
TEACHER_GATE = 0.90
FLOOR_KEEPS = 0.99


def fused(cosines: np.ndarray, text: np.ndarray, weight: float) -> np.ndarray:
    best = text.max(1, keepdims=True)
    return weight * np.maximum(0, cosines) + (1 - weight) * text / np.where(best > 0, best, 1)


def percent(found: list[np.ndarray]) -> list[float]:
    return [round(float(value) * 100, 1) for value in np.concatenate(found).mean(0)]


def halves(found: list[np.ndarray]) -> dict[str, list[float]]:
    return {"even": percent(found[0::2]), "odd": percent(found[1::2]), "all": percent(found)}


def recalls(scores: list[np.ndarray], data: list[locomo.Conversation]) -> dict[str, list[float]]:
    found = []
    for score, conversation in zip(scores, data):
        table = realmem.by_session(score, conversation) if isinstance(conversation, realmem.Sessions) else score
        found.append(locomo.recall(table, conversation.evidence))
    return halves(found)


def floor_of(scores: list[np.ndarray], data: list[locomo.Conversation]) -> dict[str, float]:
    """The relevance under which 1% of the evidence found in the best 20 falls, and what share of turns it removes."""

    def found(half: int) -> np.ndarray:
        kept = []
        for score, conversation in zip(scores[half::2], data[half::2]):
            for row, evidence in enumerate(conversation.evidence):
                best = set(np.argsort(-score[row], kind="stable")[:20].tolist())
                kept.extend(float(score[row, turn]) for turn in evidence & best)
        return np.array(kept)

    floor = round(float(np.quantile(found(0), 1 - FLOOR_KEEPS)), 3)
    every = np.concatenate([score.ravel() for score in scores[1::2]])
    return {
        "value": floor,
        "foundEvidenceKeptOdd": round(float((found(1) >= floor).mean()), 3),
        "turnsRemovedOdd": round(float((every < floor).mean()), 3),
    }


def duplicate_gate(teacher: FastTeacher, embedder: StaticEmbedder, data: list[locomo.Conversation]) -> dict[str, float]:
    """Cosine at which the model joins as many distinct pairs as the teacher does at 0.90.

    Pairs: every sentence of a conversation with its nearest other sentence by the teacher (the closest pairs there
    are, among them real repeats). A pair is distinct when its sets of stemmed terms differ: skipping one loses something.
    """
    rates = {}
    teacher_cosines, model_cosines = [], []
    for index in (0, 1):
        sentences = []
        for conversation in data[index::2]:
            for text in conversation.texts:
                sentences.extend(split_sentences(text.split(": ", 1)[1]))
        sentences = list(dict.fromkeys(sentences))
        term_sets = [frozenset(locomo.terms(sentence)) for sentence in sentences]
        full, small = teacher.encode(sentences), embedder.encode(sentences)
        pairs = set()
        similarity = full @ full.T
        for row in range(len(sentences)):
            similarity[row, row] = -1
            for other in np.argsort(-similarity[row])[:5]:
                pairs.add((min(row, int(other)), max(row, int(other))))
        distinct = [(a, b) for a, b in sorted(pairs) if term_sets[a] != term_sets[b]]
        teacher_cosines.append(np.array([full[a] @ full[b] for a, b in distinct]))
        model_cosines.append(np.array([small[a] @ small[b] for a, b in distinct]))
    target = float((teacher_cosines[0] >= TEACHER_GATE).mean())
    gate = float(np.quantile(model_cosines[0], 1 - target))
    rates["cosine"] = round(gate, 3)
    rates["distinctPairs"] = len(model_cosines[0]) + len(model_cosines[1])
    for half, name in enumerate(("Even", "Odd")):
        rates[f"falseSkips{name}Teacher"] = round(float((teacher_cosines[half] >= TEACHER_GATE).mean()), 5)
        rates[f"falseSkips{name}Model"] = round(float((model_cosines[half] >= gate).mean()), 5)
    return rates


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="where token-vectors.npy of distill.py is")
    options = parser.parse_args()

    turns = locomo.conversations()
    sessions = realmem.conversations()
    teacher = Teacher()
    fast = FastTeacher(teacher)
    kept = kept_tokens(teacher)
    stored = options.work / "token-vectors.npy"
    vectors = np.load(stored) if stored.exists() else token_vectors(teacher, kept)
    model = StaticEmbedder(read_model(HERE.parent / "model" / "loci-static-256.bin"), teacher.tokenizer)
    plain = StaticEmbedder(plain_model(teacher, vectors, kept), teacher.tokenizer)

    report: dict[str, dict[str, object]] = {}
    joint: dict[float, float] = {}
    picks: dict[str, float] = {}
    model_scores: list[np.ndarray] = []
    for name, data in (("locomo", turns), ("realmem", sessions)):
        text = [locomo.bm25(conversation) for conversation in data]
        entry: dict[str, object] = {"bm25": recalls(text, data)}
        # The teacher is left out on RealMem: its turns are long and far over what it was trained on.
        for who, encode in (("teacher", fast.encode), ("plain", plain.encode), ("model", model.encode)):
            if who == "teacher" and name == "realmem":
                continue
            cosines = [encode(conversation.questions) @ encode(conversation.texts).T for conversation in data]
            curve = {weight: recalls([fused(c, t, weight) for c, t in zip(cosines, text)], data) for weight in WEIGHTS}
            best = max(WEIGHTS, key=lambda weight: curve[weight]["even"][1])
            entry[who] = {"alone": recalls(cosines, data), "bestWeight": best, "fusedAtBest": curve[best], "curve": {str(weight): value for weight, value in curve.items()}}
            print(name, who, "alone", entry[who]["alone"], "best", best, curve[best], flush=True)
            if who == "model":
                picks[name] = best
                for weight in WEIGHTS:
                    joint[weight] = joint.get(weight, 0) + curve[weight]["even"][1]
                if name == "locomo":
                    model_scores, model_text = cosines, text
        report[name] = entry
    weight = max(WEIGHTS, key=lambda value: joint[value])
    calibration = {
        "model": "loci-static-256",
        "relevanceWeight": weight,
        "relevanceWeightBestAlone": picks,
        "relevanceFloor": floor_of([fused(c, t, weight) for c, t in zip(model_scores, model_text)], turns),
        "vectorFloor": floor_of(model_scores, turns),
        "duplicateGate": duplicate_gate(fast, model, turns),
        "recall": "[R@5, R@10, R@20] in percent",
        "atRelevanceWeight": {name: report[name]["model"]["curve"][str(weight)] for name in report},
        "measured": report,
    }
    path = HERE.parent / "model" / "calibration.json"
    text_form = json.dumps(calibration, indent=2)
    path.write_text(text_form + "\n", "utf-8")
    print(json.dumps({key: value for key, value in calibration.items() if key != "measured"}, indent=1))


if __name__ == "__main__":
    main()
