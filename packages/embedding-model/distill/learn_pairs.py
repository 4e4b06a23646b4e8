"""The learned table, learned on: facts and questions about them shall be as near each other as the teacher finds them.

For a batch of pairs the softmax of each question's cosines to all facts, and of each fact's to all questions, is fitted to the
teacher's (Kullback-Leibler), and to the pairs of the same topic by the share `topics`. Beside them go the directions of both,
and the same for sentences in general, so that what the table knew stays.
"""

from dataclasses import dataclass

import numpy as np
import torch
from told_and_asked import Pair


@dataclass(frozen=True)
class PairSettings:
    epochs: int
    rate: float
    # Share of the sentences in general, of the teacher's directions, and of pairs of the same topic, in the loss.
    sentences: float
    directions: float
    topics: float
    sharpness: float = 20.0
    batch: int = 512
    seed: int = 3


@dataclass(frozen=True)
class Labelled:
    """Texts as token ids of the table, with unit teacher vectors [texts, 384]."""

    ids: list[list[int]]
    vectors: np.ndarray


def closest_axes(vectors: np.ndarray, units: np.ndarray) -> np.ndarray:
    """The orthogonal map [384, dimensions] of teacher vectors onto a table's vectors of the same texts."""
    left, _, right = np.linalg.svd(vectors.T @ units, full_matrices=False)
    return left @ right


def learn_pairs(start: np.ndarray, pairs: list[Pair], texts: dict[str, int], told: Labelled, general: Labelled, settings: PairSettings) -> np.ndarray:
    """Rows [V, dimensions] from `start`; `texts` has the place of each fact and question in `told`."""
    torch.manual_seed(settings.seed)
    random = np.random.default_rng(settings.seed)
    rows = torch.nn.Parameter(torch.tensor(start, dtype=torch.float32))
    usable = [index for index, ids in enumerate(general.ids) if len(ids) > 1]
    general_vectors = torch.nn.functional.normalize(torch.tensor(general.vectors, dtype=torch.float32), dim=1)
    told_vectors = torch.nn.functional.normalize(torch.tensor(told.vectors, dtype=torch.float32), dim=1)
    first = usable[:20_000]
    axes = torch.tensor(closest_axes(general_vectors[first].numpy(), embed(rows, general, first).detach().numpy()))
    placed = np.array([(pair.topic, texts[pair.fact], texts[pair.question]) for pair in pairs])
    optimiser = torch.optim.Adam([rows], lr=settings.rate)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, settings.epochs * (len(placed) // settings.batch))

    def fit(teacher: torch.Tensor, own: torch.Tensor) -> torch.Tensor:
        wanted = torch.log_softmax(teacher * settings.sharpness, 1)
        return (wanted.exp() * (wanted - torch.log_softmax(own * settings.sharpness, 1))).sum(1).mean()

    def turned_away(units: torch.Tensor, vectors: torch.Tensor) -> torch.Tensor:
        return 1 - (units * torch.nn.functional.normalize(vectors @ axes, dim=1)).sum(1).mean()

    for epoch in range(settings.epochs):
        order = random.permutation(len(placed))
        for begin in range(0, len(order) - settings.batch + 1, settings.batch):
            topics, facts, questions = placed[order[begin : begin + settings.batch]].T
            fact_units, question_units = embed(rows, told, facts), embed(rows, told, questions)
            fact_vectors, question_vectors = told_vectors[facts], told_vectors[questions]
            wanted, own = question_vectors @ fact_vectors.T, question_units @ fact_units.T
            loss = (fit(wanted, own) + fit(wanted.T, own.T)) / 2
            same = torch.tensor(topics[:, None] == topics[None], dtype=torch.float32)
            answers = same / same.sum(1, keepdim=True)
            loss = loss - settings.topics * (answers * torch.log_softmax(own * settings.sharpness, 1)).sum(1).mean()
            loss = loss + settings.directions * (turned_away(fact_units, fact_vectors) + turned_away(question_units, question_vectors)) / 2
            if settings.sentences > 0:
                picked = random.choice(usable, settings.batch, replace=False)
                units, vectors = embed(rows, general, picked), general_vectors[picked]
                itself = torch.eye(len(picked)) * 1e4
                among = fit(vectors @ vectors.T - itself, units @ units.T - itself)
                loss = loss + settings.sentences * (among + settings.directions * turned_away(units, vectors))
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
        print(f"epoch {epoch + 1}: {loss.item():.4f}", flush=True)
    return rows.detach().numpy()


def embed(rows: torch.Tensor, texts: Labelled, picked: np.ndarray | list[int]) -> torch.Tensor:
    """Unit sums of the rows of the picked texts' tokens."""
    ids = [texts.ids[index] for index in picked]
    flat = torch.tensor([token for sequence in ids for token in sequence])
    starts = torch.tensor(np.cumsum([0] + [len(sequence) for sequence in ids[:-1]]))
    return torch.nn.functional.normalize(torch.nn.functional.embedding_bag(flat, rows, starts, mode="sum"), dim=1)
