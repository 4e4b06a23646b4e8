"""RealMem questions as queries over earlier sessions; a session scores as its best turn."""

import json
import os
from pathlib import Path

import numpy as np
from locomo import Conversation


class Sessions(Conversation):
    """Texts are turns; evidence counts sessions."""

    session_of: np.ndarray
    asked_in: list[int]


def conversations() -> list[Sessions]:
    path = Path(os.environ["LOCI_BENCHMARK_DATA"]) / "realmem-dev" / "conversations.jsonl"
    result = []
    for line in path.read_text("utf-8").splitlines():
        entry = json.loads(line)
        texts = [f"{turn['speaker']}: {turn['text']}" for turn in entry["turns"]]
        asked = [qa for qa in entry["qas"] if qa["evidence_sessions"]]
        sessions = Sessions(entry["conv_id"], texts, [qa["question"] for qa in asked], [set(qa["evidence_sessions"]) for qa in asked])
        sessions.session_of = np.array([turn["session"] for turn in entry["turns"]])
        sessions.asked_in = [int(qa["at"].split(":")[0].lstrip("S")) for qa in asked]
        result.append(sessions)
    return result


def by_session(scores: np.ndarray, sessions: Sessions) -> np.ndarray:
    """Turn scores [questions, turns] to session scores [questions, last session + 1]; later sessions get -1."""
    result = np.full((len(scores), int(sessions.session_of.max()) + 1), -1.0, np.float32)
    np.maximum.at(result.T, sessions.session_of, scores.T)
    for row, session in enumerate(sessions.asked_in):
        result[row, session:] = -1
    return result
