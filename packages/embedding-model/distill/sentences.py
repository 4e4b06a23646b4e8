"""Training sentences: permissively licensed text found locally, and sentences composed from templates.

Sources (none is evaluation data):
  - WordNet 3.0 definitions and examples (WordNet licence), Debian package `wordnet-base`
  - chatterbot-corpus, English part (BSD-3-Clause)
  - Python's own docstrings (PSF), comments of Go's standard library (BSD-3-Clause)
  - the templates below, filled with common WordNet lemmas and the names and terms listed here
"""

import ast
import random
import re
from pathlib import Path

NAMES = """Anna Ben Carla David Elena Frank Grace Hugo Irene Jack Kate Liam Mia Noah Olga Peter Quinn Rosa Sam Tara Umar Vera
Will Yara Zoe Alice Bob Carlos Diana Ethan Fatima George Hannah Ivan Julia Kevin Laura Marco Nina Omar Paula Raj Sofia
Tom Ursula Victor Wendy Chen Priya Ahmed Lucy Max Emma Oliver Sarah Daniel
Michael Emily Robert Linda Susan Karen Nancy Lisa Betty Brian
Jason Ryan Eric Stephen Larry Justin Scott Brandon Samuel Gregory Alex Patrick Dennis Jerry Tyler Aaron Jose Adam
Nathan Henry Zachary Douglas Kyle Walter Harold Jeremy Keith Roger Terry Lawrence Sean Christian Austin Arthur Jesse""".split()

PLACES = """Paris London Tokyo Berlin Madrid Rome Boston Chicago Seattle Toronto Sydney Dublin Vienna Prague Lisbon Oslo
Amsterdam Istanbul Cairo Mumbai Singapore Bangkok Mexico Brazil Canada France Italy Spain Japan China India Germany Sweden
Norway Greece Ireland Scotland California Texas Florida Hawaii Oregon Colorado Denver Portland Austin Nairobi Lima Bali""".split()

DAYS = """Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|yesterday|today|tomorrow|tonight|last week|last month|last
year|next week|next month|this weekend|two days ago|a few years ago|in January|in February|in March|in April|in May|in
June|in July|in August|in September|in October|in November|in December|in 2019|in 2021|in 2022|in 2023|on 5 May
2023|this morning|last summer|last night|at noon|at 3 pm|every day|every weekend|for ten years|when I was young""".replace("\n", " ").split("|")

TECH = """database|Postgres|SQLite|Redis|Docker|Kubernetes|TypeScript|Python|Rust|Go|Node|React|the API|the cache|the parser|the
build|the test suite|the deployment|the server|the client|the repository|the branch|the pull request|the commit|the
config file|the environment variable|the login page|the queue|the worker|the log|the index|the schema|the migration|the
endpoint|authentication|rate limiting|the retry policy|the timeout|the memory leak|the linter|the formatter|the release|the
changelog|the version|the dependency|the lock file|the pipeline|the webhook|the token|the session|the password|the
permission|the backup|the dashboard|the metric|the alert|the bug|the feature flag|the staging environment|production|the
dark theme|the keyboard shortcut|the editor|tabs|spaces|the spreadsheet|the invoice|the meeting|the deadline|the budget|the
dataset|the model|the prompt|the agent|the tool call|the context window|the embedding|the search|the user interface""".replace("\n", " ").split("|")

# {food} and the like are WordNet's own noun classes; {did} is a past tense, {do} an infinitive, {doing} a gerund.
STATEMENTS = """I {did} {a_artifact} {day}.
I had {food} for dinner {day}, it was {adj}.
We went to {place} {day} and saw {a_animal}.
My {person} gave me {a_artifact} for my birthday.
I've been {doing} {plural} lately, and I love it.
I'm thinking about {doing} {a_artifact}.
{name} is {a_person} and lives in {place}.
{name} moved to {place} {day}.
{name} told me about {a_event} in {place}.
Wow, {name}! That's so {adj}. What did you {do}?
That sounds {adj}! I love {plural}.
Thanks, {name}! It means a lot to me.
Yeah, I {did} it {day}! It's {adj} to me.
I really feel {adj} about {cognition} and {feeling}.
I'm so {adj} that I finally {did} my {artifact}!
My favourite {food} is {food}.
I prefer {tech} to {tech}.
My {person} and I are {doing} {a_event} {day}.
I started {doing} {day} because it helps me with {feeling}.
I want to become {a_person} and help people with {cognition}.
She works as {a_person} in {place}.
He has {a_animal} called {name} and {a_animal} called {name}.
We {did} the {artifact} and {did} the {object}.
I got a new job as {a_person} at {a_group}.
The kids love {plural} and {doing} at the {location}.
I bought {a_artifact} and {a_artifact} {day}.
I lost my {artifact} {day} and felt {adj}.
I read a book about {cognition} by {name}.
I watched a movie about {a_person} and {a_animal}.
I am learning to {do} and it is {adj}.
I'm allergic to {food}, so no {food} for me.
I have been to {place} and {place}, and {place} is next.
Here is a photo of {a_artifact} in front of {a_location}.
A photo of {a_person} {doing} {a_artifact}.
A picture of {a_animal} with {a_plant} on {a_artifact}.
{name} and {name} are planning {a_event} {day}.
I felt {feeling} when my {person} {did} {day}.
My {body} hurts, so I saw {a_person} {day}.
I'm going to {a_event} with {name} {day}, can't wait!
We decided to use {tech} instead of {tech} because of {cognition}.
{tech} failed {day} because {tech} was {adj}.
Always {do} {tech} before you {do} {tech}.
Deploys happen on {weekday}, after {tech} passes.
The user prefers {adj} {plural} and dislikes {plural}.
Remember that {tech} must not {do} {tech}.
To fix {tech}, {do} {tech} and restart {tech}.
{name} is responsible for {tech} and {tech}.
The budget for {cognition} is {number} dollars.
It costs {number} dollars to {do} the {artifact}.
We have {number} {plural} and {number} {plural}.
The {event} starts at {number} and ends {day}.
I ran {number} miles {day} and my {body} is tired.
Our anniversary is {day}, we have been married for {number} years.
My {person} passed away {day}, and I miss them.
We adopted {a_animal} from the shelter {day}.
I'd love to see your {artifact} sometime!
It's been {adj}, but {doing} keeps me {adj}.
I volunteered at {a_group} {day} and met {adj} people.
I'm making {food} with {food} and {food}.
We played {act} at the {location} all day.
I joined {a_group} for {plural}.
I'm worried about {phenomenon} and {state}.
I got {state} {day}, but I'm {adj} now.
I won {a_possession} at the {event}!
The doctor said that {state} is {adj}.
My car broke down {day} and I need a new {artifact}.""".split("\n")

QUESTIONS = """When did {name} {do} the {artifact}?
When did {name} move to {place}?
When did {name} go to the {event}?
What did {name} {do} {day}?
What does {name} like to eat?
What kind of {artifact} did {name} buy?
What is {name}'s favourite {food}?
What kind of {act} does {name} enjoy?
What are {name}'s plans for the {event}?
What is the name of {name}'s {animal}?
What did {name} give to {name} for the {event}?
What book did {name} read about {cognition}?
What does {name} do to feel {adj}?
Where does {name} work?
Where did {name} {do} {a_artifact}?
Where did {name} go {day}?
Who is {name}'s {person}?
Who gave {name} the {artifact}?
Who {did} the {object}?
Why did {name} {do} the {artifact}?
Why does {name} feel {adj} about {cognition}?
How does {name} feel about {doing}?
How long has {name} been {doing}?
How many {plural} does {name} have?
How often does {name} {do}?
How much does the {artifact} cost?
Which {location} did {name} visit with {name}?
Is {name} {a_person}?
Does {name} have {a_animal}?
Has {name} ever been to {place}?
What happened to {name}'s {artifact}?
What helped {name} with {feeling}?
What caused {state} for {name}?
How old is {name}'s {person}?
Which database do we use for {tech}?
Why did we choose {tech} over {tech}?
How do I {do} {tech}?
Where is {tech} configured?
Who owns {tech}?
What is the deadline for {tech}?
When is {tech} deployed?
Do I prefer {tech} or {tech}?
What colour is the {artifact}?
What sport does {name} play?
What instrument does {name} play?
What did the {person} say about the {state}?
What food is {name} allergic to?""".split("\n")

OPENERS = """Hey {name}!|Wow!|That's great!|Thanks!|Cool!|Oh no, sorry to hear that.|Long time no see!|How are you?|Nice!|Yeah, totally.|
Sounds fun!|Congrats, {name}!|Glad you like it.|I agree.|What's new?|Good to hear from you.|No worries.|Awesome!|Definitely!""".replace("\n", "").split("|")
CLOSERS = """What about you?|How about you, {name}?|It was so much fun.|Have you tried it?|I can't wait!|Any tips?|Take care!|What do you
think?|It means a lot.|It was worth it.|Hope you have a great day!|Talk to you soon.|I learned a lot.""".replace("\n", " ").split("|")

CLASSES = {"03": "Tops", "04": "act", "05": "animal", "06": "artifact", "08": "body", "09": "cognition", "11": "event", "12": "feeling",
           "13": "food", "14": "group", "15": "location", "17": "object", "18": "person", "19": "phenomenon", "20": "plant",
           "21": "possession", "26": "state"}  # fmt: skip


class Lexicon:
    """Common WordNet lemmas by class, with enough inflection for the templates."""

    def __init__(self, folder: Path) -> None:
        self.nouns: dict[str, list[str]] = {name: [] for name in CLASSES.values()}
        self.verbs: list[str] = []
        self.adjectives: list[str] = []
        self.counts: dict[int, list[float]] = {}
        for line in (folder / "cntlist.rev").read_text("latin-1").splitlines():
            key, _, count = line.split()
            lemma, rest = key.split("%")
            word = lemma.replace("_", " ")
            if not re.fullmatch(r"[a-z -]{2,24}", word) or int(count) < 1:
                continue
            kind, file = rest.split(":")[0], rest.split(":")[1]
            if kind == "1" and file in CLASSES:
                words = self.nouns[CLASSES[file]]
            elif kind == "2" and " " not in word:
                words = self.verbs
            elif kind in "35" and " " not in word:
                words = self.adjectives
            else:
                continue
            words.append(word)
            # The square root keeps common words common without starving the rest.
            reached = self.counts.setdefault(id(words), [])
            reached.append((reached[-1] if reached else 0.0) + int(count) ** 0.5)
        self.past_of: dict[str, str] = {}
        for line in (folder / "verb.exc").read_text("latin-1").splitlines():
            form, base = line.split()[:2]
            if not form.endswith("ing") and base not in self.past_of:
                self.past_of[base] = form

    def pick(self, words: list[str], source: random.Random) -> str:
        return source.choices(words, cum_weights=self.counts[id(words)])[0]

    def past(self, verb: str) -> str:
        if verb in self.past_of:
            return self.past_of[verb]
        if verb.endswith("e"):
            return verb + "d"
        return verb[:-1] + "ied" if re.search(r"[^aeiou]y$", verb) else verb + "ed"

    def gerund(self, verb: str) -> str:
        return verb[:-1] + "ing" if re.search(r"[^eoy]e$", verb) else verb + "ing"

    def plural(self, noun: str) -> str:
        if re.search(r"(s|x|ch|sh)$", noun):
            return noun + "es"
        return noun[:-1] + "ies" if re.search(r"[^aeiou]y$", noun) else noun + "s"


def composed(folder: Path, count: int, random_source: random.Random) -> list[str]:
    lexicon = Lexicon(folder)
    pick = random_source.choice

    def common(words: list[str]) -> str:
        return lexicon.pick(words, random_source)

    def fill(template: str) -> str:
        def slot(match: re.Match[str]) -> str:
            name = match.group(1)
            listed = {"name": NAMES, "place": PLACES, "day": DAYS, "weekday": DAYS[:7], "tech": TECH}
            if name in listed:
                return pick(listed[name])
            if name == "adj":
                return common(lexicon.adjectives)
            if name == "do":
                return common(lexicon.verbs)
            if name == "did":
                return lexicon.past(common(lexicon.verbs))
            if name == "doing":
                return lexicon.gerund(common(lexicon.verbs))
            if name == "number":
                return str(random_source.choice([2, 3, 4, 5, 7, 10, 12, 15, 20, 50, 100, 300, 2500]))
            if name == "plural":
                return lexicon.plural(common(lexicon.nouns[pick(["artifact", "animal", "food", "plant", "person"])]))
            noun = common(lexicon.nouns[name.removeprefix("a_")])
            if name.startswith("a_"):
                return ("an " if noun[0] in "aeiou" else "a ") + noun
            return noun

        return re.sub(r"\{(\w+)\}", slot, template)

    texts = []
    for _ in range(count):
        kind = random_source.random()
        if kind < 0.35:
            texts.append(fill(pick(QUESTIONS)))
        elif kind < 0.6:
            texts.append(fill(pick(STATEMENTS)))
        else:
            parts = [pick(STATEMENTS)]
            if random_source.random() < 0.4:
                parts.append(pick(STATEMENTS))
            if random_source.random() < 0.5:
                parts.insert(0, pick(OPENERS))
            if random_source.random() < 0.5:
                parts.append(pick(CLOSERS + QUESTIONS[:4]))
            text = fill(" ".join(parts))
            texts.append(f"{pick(NAMES)}: {text}" if random_source.random() < 0.6 else text)
    return texts


def wordnet(folder: Path, random_source: random.Random) -> list[str]:
    """Every example sentence; every definition, half of them led by the word defined."""
    texts = []
    for kind in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{kind}").read_text("latin-1").splitlines():
            if line.startswith(" "):
                continue
            fields, gloss = line.split(" | ", 1)
            words = fields.split()
            lemma = re.sub(r"\(.*\)", "", words[4]).replace("_", " ")
            examples = re.findall(r'"([^"]{12,200})"', gloss)
            texts.extend(examples)
            definition = re.sub(r'[;,]?\s*"[^"]*"', "", gloss).strip(" ;")
            if len(definition) > 8:
                texts.append(f"{lemma}: {definition}" if random_source.random() < 0.5 else definition)
    return texts


def split_sentences(text: str) -> list[str]:
    text = re.sub(r"\s+", " ", text)
    return [part for part in re.split(r"(?<=[.!?]) ", text) if 20 <= len(part) <= 220 and part.count(" ") >= 3 and part[0].isalpha()]


def docstrings(folder: Path) -> list[str]:
    texts = []
    for path in sorted(folder.rglob("*.py")):
        if "test" in str(path.relative_to(folder)) or "site-packages" in path.parts:
            continue
        try:
            tree = ast.parse(path.read_text("utf-8"))
        except (SyntaxError, UnicodeDecodeError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module)):
                texts.extend(split_sentences(ast.get_docstring(node) or ""))
    return texts


def go_comments(folder: Path) -> list[str]:
    texts = []
    for path in sorted(folder.rglob("*.go")):
        if path.name.endswith("_test.go") or {"testdata", "vendor", "internal"} & set(path.parts):
            continue
        for block in re.findall(r"((?:^// .*\n)+)", path.read_text("utf-8", "replace"), re.M):
            texts.extend(split_sentences(re.sub(r"^// ", "", block, flags=re.M)))
    return texts


def chats(folder: Path) -> list[str]:
    texts = []
    for path in sorted(folder.glob("*.yml")):
        for line in path.read_text("utf-8").splitlines():
            match = re.match(r"\s*-\s+(?:-\s+)?(.{6,220})$", line)
            if match:
                texts.append(match.group(1).strip("'\""))
    return texts


def gather(wordnet_folder: Path, chat_folder: Path, python_folder: Path, go_folder: Path, composed_count: int, seed: int) -> list[str]:
    """All sentences, without repeats, shuffled: any prefix is a fair sample."""
    source = random.Random(seed)
    documentation = docstrings(python_folder) + go_comments(go_folder)
    source.shuffle(documentation)
    texts = wordnet(wordnet_folder, source) + chats(chat_folder) + documentation[:30_000] + composed(wordnet_folder, composed_count, source)
    texts = list(dict.fromkeys(texts))
    source.shuffle(texts)
    return texts
