"""Token rows learned so that the sum of a sentence's rows points where the teacher's sentence vector points.

Loss: 1 - cosine to the teacher's vector, projected to the model's axes. Adam over the whole table, starting from
the plain distillation; a token that no sentence shows stays there.
"""

from dataclasses import dataclass

import numpy as np
import scipy.sparse


@dataclass
class Settings:
    epochs: int = 5
    batch: int = 1024
    rate: float = 0.02
    seed: int = 11


def learn(bags: scipy.sparse.csr_matrix, targets: np.ndarray, axes: np.ndarray, start: np.ndarray, settings: Settings) -> np.ndarray:
    """Learned rows [V, 256] from counts [S, V], unit teacher vectors [S, 384], axes [384, 256] and plain rows [V, 256]."""
    random = np.random.default_rng(settings.seed)
    rows = start.astype(np.float32).copy()
    momentum, variance = np.zeros_like(rows), np.zeros_like(rows)
    usable = np.flatnonzero(np.asarray(bags.sum(1)).ravel() > 0)
    steps = settings.epochs * (len(usable) // settings.batch)
    step = 0
    for epoch in range(settings.epochs):
        random.shuffle(usable)
        losses = []
        for first in range(0, len(usable) - settings.batch + 1, settings.batch):
            step += 1
            picked = usable[first : first + settings.batch]
            counts = bags[picked]
            wanted = targets[picked] @ axes
            wanted /= np.linalg.norm(wanted, axis=1, keepdims=True)
            sums = counts @ rows
            lengths = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
            units = sums / lengths
            cosines = (units * wanted).sum(1, keepdims=True)
            losses.append(1 - float(cosines.mean()))
            slope = counts.T @ ((units * cosines - wanted) / (lengths * np.float32(len(picked))))
            momentum += np.float32(0.1) * (slope - momentum)
            variance += np.float32(0.01) * (slope * slope - variance)
            rate = np.float32(settings.rate * 0.5 * (1 + np.cos(np.pi * step / steps)))
            rows -= rate * (momentum / np.float32(1 - 0.9**step)) / (np.sqrt(variance / np.float32(1 - 0.99**step)) + np.float32(1e-8))
        print(f"epoch {epoch + 1}: 1 - cosine {np.mean(losses):.4f}", flush=True)
    return rows
