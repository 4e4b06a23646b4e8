"""Reference of the product's embedding in Python: WordPiece ids, weighted sum of int8 rows, unit length."""

import numpy as np
import scipy.sparse
from model_file import StaticModel
from tokenizers import Tokenizer

MAX_TOKENS = 512


class StaticEmbedder:
    """`tokenizer` is the teacher's; its ids are mapped to the model's, unknown and special tokens are left out."""

    def __init__(self, model: StaticModel, tokenizer: Tokenizer) -> None:
        self.model = model
        self.tokenizer = Tokenizer.from_str(tokenizer.to_str())
        self.tokenizer.no_truncation()
        self.id_of = {token: index for index, token in enumerate(model.vocabulary)}

    def ids(self, text: str) -> list[int]:
        """The first 512 known tokens. "[CLS]" and the like, written in a text, are plain text."""
        known = []
        for word, _ in self.tokenizer.pre_tokenizer.pre_tokenize_str(self.tokenizer.normalizer.normalize_str(text)):
            for token in self.tokenizer.model.tokenize(word):
                if token.value in self.id_of:
                    known.append(self.id_of[token.value])
        return known[:MAX_TOKENS]

    def encode(self, texts: list[str]) -> np.ndarray:
        vectors = bags([self.ids(text) for text in texts], len(self.model.vocabulary)) @ self.model.rows()
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.where(norms > 0, norms, 1)


def bags(ids: list[list[int]], vocabulary_size: int) -> scipy.sparse.csr_matrix:
    """Token counts [texts, vocabulary]."""
    lengths = np.array([len(sequence) for sequence in ids])
    starts = np.concatenate([[0], np.cumsum(lengths)])
    columns = np.array([token for sequence in ids for token in sequence], np.int32)
    matrix = scipy.sparse.csr_matrix((np.ones(len(columns), np.float32), columns, starts), shape=(len(ids), vocabulary_size))
    matrix.sum_duplicates()
    return matrix
