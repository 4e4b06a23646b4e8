"""Makes a memory's text safe to stand in a prompt that somebody else writes."""

from __future__ import annotations

import re
import unicodedata

_ROLES = "system|developer|user|assistant|tool|function|human|ai"
# What labels a turn, and the tokens of chat templates that stand in brackets.
_BRACKETED = (
    f"{_ROLES}|turn|summary|retrieved|INST|SYS|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|IMG|IMG_BREAK|"
    "IMG_END|PREFIX|MIDDLE|SUFFIX|ARGS|CALL_ID|AUDIO|BEGIN_AUDIO|TRANSCRIBE|THINK|STREAMING_PAD|STREAMING_WORD|NEXT_AUDIO_TEXT|"
    "REPEAT_AUDIO_TEXT|MODEL_SETTINGS|multimodal|MASK|gMASK|sMASK|BOS|EOS|EOT|UNK|PAD"
)
# Whatever could be read as structure, wherever it stands. The contexts of Loci know what their tags are, and leave more as it is.
_STRUCTURE = re.compile(
    rf"<|&(?=#?[A-Za-z0-9]+;)|(?<=\]\])>|\[(?=[^\w\]\n]{{0,8}}(?:{_BRACKETED})\b[^\]\n]{{0,100}}\])", re.IGNORECASE
)
_TURN = re.compile(r"^([^\w\n:]*(?:Human|Assistant|System|HUMAN|USER|ASSISTANT|SYSTEM)[^\w\n:]*):", re.MULTILINE)
_REFERENCES = {"<": "&lt;", ">": "&gt;", "&": "&amp;", "[": "&#91;"}
_LINE_BREAKS = re.compile("\r?[\v\f\x85\u2028\u2029]")

# Nothing that can be seen, though Unicode does not count it as a format character: fillers, and what selects variants.
_FILLERS = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff]")
_JOINERS = ("\u200c", "\u200d", "\ufe0e", "\ufe0f")


def escape_text(text: str) -> str:
    """A text in which nothing can be read as the end of a section, a tag or a role, and nothing is invisible."""
    visible = visible_text(text)
    escaped = _escaped(visible)
    normalised = unicodedata.normalize("NFKC", escaped)
    # Full-width brackets and the like become structure when somebody normalises them.
    return escaped if _escaped(normalised) == normalised else _escaped(unicodedata.normalize("NFKC", visible))


def _escaped(text: str) -> str:
    broken = _STRUCTURE.sub(lambda found: _REFERENCES[found[0]], text)
    return _TURN.sub(r"\1&#58;", broken)


def visible_text(text: str) -> str:
    """A text without what nobody can see."""
    well_formed = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    lines = _LINE_BREAKS.sub("\n", well_formed)
    if lines.isascii() and lines.isprintable():
        return lines
    shown = [each for at, each in enumerate(lines) if _is_shown(each, lines[at - 1] if at else "")]
    return "".join(shown)


def _is_shown(character: str, before: str) -> bool:
    if character in "\n\r\t":
        return True
    if character in _JOINERS:
        # The parts of an emoji, and scripts that need them.
        return before != "" and not before.isascii() and before not in _JOINERS[:2]
    return unicodedata.category(character) not in ("Cf", "Cc") and _FILLERS.match(character) is None
