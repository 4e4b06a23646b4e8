"""Writes `loci_client.agent.tool_table` from the table of tools that every language has.

Usage: write_tool_table.py FOLDER, a copy of the workspace's folders.
"""

import json
import pprint
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
SOURCE = "packages/agent/test/golden/tools.json"
TARGET = "packages/client-python/src/loci_client/agent/tool_table.py"


def write_tool_table(folder: Path) -> None:
    table = json.loads((ROOT / SOURCE).read_text(encoding="utf-8"))
    tools = {
        tool["name"]: {
            "description": tool["description"],
            "input_schema": tool["inputSchema"],
            "shows_memory": tool["showsMemory"],
        }
        for tool in table
    }
    lines = [
        f'"""Generated from {SOURCE}: the tools for models, as in every language."""',
        "",
        "from typing import Any, Final",
        "",
        f"TOOL_TABLE: Final[dict[str, dict[str, Any]]] = {pprint.pformat(tools, width=120, sort_dicts=False)}",
        "",
    ]
    target = folder / TARGET
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    write_tool_table(Path(sys.argv[1]))
