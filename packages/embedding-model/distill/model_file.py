"""The file `loci-static-256.bin`: written here, read by `src/load-model.ts`. Little-endian.

offset  size  field
0       8     magic "LOCISTAT"
8       4     format version (1)
12      4     dimensions D
16      4     vocabulary size V
20      4     length L of the vocabulary in bytes, padding included
24      32    SHA-256 of everything from offset 64
56      8     zero
64      L     vocabulary: UTF-8, one token a line, in id order; padded with newlines to a multiple of 4
64+L    V*D   table: int8, row by row
...     V*4   scales: float32; row value = int8 * scale
...     V*4   token weights: float32, the factor of a token in the sum
"""

import hashlib
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

MAGIC = b"LOCISTAT"
VERSION = 1


@dataclass
class StaticModel:
    vocabulary: list[str]
    table: np.ndarray  # int8 [V, D]
    scales: np.ndarray  # float32 [V]
    weights: np.ndarray  # float32 [V]

    def rows(self) -> np.ndarray:
        """float32 [V, D]: what a token adds to the sum."""
        return self.table.astype(np.float32) * (self.scales * self.weights)[:, None]


def quantise(vocabulary: list[str], rows: np.ndarray, weights: np.ndarray) -> StaticModel:
    """Rows [V, D] without their weights, to int8 with one scale a row."""
    scales = np.abs(rows).max(1) / 127
    safe = np.where(scales > 0, scales, 1)
    table = np.rint(rows / safe[:, None]).astype(np.int8)
    return StaticModel(vocabulary, table, scales.astype(np.float32), weights.astype(np.float32))


def write_model(path: Path, model: StaticModel) -> str:
    """Writes the file and returns its SHA-256."""
    words = "\n".join(model.vocabulary).encode()
    words += b"\n" * (-len(words) % 4)
    table = model.table.tobytes()
    if len(table) % 4:
        raise ValueError("dimensions must be a multiple of 4")
    body = words + table + model.scales.astype("<f4").tobytes() + model.weights.astype("<f4").tobytes()
    rows, dimensions = model.table.shape
    header = MAGIC + struct.pack("<4I", VERSION, dimensions, rows, len(words)) + hashlib.sha256(body).digest() + bytes(8)
    path.write_bytes(header + body)
    return hashlib.sha256(header + body).hexdigest()


def read_model(path: Path) -> StaticModel:
    raw = path.read_bytes()
    version, dimensions, rows, length = struct.unpack("<4I", raw[8:24])
    if raw[:8] != MAGIC or version != VERSION or hashlib.sha256(raw[64:]).digest() != raw[24:56]:
        raise ValueError(f"{path} is not a model file of version {VERSION}")
    table_at, scales_at = 64 + length, 64 + length + rows * dimensions
    return StaticModel(
        raw[64:table_at].decode().split("\n")[:rows],
        np.frombuffer(raw, np.int8, rows * dimensions, table_at).reshape(rows, dimensions),
        np.frombuffer(raw, "<f4", rows, scales_at),
        np.frombuffer(raw, "<f4", rows, scales_at + rows * 4),
    )
