"""Writes `loci_client.reasons` from the reasons that the server knows.

Usage: write_reasons.py FOLDER, a copy of the workspace's folders.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
SOURCE = "packages/domain/src/error-reasons.ts"
TARGET = "packages/client-python/src/loci_client/reasons.py"


def write_reasons(folder: Path) -> None:
    source = (ROOT / SOURCE).read_text(encoding="utf-8")
    table = source.partition("export const errorReasons = {")[2].partition("\n}")[0]
    reasons = re.findall(r'^  ([A-Z_]+): "[A-Z_]+",$', table, re.MULTILINE)
    if not reasons:
        raise SystemExit(f"{SOURCE} has no table of reasons")
    lines = [
        f'"""Generated from {SOURCE}: why calls fail, to compare `LociError.reason` with."""',
        "",
        "from typing import Final",
        "",
        *(f'{reason}: Final = "{reason}"' for reason in reasons),
        "",
    ]
    target = folder / TARGET
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    write_reasons(Path(sys.argv[1]))
