"""Second part of the recipe: the learned table, learned on with facts and questions about them.

    python refine.py --wordnet FOLDER --work FOLDER

Takes the model that `distill.py` wrote, with its sentences and labels in --work, and writes the model file anew. Labelling the
pairs takes about five minutes of a core, learning about three. Needs requirements-refine.txt as well.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from distill import PACKAGE
from fixture import write_fixture
from label import FastTeacher, labelled
from learn_pairs import Labelled, PairSettings, learn_pairs
from model_file import quantise, read_model, write_model
from static_embedder import StaticEmbedder
from teacher import Teacher
from told_and_asked import gather_pairs

# Sentences in general: more made no difference.
SENTENCES = 49_152
# Runs whose rows are averaged: how many of the topics, and the settings. Their mean does better than any of them.
RUNS = [
    (68, PairSettings(epochs=2, rate=0.02, sentences=0.5, directions=1.0, topics=0.3)),
    (None, PairSettings(epochs=2, rate=0.02, sentences=0.5, directions=1.0, topics=0.3)),
    (None, PairSettings(epochs=1, rate=0.01, sentences=0.0, directions=0.0, topics=1.0)),
]
# Share of that mean beside the rows it started from. Half to four fifths do about as well.
SHARE = 0.65


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wordnet", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=PACKAGE / "model" / "loci-static-256.bin")
    options = parser.parse_args()

    teacher = Teacher()
    model = read_model(options.out)
    embedder = StaticEmbedder(model, teacher.tokenizer)
    pairs = gather_pairs(options.wordnet)
    texts = {text: index for index, text in enumerate(dict.fromkeys(text for pair in pairs for text in (pair.fact, pair.question)))}
    stored = options.work / "pair-vectors.npy"
    if not stored.exists():
        np.save(stored, FastTeacher(teacher).encode(list(texts)))
    told = Labelled([embedder.ids(text) for text in texts], np.load(stored))
    sentences, vectors = labelled(json.loads((options.work / "sentences.json").read_text("utf-8")), options.work / "labels")
    general = Labelled([embedder.ids(text) for text in sentences[:SENTENCES]], vectors[:SENTENCES])

    start = model.rows().astype(np.float32)
    learned = []
    for topics, settings in RUNS:
        chosen = [pair for pair in pairs if topics is None or pair.topic < topics]
        learned.append(learn_pairs(start, chosen, texts, told, general, settings))
    rows = np.float32(SHARE) * np.mean(learned, axis=0) + np.float32(1 - SHARE) * start
    weights = np.linalg.norm(rows, axis=1)
    refined = quantise(model.vocabulary, rows / np.maximum(weights, 1e-9)[:, None], weights)
    print(options.out, write_model(options.out, refined))
    if options.out.parent == PACKAGE / "model":
        write_fixture(PACKAGE / "test" / "fixtures" / "reference-vectors.json", StaticEmbedder(read_model(options.out), teacher.tokenizer))


if __name__ == "__main__":
    main()
