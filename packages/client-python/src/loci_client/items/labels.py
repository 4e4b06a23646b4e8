"""Namespaces of items, each label in a field of its own: joined, `("ab",)` would begin with `("a",)`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from loci_client.errors import LociError, invalid
from loci_client.filters import F, Filter
from loci_client.values import Value

MOST_LABELS = 16
MOST_LABEL_BYTES = 200


def check_labels(namespace: Sequence[str]) -> None:
    """Raises `INVALID_IDENTIFIER` for more labels, or longer ones, than a memory has room for."""
    if len(namespace) > MOST_LABELS:
        raise _wrong(f"has {len(namespace)} labels, but at most {MOST_LABELS} are kept")
    for place, label in enumerate(namespace):
        problem = text_problem(label, MOST_LABEL_BYTES)
        if problem is not None:
            raise _wrong(f"{problem} in label {place}")


def text_problem(text: object, most_bytes: int) -> str | None:
    """Why a text cannot be kept as a name of its own."""
    if not isinstance(text, str) or text == "":
        return "has no text"
    if "\0" in text:
        return "has a NUL character"
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        return "has half of a character"
    return f"has {size} bytes" if size > most_bytes else None


def labels_as_metadata(namespace: Sequence[str]) -> dict[str, Value]:
    return {f"ns{place}": label for place, label in enumerate(namespace)}


def labels_of(metadata: Mapping[str, Value]) -> tuple[str, ...]:
    labels: list[str] = []
    for place in range(MOST_LABELS):
        label = metadata.get(f"ns{place}")
        if not isinstance(label, str):
            break
        labels.append(label)
    return tuple(labels)


def begins_with(prefix: Sequence[str]) -> Filter | None:
    """What the server looks by, for namespaces that begin so."""
    found: Filter | None = None
    for place, label in enumerate(prefix):
        has_label = F.metadata[f"ns{place}"] == label
        found = has_label if found is None else found & has_label
    return found


def _wrong(problem: str) -> LociError:
    advice = f"Use up to {MOST_LABELS} labels of 1 to {MOST_LABEL_BYTES} bytes of well-formed text."
    return invalid("INVALID_IDENTIFIER", f"The namespace {problem}.", field="namespace", advice=advice)
