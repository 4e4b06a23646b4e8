"""What is recalled for a question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from loci_client.agent.block_layout import DEFAULT_BLOCK_TOKENS, LEAST_BLOCK_TOKENS, block_layout
from loci_client.agent.conversation import Conversation, block_owners
from loci_client.agent.json_text import is_well_formed
from loci_client.agent.well_formed import last_units, well_formed
from loci_client.agent.without_recalled import without_recalled
from loci_client.errors import invalid

if TYPE_CHECKING:
    from loci_client.types import AssembledContext, Receipt

# The question stands where it was said. What stands for it here is not shown.
_UNSHOWN_QUERY = "?"
_UNSHOWN_QUERY_TOKENS = 16
_MOST_TOOLS = 128
_LONGEST_TOOL_NAME = 200
# So many messages back a question may go on from, and so much of each, in UTF-16 units.
_MOST_EARLIER = 6
_LONGEST_EARLIER = 300
# What of a receipt is worth showing: the rest is notice and tags.
_SHOWN_KINDS = ("memory", "block")
# In UTF-16 units, as in other languages. Longer questions are asked by their beginning.
_MOST_ASKED = 32_000

_ASKED_BY = (
    "limit",
    "procedure_limit",
    "categories",
    "where",
    "profile",
    "strategy",
    "relevance_floor",
    "max_tokens_per_memory",
    "fallback",
)
_OPTIONS = ("max_tokens", "time_zone", *_ASKED_BY)


@dataclass(frozen=True)
class RecalledBlock:
    """What is recalled for a question, ready to stand before it."""

    text: str
    tokens: int
    receipt: Receipt
    """What was kept, shortened or left out, and why."""
    memories: tuple[str, ...]
    """The ids of the memories that stand in the text, in their order."""


def summary_of(block: RecalledBlock) -> dict[str, Any]:
    """What an answer says of a block: ids and numbers. It quotes nothing, and is small whatever was recalled."""
    scores = {item.id: item.score for item in block.receipt.items}
    dropped = [item for item in block.receipt.items if item.kind == "memory" and item.outcome == "dropped"]
    found = [scores.get(id) for id in block.memories]
    return {
        "memories": list(block.memories),
        # None for what stands whatever is asked.
        "scores": [None if score is None else round(score, 3) for score in found],
        "tokens": block.tokens,
        "left_out": len(dropped),
    }


def checked_options(options: Mapping[str, object]) -> dict[str, object]:
    """What a block is made of, as an application may say it.

    Raises:
        TypeError: There is no such option.
        InvalidArgumentError: `INVALID_BUDGET`, the block is too small.
    """
    for name in options:
        if name not in _OPTIONS:
            raise TypeError(f"recall.{name} is not known. There are: {', '.join(_OPTIONS)}.")
    most = options.get("max_tokens", DEFAULT_BLOCK_TOKENS)
    if isinstance(most, bool) or not isinstance(most, int) or most < LEAST_BLOCK_TOKENS:
        raise invalid(
            "INVALID_BUDGET",
            f"recall.max_tokens is {most}, but must be a whole number from {LEAST_BLOCK_TOKENS}.",
            field="recall.max_tokens",
            advice="Leave it out for 2,000.",
        )
    return {**options, "max_tokens": most}


def block_request(
    conversation: Conversation,
    question: str,
    options: Mapping[str, Any],
    *,
    earlier: Sequence[str] = (),
    tools: Iterable[str] | None = None,
    layout: Callable[[int], dict[str, object]] = block_layout,
) -> dict[str, Any]:
    """The arguments of `assemble` for the block before a question."""
    recall = {name: options[name] for name in _ASKED_BY if name in options}
    if tools is not None:
        recall["tools"] = list(islice(filter(_is_tool_name, tools), _MOST_TOOLS))
    return {
        "layout": layout(options["max_tokens"]),
        "query": _UNSHOWN_QUERY,
        # In no section of the layout: they only tell what a question goes on from.
        "messages": [_asked_after(text) for text in earlier[-_MOST_EARLIER:]],
        "window": {"query": _UNSHOWN_QUERY_TOKENS, "response": 0, "safety_buffer": 0},
        "scopes": conversation.recall_from,
        "recall": recall,
        "recall_query": _asked_by(question),
        "block_owners": block_owners(conversation),
        "memory_dates": True,
        "time_zone": options.get("time_zone"),
    }


def read_block(context: AssembledContext) -> RecalledBlock | None:
    """What a context has of memories. `None`: nothing."""
    receipt, usage = context.receipt, context.usage
    shown = [item for item in receipt.items if item.kind in _SHOWN_KINDS and item.outcome != "dropped"]
    text = context.messages[0].content if context.messages else None
    if not shown or text is None:
        return None
    memories = tuple([item.id for item in shown if item.kind == "memory"])
    return RecalledBlock(text, usage.total_tokens - usage.query_tokens, receipt, memories)


def _asked_after(text: str) -> dict[str, str]:
    return {"role": "user", "content": last_units(without_recalled(text), _LONGEST_EARLIER)}


def _asked_by(question: str) -> str:
    """An image asks by nothing: then there is only what always stands."""
    asked = well_formed(question, _MOST_ASKED)
    return _UNSHOWN_QUERY if asked.strip() == "" else asked


def _is_tool_name(name: str) -> bool:
    """Whether a recall takes it."""
    return name != "" and is_well_formed(name) and len(name.encode()) <= _LONGEST_TOOL_NAME
