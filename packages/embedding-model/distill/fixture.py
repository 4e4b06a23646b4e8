"""Texts with their reference vectors, for the tests of the TypeScript side."""

import json
from pathlib import Path

from static_embedder import StaticEmbedder

TEXTS = [
    "",
    " \t\n ",
    "Hello, world!",
    "The quick brown fox jumps over the lazy dog.",
    "Caf\u00e9 cr\u00e8me br\u00fbl\u00e9e na\u00efve \u00fcber \u00c5ngstr\u00f6m \u0130stanbul Stra\u00dfe",
    "cafe\u0301 versus caf\u00e9: combining accents",
    "\u6211\u6628\u5929\u53bb\u4e86\u5317\u4eac\uff0c\u5929\u6c14\u5f88\u597d\u3002",
    "\u6771\u4eac\u30bf\u30ef\u30fc\u306b\u884c\u304d\u307e\u3057\u305f\u304c\u3001\u96e8\u3067\u3057\u305f",
    "\uc11c\uc6b8\uc5d0\uc11c \ub9cc\ub098\uc694",
    "I \u2764\ufe0f pizza \U0001f355 and \U0001f468\u200d\U0001f469\u200d\U0001f467 time",
    "\U0001f355",
    "\u041f\u0440\u0438\u0432\u0435\u0442, \u043a\u0430\u043a \u0434\u0435\u043b\u0430? \u039f\u0394\u03a5\u03a3\u03a3\u0395\u03a5\u03a3 \u0627\u0644\u0633\u0644\u0627\u0645",
    "don't re-run `npm test` -- see https://example.org/a_b?c=1&d=[2]",
    "zero\u200bwidth, soft\u00adhyphen, nul\u0000byte, non\u00a0breaking\u3000ideographic space",
    "\u201csmart quotes\u201d \u2014 and an ellipsis\u2026 and \u20ac5 \u00a34 \u00bd \u2122",
    "unbelievably antidisestablishmentarianism electroencephalographically",
    "x" * 100,
    "x" * 101 + " but known",
    "a" * 20_000,
    "HTTPServer2 parseJSON v1.2.3-beta+4 0xDEADBEEF 12,345.67",
    "Where did Anna put the config file for the staging environment?",
    "tok " * 700,
    "word " * 600 + "tail that is ignored",
    "[CLS] [SEP] [UNK] are plain text here",
]


def write_fixture(path: Path, embedder: StaticEmbedder) -> None:
    vectors = embedder.encode(TEXTS)
    cases = [
        {"text": text, "tokens": len(embedder.ids(text)), "vector": [round(float(value), 7) for value in vector]}
        for text, vector in zip(TEXTS, vectors)
    ]
    path.write_text(json.dumps(cases, ensure_ascii=True) + "\n", "utf-8")
