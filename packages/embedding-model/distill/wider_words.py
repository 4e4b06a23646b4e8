"""Statements with a common noun and questions with a wider word or a synonym of one, from WordNet's first senses."""

import random
import re
from pathlib import Path

from sentences import DAYS, NAMES, PLACES

# Words so wide that they say nothing.
TOO_WIDE = set(
    """entity|object|thing|whole|matter|physical entity|abstraction|psychological feature|unit|group|artifact|living thing|
organism|causal agent|relation|attribute|being|cause""".replace("\n", "").split("|")
)
WIDER_LEVELS = 2

# By number of WordNet's noun files: ways to state, ways to ask. {x} is the noun, {ax} with its article, {xs} its plural, {y} the
# wider word.
TEMPLATES = {
    "04": (
        "I took part in {x} {day}.|I'm learning {x}.|We do {x} every week.|{name} is good at {x}.|{X} is not for me.",
        "Which {y} did I do?|what {y} am I learning?|what kind of {y} do we do?|Which {y} is {name} good at?|what {y} don't I like?",
    ),
    "05": (
        "We saw {ax} in {place}.|I'm afraid of {xs}.|{name} keeps {xs}.|{Ax} lives in our garden.",
        "Which {y} did we see?|what {y} scares me?|Which {y} does {name} keep?|what {y} lives at our place?",
    ),
    "06": (
        "I bought {ax} {day}.|My {x} is broken.|The {x} is in {place}.|{name} borrowed the {x}.|I'm looking for {ax}.|We never use {xs}.",
        "What {y} did I buy?|which {y} of mine doesn't work?|where is the {y}?|Who has my {y}?|what {y} do I need?|Which {y} don't we use?",
    ),
    "08": (
        "My {x} hurts.|I hurt my {x} {day}.|I have a scar on my {x}.",
        "Which {y} is injured?|what part of my body hurts?|where do I have pain?|what {y} did I hurt?",
    ),
    "09": (
        "My talk is about {x}.|I'm interested in {x}.|We argued about {x}.|I don't believe in {x}.",
        "What's the topic of my talk?|which {y} interests me?|what {y} did we argue about?|Which {y} do I reject?",
    ),
    "10": (
        "I wrote {ax} {day}.|{name} sent me {ax}.|The {x} is finished.|I'm working on {ax}.",
        "What {y} did I write?|which {y} did {name} send?|what is done?|What {y} am I working on?",
    ),
    "11": (
        "The {x} was {day}.|We met at {ax}.|{name} missed the {x}.",
        "When was the {y}?|At which {y} did we meet?|what {y} did {name} miss?",
    ),
    "12": (
        "I felt {x} {day}.|{X} keeps me awake.",
        "How did I feel?|which {y} did I have?|what {y} keeps me from sleeping?",
    ),
    "13": (
        "I had {x} for lunch.|I don't like {x}.|{name} brought {x}.|We need more {x}.|{X} makes me sick.",
        "What {y} did I eat?|which {y} do I dislike?|what {y} did {name} bring?|What {y} are we short of?|which {y} can't I digest?",
    ),
    "14": (
        "I joined {ax} {day}.|{name} left the {x}.|The {x} meets on Fridays.",
        "Which {y} am I in?|what {y} did {name} leave?|when does the {y} meet?",
    ),
    "15": (
        "We went to the {x} {day}.|I work near the {x}.|The {x} is closed.",
        "Which {y} did we visit?|what {y} is near my work?|which {y} isn't open?",
    ),
    "17": (
        "We walked to the {x} {day}.|I found {ax}.",
        "Which {y} did we walk to?|what {y} did I find?",
    ),
    "18": (
        "{name} is {ax}.|I talked to the {x} {day}.|My cousin wants to be {ax}.|I hired {ax}.|The {x} called.",
        "What is {name}?|which {y} did I talk to?|what {y} does my cousin want to become?|which {y} did I hire?|What {y} rang?|Who called?",
    ),
    "20": (
        "I planted {ax} {day}.|There's {ax} in the garden.|The {x} died.",
        "Which {y} did I plant?|what {y} grows here?|Which {y} did not survive?",
    ),
    "21": (
        "I got {ax} {day}.|{name} asked for {ax}.",
        "Which {y} did I receive?|what {y} does {name} want?",
    ),
    "26": (
        "I've had {x} since {day}.|{name} has {x}.|The doctor talked about {x}.",
        "Which {y} do I have?|what {y} does {name} have?|what's the diagnosis?",
    ),
    "27": (
        "It's made of {x}.|{X} is bad for me.|We ran out of {x}.",
        "Which {y} is it made of?|what {y} do I avoid?|Which {y} is used up?",
    ),
    "28": (
        "It takes {ax}.|The {x} was hard.",
        "How long does it take?|what {y} was hard?",
    ),
}



def read(folder: Path) -> tuple[dict[str, tuple[str, list[str], list[str]]], dict[str, list[str]], dict[str, int]]:
    """Synsets (file, words, wider synsets) by offset, offsets by lemma (first sense first), and how often a lemma is tagged."""
    synsets = {}
    for line in (folder / "data.noun").read_text("latin-1").splitlines():
        if line.startswith(" "):
            continue
        fields = line.split(" | ")[0].split()
        size = int(fields[3], 16)
        words = [fields[4 + 2 * index].replace("_", " ") for index in range(size)]
        pointers = 4 + 2 * size
        count = int(fields[pointers])
        wider = [fields[pointers + 2 + 4 * index] for index in range(count) if fields[pointers + 1 + 4 * index] in ("@", "@i")]
        synsets[fields[0]] = (fields[1], words, wider)
    senses = {}
    for line in (folder / "index.noun").read_text("latin-1").splitlines():
        if not line.startswith(" "):
            fields = line.split()
            senses[fields[0].replace("_", " ")] = fields[-int(fields[2]) :]
    tagged: dict[str, int] = {}
    for line in (folder / "cntlist.rev").read_text("latin-1").splitlines():
        key, _, count = line.split()
        lemma, rest = key.split("%")
        if rest[0] == "1":
            word = lemma.replace("_", " ")
            tagged[word] = tagged.get(word, 0) + int(count)
    return synsets, senses, tagged


def with_article(noun: str) -> str:
    return ("an " if noun[0] in "aeiou" else "a ") + noun


def plural(noun: str) -> str:
    if re.search(r"(s|x|ch|sh)$", noun):
        return noun + "es"
    return noun[:-1] + "ies" if re.search(r"[^aeiou]y$", noun) else noun + "s"


def wider_word_pairs(folder: Path, count: int, seed: int) -> list[tuple[str, str, str]]:
    """The noun, a statement with it, a question with a word for something wider."""
    synsets, senses, tagged = read(folder)
    source = random.Random(seed)
    known = {word for word, times in tagged.items() if times >= 3}
    entries, weights = [], []
    for noun in senses:
        if not re.fullmatch(r"[a-z][a-z -]{2,20}", noun) or tagged.get(noun, 0) < 1:
            continue
        file, synonyms, level = synsets[senses[noun][0]]
        if file not in TEMPLATES:
            continue
        wider = [word for word in synonyms if word != noun and word in known and word.islower()]
        for _ in range(WIDER_LEVELS):
            following = []
            for offset in level:
                if offset in synsets:
                    wider += [word for word in synsets[offset][1] if word in known and word.islower() and word not in TOO_WIDE]
                    following += synsets[offset][2]
            level = following
        if wider:
            entries.append((noun, wider, file))
            weights.append((tagged[noun] + 1) ** 0.4)
    pairs = []
    for noun, wider, file in source.choices(entries, weights=weights, k=count):
        facts, questions = TEMPLATES[file]
        filled = {
            "x": noun,
            "X": noun.capitalize(),
            "ax": with_article(noun),
            "Ax": with_article(noun).capitalize(),
            "xs": plural(noun),
            "y": source.choice(wider),
            "name": source.choice(NAMES),
            "day": source.choice(DAYS),
            "place": source.choice(PLACES),
        }
        fact, question = source.choice(facts.split("|")), source.choice(questions.split("|"))
        pairs.append((noun, fact.format(**filled), question.format(**filled)))
    return pairs
