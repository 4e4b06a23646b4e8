"""Builds the model file and the test fixture.

    python distill.py --wordnet FOLDER --chats FOLDER --python FOLDER --go FOLDER --work FOLDER
    python distill.py --plain --work FOLDER          (no sentences: plain distillation only)

--wordnet: WordNet 3.0 database files; --chats: chatterbot_corpus/data/english; --python: a Python standard library;
--go: GOROOT/src; --work: where teacher vectors are kept between runs. Labelling takes about 20 minutes of two cores
for 200,000 sentences; learning about two minutes.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from fixture import write_fixture
from label import label, labelled
from learn import Settings, learn
from model_file import StaticModel, quantise, read_model, write_model
from plain import kept_tokens, plain_model, principal_axes, rank_weights, token_vectors
from sentences import gather
from static_embedder import StaticEmbedder, bags
from teacher import Teacher

PACKAGE = Path(__file__).parent.parent
# Weight of the plain rows beside the learned ones: the learned rows alone follow the teacher too closely into its
# weakness, names and rare words (chosen on the even half of the evaluation; see evaluate/).
PLAIN_SHARE = 2.0
SIF_A = 3e-4


def mean_length_one(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1).mean()


def learned_model(teacher: Teacher, vectors: np.ndarray, kept: list[int], texts: list[str], targets: np.ndarray, share: float = PLAIN_SHARE) -> StaticModel:
    vocabulary = [teacher.vocabulary[index] for index in kept]
    embedder = StaticEmbedder(plain_model(teacher, vectors, kept), teacher.tokenizer)
    counts = bags([embedder.ids(text) for text in texts], len(kept))
    frequency = np.asarray(counts.sum(0)).ravel()
    frequency = frequency / frequency.sum()
    axes = principal_axes(targets)
    directions = (vectors - vectors.mean(0)) @ axes
    start = mean_length_one(directions * (SIF_A / (SIF_A + frequency))[:, None])
    rows = learn(counts, targets, axes, start, Settings())
    rows = rows + np.float32(share) * mean_length_one(directions * rank_weights(kept)[:, None])
    # The length of a learned row is its weight: stored apart, so that the table holds directions.
    weights = np.linalg.norm(rows, axis=1)
    return quantise(vocabulary, rows / np.maximum(weights, 1e-9)[:, None], weights)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plain", action="store_true")
    for name in ("wordnet", "chats", "python", "go", "work"):
        parser.add_argument(f"--{name}", type=Path)
    parser.add_argument("--composed", type=int, default=130_000)
    parser.add_argument("--sentences", type=int, default=212992, help="how many of the shuffled sentences to label")
    parser.add_argument("--out", type=Path, default=PACKAGE / "model" / "loci-static-256.bin")
    options = parser.parse_args()

    teacher = Teacher()
    kept = kept_tokens(teacher)
    options.work.mkdir(parents=True, exist_ok=True)
    stored = options.work / "token-vectors.npy"
    vectors = np.load(stored) if stored.exists() else token_vectors(teacher, kept)
    np.save(stored, vectors)

    if options.plain:
        model = plain_model(teacher, vectors, kept)
    else:
        list_file = options.work / "sentences.json"
        if not list_file.exists():
            texts = gather(options.wordnet, options.chats, options.python, options.go, options.composed, seed=7)
            list_file.write_text(json.dumps(texts), "utf-8")
        texts = json.loads(list_file.read_text("utf-8"))[: options.sentences]
        label(texts, options.work / "labels")
        texts, targets = labelled(texts, options.work / "labels")
        model = learned_model(teacher, vectors, kept, texts, targets)
    print(options.out, write_model(options.out, model))
    if options.out.parent == PACKAGE / "model":
        fixture = PACKAGE / "test" / "fixtures" / "reference-vectors.json"
        fixture.parent.mkdir(parents=True, exist_ok=True)
        write_fixture(fixture, StaticEmbedder(read_model(options.out), teacher.tokenizer))


if __name__ == "__main__":
    main()
