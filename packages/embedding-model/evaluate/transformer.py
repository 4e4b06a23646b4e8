"""Sentence transformers of the BERT and MPNet families, from a folder as they are published; needs no torch.

The folder holds config.json, sentence_bert_config.json, tokenizer.json and model.safetensors. OpenVINO runs the network,
in bfloat16 where the processor has it (cosine to float32: 0.99997 and more). Vectors are means over tokens, of length 1.
"""

import json
import math
import sys
from pathlib import Path

import numpy as np
import openvino
import openvino.opset13 as layer
from tokenizers import Tokenizer

sys.path.insert(0, str(Path(__file__).parent.parent / "distill"))

from teacher import read_safetensors  # noqa: E402

NAMES = {
    "bert": ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense", "attention.output.LayerNorm"),
    "mpnet": ("attention.attn.q", "attention.attn.k", "attention.attn.v", "attention.attn.o", "attention.LayerNorm"),
}
TOKENS_A_BATCH = 8192
TEXTS_A_BATCH = 256


def network(weights: dict[str, np.ndarray], config: dict) -> openvino.Model:
    """Inputs: ids, positions, mean (1/length where there is a token, else 0), and what is added to attention."""
    family, heads = config["model_type"], config["num_attention_heads"]
    width = config["hidden_size"]
    ids = layer.parameter([-1, -1], np.int64, name="ids")
    positions = layer.parameter([-1], np.int64, name="positions")
    mean = layer.parameter([-1, -1, 1], np.float32, name="mean")
    bias = layer.parameter([-1, -1, -1, -1], np.float32, name="bias")
    zero, last = layer.constant(np.int64(0)), layer.constant(np.array([-1], np.int64))
    split = layer.constant(np.array([0, 0, heads, width // heads], np.int64))
    join, swap = layer.constant(np.array([0, 0, width], np.int64)), layer.constant(np.array([0, 2, 1, 3], np.int64))

    def constant(value: np.ndarray | float) -> openvino.Node:
        return layer.constant(np.ascontiguousarray(value, np.float32))

    def norm(x: openvino.Node, name: str) -> openvino.Node:
        x = layer.mvn(x, last, True, config["layer_norm_eps"], "inside_sqrt")
        return layer.add(layer.multiply(x, constant(weights[f"{name}.weight"])), constant(weights[f"{name}.bias"]))

    def linear(x: openvino.Node, name: str) -> openvino.Node:
        return layer.add(layer.matmul(x, constant(weights[f"{name}.weight"]), False, True), constant(weights[f"{name}.bias"]))

    def by_head(x: openvino.Node) -> openvino.Node:
        return layer.transpose(layer.reshape(x, split, True), swap)

    x = layer.gather(constant(weights["embeddings.word_embeddings.weight"]), ids, zero)
    x = layer.add(x, layer.gather(constant(weights["embeddings.position_embeddings.weight"]), positions, zero))
    if family == "bert":
        x = layer.add(x, constant(weights["embeddings.token_type_embeddings.weight"][0]))
    x = norm(x, "embeddings.LayerNorm")
    for index in range(config["num_hidden_layers"]):
        prefix = f"encoder.layer.{index}."
        query, key, value, out, out_norm = (prefix + name for name in NAMES[family])
        scores = layer.matmul(layer.multiply(by_head(linear(x, query)), constant((width // heads) ** -0.5)), by_head(linear(x, key)), False, True)
        mixed = layer.matmul(layer.softmax(layer.add(scores, bias), -1), by_head(linear(x, value)), False, False)
        x = norm(layer.add(x, linear(layer.reshape(layer.transpose(mixed, swap), join, True), out)), out_norm)
        inner = layer.gelu(linear(x, prefix + "intermediate.dense"), "erf")
        x = norm(layer.add(x, linear(inner, prefix + "output.dense")), prefix + "output.LayerNorm")
    pooled = layer.reduce_sum(layer.multiply(x, mean), layer.constant(np.array([1], np.int64)), False)
    return openvino.Model([layer.result(pooled)], [ids, positions, mean, bias])


def relative_buckets(length: int) -> np.ndarray:
    """MPNet's bucket of each distance between two tokens, [length, length]: 16 each way, exact up to 8, logarithmic to 128."""
    distance = np.arange(length)[:, None] - np.arange(length)[None, :]
    far = 8 + (np.log(np.maximum(np.abs(distance), 1) / 8) / math.log(16) * 8).astype(int)
    return (distance < 0) * 16 + np.where(np.abs(distance) < 8, np.abs(distance), np.minimum(far, 15))


class SentenceTransformer:
    def __init__(self, folder: Path, threads: int = 1) -> None:
        config = json.loads((folder / "config.json").read_text("utf-8"))
        self.family = config["model_type"]
        if self.family not in NAMES:
            raise SystemExit(f"{folder} holds a {self.family} model; this runs {' and '.join(NAMES)}")
        self.dimensions: int = config["hidden_size"]
        self.max_tokens: int = json.loads((folder / "sentence_bert_config.json").read_text("utf-8"))["max_seq_length"]
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(self.max_tokens)
        weights = read_safetensors(folder / "model.safetensors")
        self.relative = np.zeros((1, 1, self.max_tokens, self.max_tokens), np.float32)
        if self.family == "mpnet":
            self.relative = weights["encoder.relative_attention_bias.weight"][relative_buckets(self.max_tokens)].transpose(2, 0, 1)[None]
        settings = {"INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1}
        self.session = openvino.Core().compile_model(network(weights, config), "CPU", settings).create_infer_request()

    def encode(self, texts: list[str]) -> np.ndarray:
        """Unit vectors [len(texts), dimensions]; what is longer than `max_tokens` is cut."""
        sequences = [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]
        order = sorted(range(len(texts)), key=lambda index: len(sequences[index]))
        result = np.zeros((len(texts), self.dimensions), np.float32)
        start = 0
        while start < len(order):
            end = start + 1
            while end < len(order) and end - start < TEXTS_A_BATCH and (end - start + 1) * len(sequences[order[end]]) <= TOKENS_A_BATCH:
                end += 1
            result[order[start:end]] = self.encode_batch([sequences[index] for index in order[start:end]])
            start = end
        return result

    def encode_batch(self, sequences: list[list[int]]) -> np.ndarray:
        length = max(map(len, sequences))
        ids = np.zeros((len(sequences), length), np.int64)
        mean = np.zeros((len(sequences), length, 1), np.float32)
        for row, sequence in enumerate(sequences):
            ids[row, : len(sequence)] = sequence
            mean[row, : len(sequence)] = 1 / len(sequence)
        # MPNet's positions start after its padding id.
        positions = np.arange(length) + (2 if self.family == "mpnet" else 0)
        bias = np.where(mean[:, None, None, :, 0] > 0, 0, -1e4).astype(np.float32) + self.relative[:, :, :length, :length]
        pooled = self.session.infer({"ids": ids, "positions": positions, "mean": mean, "bias": bias})[0]
        return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
