"""Plain distillation: every token through the teacher, PCA to 256, weights falling with frequency (Zipf by rank)."""

import numpy as np
from model_file import StaticModel, quantise
from teacher import Teacher

DIMENSIONS = 256
SIF_A = 1e-4


def kept_tokens(teacher: Teacher) -> list[int]:
    """Ids worth a row: not the reserved ones."""
    return [index for index, token in enumerate(teacher.vocabulary) if not (token.startswith("[") and token.endswith("]") and len(token) > 2)]


def token_vectors(teacher: Teacher, kept: list[int]) -> np.ndarray:
    """Unit teacher vectors [V, 384] of `[CLS] token [SEP]`."""
    cls, sep = teacher.tokenizer.token_to_id("[CLS]"), teacher.tokenizer.token_to_id("[SEP]")
    ids = np.array([[cls, token, sep] for token in kept])
    return np.concatenate([teacher.encode_ids(ids[start : start + 1024]) for start in range(0, len(ids), 1024)])


def principal_axes(vectors: np.ndarray, dimensions: int = DIMENSIONS) -> np.ndarray:
    """[384, dimensions], uncentred, so that cosines keep their meaning."""
    values, axes = np.linalg.eigh(vectors.T.astype(np.float64) @ vectors)
    return axes[:, np.argsort(-values)[:dimensions]].astype(np.float32)


def rank_weights(kept: list[int]) -> np.ndarray:
    """SIF weights a / (a + p) with p from Zipf's law; the vocabulary is in falling order of frequency."""
    ranks = np.arange(1, len(kept) + 1)
    probability = (1 / ranks) / (1 / ranks).sum()
    return (SIF_A / (SIF_A + probability)).astype(np.float32)


def plain_model(teacher: Teacher, vectors: np.ndarray, kept: list[int]) -> StaticModel:
    centred = vectors - vectors.mean(0)
    rows = centred @ principal_axes(centred)
    return quantise([teacher.vocabulary[index] for index in kept], rows, rank_weights(kept))
