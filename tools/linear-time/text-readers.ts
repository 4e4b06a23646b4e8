/** What a module exports. */
type Exports = Readonly<Record<string, (...given: readonly unknown[]) => unknown>>;

/** Reads a text as the products do. */
export type ReadText = (text: string) => unknown;

/** How the functions of a module are given a text. */
export type TextReaders = (
  module: Exports,
) => Readonly<Record<string, ReadText>> | Promise<Readonly<Record<string, ReadText>>>;

/** A function was renamed, and what is written here reads with nothing. */
class NoSuchReader extends Error {}
const call = (module: Exports, name: string, ...given: readonly unknown[]): unknown => {
  const read = module[name];
  if (read === undefined) throw new NoSuchReader(`The module has no function ${name}.`);
  return read(...given);
};
const only =
  (name: string, ...given: readonly unknown[]): TextReaders =>
  (module) => ({ [name]: (text) => call(module, name, text, ...given) });
const ignoring =
  (read: ReadText): ReadText =>
  (text) => {
    try {
      return read(text);
    } catch (error) {
      if (error instanceof NoSuchReader) throw error;
      // A refusal is as good: what matters is how long it took.
      return undefined;
    }
  };

/** Of a turn of a conversation. */
const turn = { kind: "conversation", sourceId: "x", position: 0 };
/** A call of a tool, with what it is given. */
const toolCall = (given: string): object => ({ id: "x", type: "function", function: { name: "x", arguments: given } });
/** A block's schema of the single field `text`. */
const document = { name: "x", fields: [{ name: "text", type: "text" }] };

/** Everything in the products that goes through a text of a caller, or a stored one, by the file it is in. */
export const textReaders: Readonly<Record<string, TextReaders>> = {
  "apps/browser/src/page/text/shown-parts.ts": (module) => ({
    shownParts: (text) => call(module, "shownParts", text),
    shownText: (text) => call(module, "shownText", text),
  }),
  "apps/cli/src/output/format-text.ts": (module) => ({
    forTerminal: (text) => call(module, "forTerminal", text),
    oneLine: (text) => call(module, "oneLine", text, 80),
  }),
  "packages/agent/src/keepable-turns.ts": (module) => ({
    keepableTurns: (text) =>
      call(module, "keepableTurns", [
        { role: "user", content: text },
        { role: "assistant", content: text, toolCalls: [toolCall(text)] },
      ]),
  }),
  "packages/agent/src/text-in-parts.ts": only("textInParts"),
  "packages/agent/src/memory-tool/memory-path.ts": (module) => ({
    memoryPath: ignoring((text) => call(module, "memoryPath", `/memories/${text}`)),
  }),
  "packages/agent/src/memory-tool/memory-file.ts": (module) => ({
    memoryFileValues: (text) => call(module, "memoryFileValues", "a", text),
    memoryFileOperations: (text) => call(module, "memoryFileOperations", { text }, { text: `${text}\nx` }),
  }),
  "packages/agent/src/redacted-json.ts": (module) => ({
    parseRedactedJson: ignoring((text) => call(module, "parseRedactedJson", text)),
  }),
  "packages/agent/src/without-recalled.ts": only("withoutRecalled"),
  "packages/agent/src/joined-texts.ts": (module) => ({
    joinedTexts: (text) => call(module, "joinedTexts", [text]),
    splitTexts: (text) => call(module, "splitTexts", text),
  }),
  "packages/openai-agents/src/same-but-for-secrets.ts": (module) => ({
    sameButForSecrets: (text) => call(module, "sameButForSecrets", `${text}[redacted: card]${text}`, text),
  }),
  "packages/langchain/src/raw-texts.ts": (module) => ({
    withTextsBehind: (text) => call(module, "withTextsBehind", [text]),
    withTextsBack: ignoring((text) => call(module, "withTextsBack", `[]\n\u001e\n${text}`)),
  }),
  "packages/core/src/assembly/text-table.ts": (module) => ({
    formatNumber: () => call(module, "formatNumber", 1_234_567),
  }),
  "packages/engine/src/blocks/archived-memories.ts": (module) => ({
    archivedMemories: (text) =>
      call(
        module,
        "archivedMemories",
        { ids: { next: () => "x" } },
        { owner: { kind: "user", id: "x" }, label: "x", now: 0 },
        [{ category: "note", text }],
      ),
  }),
  "packages/git-mirror/src/person-line.ts": only("personLine", 1_800_000_000_000),
  "packages/core/src/blocks/block-white-space.ts": (module) => ({
    trimmed: (text) => call(module, "trimmed", text),
    onOneLine: (text) => call(module, "onOneLine", text),
    textOfLines: (text) => call(module, "textOfLines", call(module, "linesOf", text)),
  }),
  "packages/core/src/blocks/block-title.ts": only("titleOfName"),
  "packages/core/src/blocks/core-memory.ts": (module) => ({
    checkCoreMemory: ignoring((text) =>
      call(module, "checkCoreMemory", text, { count: (part: string) => part.length }),
    ),
  }),
  "packages/core/src/blocks/read-block-markdown.ts": (module) => ({
    text: ignoring((text) => call(module, "readBlockMarkdown", "x", document, `---\nblock: x\n---\n## Text\n${text}`)),
    whole: ignoring((text) => call(module, "readBlockMarkdown", "x", document, text)),
  }),
  "packages/core/src/blocks/read-block-toml.ts": (module) => ({
    readBlockToml: ignoring((text) => call(module, "readBlockToml", document, text)),
  }),
  "packages/core/src/blocks/write-block-markdown.ts": (module) => ({
    writeBlockMarkdown: (text) => call(module, "writeBlockMarkdown", "x", document, { text }),
  }),
  "packages/core/src/blocks/write-block-toml.ts": (module) => ({
    writeBlockToml: (text) => call(module, "writeBlockToml", document, { text }),
  }),
  "packages/core/src/capture/detection/detect.ts": only("detect"),
  "packages/core/src/capture/detection/policies.ts": (module) => ({
    screenText: (text) => call(module, "screenText", text),
    heldRefused: (text) => call(module, "heldRefused", text),
  }),
  "packages/core/src/capture/extract/accepted-offers.ts": (module) => ({
    acceptedOffer: (text) =>
      call(module, "acceptedOffer", `Shall I ${text}?`, [{ text: "yes", start: 0, end: 3 }], "team"),
    answers: (text) =>
      call(module, "acceptedOffer", "Shall I warn you every Friday?", [{ text, start: 0, end: text.length }], "team"),
  }),
  "packages/core/src/capture/extract/coming-days.ts": only("comingDay", 1_800_000_000_000),
  "packages/core/src/capture/extract/invitations.ts": only("isInvitation"),
  "packages/core/src/capture/extract/orders-carried-out.ts": only("asCarriedOut"),
  "packages/core/src/capture/extract/other-languages.ts": only("isInAnotherLanguage"),
  "packages/core/src/capture/extract/passed-days.ts": only("tellsHowItWent"),
  "packages/core/src/capture/extract/told-to-be-forgotten.ts": (module) => ({
    toldToBeForgotten: (text) => call(module, "toldToBeForgotten", text),
    forgetsEverything: (text) => call(module, "forgetsEverything", text),
    isToldByOthers: (text) => call(module, "isToldByOthers", text),
  }),
  "packages/core/src/capture/extract/told-to-be-kept.ts": (module) => ({
    toldToBeKept: (text) => call(module, "toldToBeKept", text),
    endOfToldToBeKept: (text) => call(module, "endOfToldToBeKept", text),
  }),
  "packages/core/src/capture/extract/emoticons.ts": (module) => ({
    emoticonAt: (text) => call(module, "emoticonAt", text, 0),
  }),
  "packages/core/src/capture/extract/tail-words.ts": only("withoutTailWords"),
  "packages/core/src/capture/judge/for-whom.ts": only("forWhomIn"),
  "packages/core/src/capture/extract/quotations.ts": only("withoutQuotations"),
  "packages/core/src/capture/extract/chosen-options.ts": (module) => ({
    asked: (text) => call(module, "chosenOption", { role: "assistant", content: text }, "the former"),
    askedByUser: (text) => call(module, "chosenOption", { role: "user", content: text }, "the tea"),
    answered: (text) => call(module, "chosenOption", { role: "assistant", content: "Tea or coffee?" }, text),
  }),
  "packages/core/src/capture/extract/without-fiction.ts": only("withoutFiction"),
  "packages/core/src/capture/extract/emoji-answers.ts": only("saidByEmoji"),
  "packages/core/src/capture/extract/role-play.ts": (module) => ({
    playedTurns: (text) => call(module, "playedTurns", [{ turn: 1, role: "user", content: text, at: 0 }]),
    withoutPlay: (text) => call(module, "withoutPlay", text, 0),
    withoutCallingOff: (text) => call(module, "withoutCallingOff", text),
  }),
  "packages/core/src/capture/extract/run-ons.ts": (module) => ({
    withoutRunOns: (text) => call(module, "withoutRunOns", [{ text, start: 0, end: text.length }]),
  }),
  "packages/core/src/capture/extract/rule-tags.ts": only("ruleTags", []),
  "packages/core/src/capture/extract/stated-dates.ts": only("statedStart", 1_800_000_000_000),
  "packages/core/src/capture/extract/stated-ends.ts": only("statedEnd", 1_800_000_000_000),
  "packages/core/src/capture/extract/guests.ts": (module) => ({
    guestsIn: (text) => call(module, "guestsIn", [{ turn: 1, role: "user", content: text, at: 0 }]),
  }),
  "packages/core/src/capture/extract/blank.ts": only("blank"),
  "packages/core/src/capture/extract/harness-briefs.ts": only("withoutBrief"),
  "packages/core/src/capture/extract/confirmed-remedies.ts": (module) => ({
    confirmedRemedy: (text) =>
      call(module, "confirmedRemedy", { turn: {}, said: text }, [{ text: "that fixed it", start: 0, end: 13 }], {
        turn: {},
        before: { turn: 1, content: text },
        company: "team",
      }),
  }),
  "packages/core/src/capture/extract/how-things-work.ts": only("tellsHowThingsWork"),
  "packages/core/src/capture/extract/labelled-lines.ts": (module) => ({
    beginsAsExample: (text) => call(module, "beginsAsExample", text),
    isLabelledRule: (text) => call(module, "isLabelledRule", text),
    tellsOfNobodyNamed: (text) => call(module, "tellsOfNobodyNamed", text),
  }),
  "packages/core/src/capture/extract/left-to-do.ts": only("leftToDo"),
  "packages/core/src/capture/extract/marked-blocks.ts": (module) => ({
    linesOfMarkedBlocks: (text) => call(module, "linesOfMarkedBlocks", text.split("\n")),
  }),
  "packages/core/src/capture/extract/speaking-of-oneself.ts": only("speaksOfOneself"),
  "packages/core/src/capture/extract/words-of-people.ts": (module) => ({
    wordsOfPeople: (text) => {
      const asked = { turn: 1, role: "assistant", content: `${text}\n\`\`\``, at: 0 };
      const reported = { turn: 2, role: "user", content: `Output:\n${text}`, at: 0 };
      const writtenBy = call(module, "wordsOfPeople", [asked, reported]) as (turn: object) => string;
      return writtenBy(reported);
    },
  }),
  "packages/core/src/capture/extract/pasted-letters.ts": (module) => ({
    isOwnText: (text) => call(module, "isOwnText", text),
    pastedLetters: (text) => call(module, "pastedLetters", text.split("\n")),
  }),
  "packages/core/src/capture/extract/pasted-transcripts.ts": (module) => ({
    startOfTranscript: (text) => call(module, "startOfTranscript", text.split("\n")),
  }),
  "packages/core/src/capture/extract/texts-to-work-on.ts": (module) => ({
    withoutTextsToWorkOn: (text) => call(module, "withoutTextsToWorkOn", text, text),
    withoutTextsToWorkOnAsked: (text) =>
      call(module, "withoutTextsToWorkOn", `summarize this:\n${text}`, `summarize this:\n${text}`),
  }),
  "packages/core/src/capture/extract/statements.ts": (module) => ({
    statementsOf: (text) => call(module, "statementsOf", [{ turn: 1, role: "user", content: text, at: 0 }]),
    asked: (text) =>
      call(module, "statementsOf", [
        { turn: 1, role: "assistant", content: `${text}?`, at: 0 },
        { turn: 2, role: "user", content: "On 14 May.", at: 0 },
      ]),
  }),
  "packages/core/src/capture/judge/answered-otherwise.ts": (module) => ({
    namedInstead: (text) => call(module, "namedInstead", "Oat milk as usual?", text),
    namedInsteadWhenAsked: (text) => call(module, "namedInstead", text, "soy"),
  }),
  "packages/core/src/capture/judge/endings.ts": (module) => ({
    endingsOf: (text) => call(module, "endingsOf", text),
    tellsAnotherOf: (text) => call(module, "tellsAnotherOf", text, { topics: new Set(), namedTopics: new Set() }),
  }),
  "packages/core/src/capture/judge/ended-doing.ts": only("endedDoingOf"),
  "packages/core/src/capture/judge/set-aside.ts": only("setAsideIn"),
  "packages/core/src/capture/judge/over-already.ts": (module) => ({
    isOverAlready: (text) => call(module, "isOverAlready", { memory: { text }, facets: { tellsEnd: true } }),
  }),
  "packages/core/src/capture/judge/resumption.ts": only("isTakenUpAgain"),
  "packages/core/src/capture/judge/what-happened.ts": only("withoutWhatCameLater"),
  "packages/core/src/capture/evidence-quotes.ts": (module) => ({
    findCopiedQuote: (text) => call(module, "findCopiedQuote", [{ turn: 1, text }], text.slice(text.length >> 1), 1),
    findQuote: (text) => call(module, "findQuote", [{ turn: 1, text }], text.slice(text.length >> 1), 1),
  }),
  "packages/core/src/history/facts/facts-of.ts": (module) => ({
    factsOf: (text) => call(module, "factsOf", { role: "assistant", content: text }),
    factsOfUser: (text) => call(module, "factsOf", { role: "user", content: text }),
  }),
  "packages/core/src/history/facts/spoken-sentences.ts": only("plainLine"),
  "packages/core/src/history/shortened-arguments.ts": (module) => ({
    shortenedArguments: (text) =>
      call(module, "shortenedArguments", JSON.stringify({ [text]: text, texts: text.split("") }), (one: string) =>
        one.length > 100 ? one.slice(0, 100) : undefined,
      ),
  }),
  "packages/core/src/history/render-summary.ts": (module) => ({
    renderSummary: (text) =>
      call(
        module,
        "renderSummary",
        {
          overview: text,
          keyDecisions: [text],
          currentTaskState: text,
          remainingQuestions: [],
          toolsUsed: [],
          filesModified: [],
        },
        { header: "", escape: (line: string) => line, maxTokens: 4000, count: (line: string) => line.length },
      ),
  }),
  "packages/core/src/history/sayings/says.ts": (module) => ({
    // Kinds that are not so where something else is said, and one of its own.
    sayingsOf: (text) => {
      const says = call(module, "sayingsOf", text) as (kind: string) => unknown;
      return ["decision", "likelyDecision", "settled", "changedAcceptance"].map((kind) => says(kind));
    },
    placeOfDecision: (text) => call(module, "placeOfDecision", text),
  }),
  "packages/core/src/knowledge/check-citations.ts": only("checkCitations", { items: [] }),
  "packages/core/src/layout/parse-layout.ts": (module) => ({
    toml: ignoring((text) => call(module, "parseLayout", text, { format: "toml", file: "x" })),
    json: ignoring((text) => call(module, "parseLayout", text, { format: "json", file: "x" })),
  }),
  "packages/core/src/layout/json-lines.ts": only("jsonLines", 8),
  "packages/core/src/output/conversation-parts.ts": only("inlineImage"),
  "packages/core/src/recall/asking-turns.ts": (module) => ({
    askingShare: (text) =>
      call(module, "askingShare", { text, provenance: { sourceId: "x", kind: "conversation", position: 1 } }),
  }),
  "packages/core/src/recall/follow-up.ts": (module) => ({
    isFollowUp: (text) => call(module, "isFollowUp", text),
    askedTogether: (text) => call(module, "askedTogether", "Why?", [text]),
  }),
  "packages/core/src/recall/known-thing-question.ts": only("asksOfKnownThing"),
  "packages/core/src/recall/left-to-do-question.ts": only("asksWhatIsLeftToDo"),
  "packages/core/src/recall/named-times.ts": only("namedTimes", 1_700_000_000_000),
  "packages/core/src/recall/relative-times.ts": only("relativeTimes", 1_700_000_000_000),
  "packages/core/src/recall/rule-condition.ts": only("ruleCondition"),
  "packages/core/src/recall/said-already.ts": (module) => ({
    saidAlready: (text) =>
      call(module, "saidAlready", { text, provenance: turn }, { query: text, messages: new Set() }),
  }),
  "packages/core/src/recall/said-texts.ts": only("saidText"),
  "packages/core/src/recall/standing-instructions.ts": only("standingInstruction"),
  "packages/core/src/recall/stated-subject.ts": only("statedSubject"),
  "packages/core/src/recall/sub-queries.ts": only("subQueries"),
  "packages/core/src/recall/text-units.ts": only("unitEnds"),
  "packages/core/src/recall/time-question.ts": only("questionTimes", 1_700_000_000_000),
  "packages/core/src/recall/told-change.ts": (module) => ({
    tellsOfChange: (text) => call(module, "tellsOfChange", call(module, "changeWords", text)),
    isPassing: (text) => call(module, "isPassing", call(module, "changeWords", text)),
  }),
  "packages/core/src/recall/unmarked-question.ts": only("isUnmarkedQuestion"),
  "packages/core/src/rendering/closed-fences.ts": only("closedFences", true),
  "packages/core/src/rendering/escape.ts": (module) => ({
    escapeText: (text) => call(module, "escapeText", text),
    escapeAttribute: (text) => call(module, "escapeAttribute", text),
    singleLine: (text) => call(module, "singleLine", text),
    unescapeText: (text) => call(module, "unescapeText", text),
  }),
  "packages/core/src/rendering/format-of-layout.ts": (module) => {
    const sections = [
      { name: "facts", title: "Facts", source: "system", shortening: "never" },
      { name: "said", title: "Said", source: "history", shortening: "history" },
    ];
    interface Format {
      escapeText(text: string, place: string): string;
      completeText(text: string): string;
      findDelimiter(text: string): unknown;
    }
    const formatOf = (rendering: string): Format =>
      call(module, "formatOf", { name: rendering, rendering, sections, memoryForm: "element" }) as Format;
    const reads: Record<string, ReadText> = {};
    for (const rendering of ["xml", "markdown"]) {
      const format = formatOf(rendering);
      reads[`${rendering} line`] = (text) => format.escapeText(text, "line");
      reads[`${rendering} inline`] = (text) => format.escapeText(text, "inline");
      reads[`${rendering} complete`] = (text) => format.completeText(text);
      reads[`${rendering} delimiter`] = (text) => format.findDelimiter(text);
    }
    return reads;
  },
  "packages/core/src/rendering/markdown-blocks.ts": (module) => ({
    line: (text) => call(module, "escapeBlocks", text, true),
    inline: (text) => call(module, "escapeBlocks", text, false),
  }),
  "packages/core/src/rendering/open-blocks.ts": only("closingOfOpenBlock"),
  "packages/domain/src/visible-text.ts": only("visibleText"),
  "packages/core/src/shortening/sentences.ts": (module) => ({
    shortenAtSentence: (text) => {
      const tokensOf = (part: string): number => part.length;
      const counter = { fit: (part: string, room: number) => part.slice(0, room) };
      const room = { counter, maxTokens: text.length >> 1, wholeTokens: text.length, tokensOf };
      return call(module, "shortenAtSentence", text, room);
    },
  }),
  "packages/core/src/text/analyse-text.ts": (module) => ({
    analyseText: (text) => call(module, "analyseText", text),
    analyseQuery: (text) => call(module, "analyseQuery", text),
  }),
  "packages/core/src/text/fold-text.ts": only("foldText"),
  "packages/core/src/tokens/tokenizer.ts": async (module) => {
    interface Counter {
      count(text: string): number;
      fit(text: string, tokens: number): string;
    }
    const names = ["o200k_base", "cl100k_base"];
    const counters = await Promise.all(names.map((name) => call(module, "loadTokenCounter", name) as Promise<Counter>));
    const reads: Record<string, ReadText> = {};
    for (const [index, counter] of counters.entries()) {
      reads[`count ${names[index]}`] = (text) => counter.count(text);
      reads[`fit ${names[index]}`] = (text) => counter.fit(text, text.length >> 3);
    }
    return reads;
  },
  "packages/domain/src/shown-value.ts": (module) => ({ shownText: (text) => call(module, "shownText", text, 100_000) }),
  "packages/domain/src/normal-form.ts": only("normalForm", "NFKC"),
  "packages/domain/src/identifiers.ts": (module) => ({
    checkIdentifier: ignoring((text) => call(module, "checkIdentifier", text, "id")),
    utf8ByteLength: (text) => call(module, "utf8ByteLength", text),
  }),
  "packages/embedding/src/chunk-text.ts": only("chunkText", 512),
  "packages/embedding-model/src/index.ts": (module) => {
    interface Model {
      embed(text: string): unknown;
      understoodShare(text: string): unknown;
    }
    const StaticModel = module["StaticModel"] as unknown as new (table: unknown) => Model;
    const model = new StaticModel(call(module, "loadModelSync"));
    return { embed: (text) => model.embed(text), understoodShare: (text) => model.understoodShare(text) };
  },
  "packages/evaluation/src/expected-memory.ts": (module) => {
    interface Expected {
      isIn(memory: unknown): unknown;
    }
    const ExpectedMemory = module["ExpectedMemory"] as unknown as new (given: string) => Expected;
    const searched = (text: string): unknown => call(module, "searchedMemory", { id: "x", text });
    return {
      searchedMemory: searched,
      isIn: (text) => [new ExpectedMemory(text).isIn(searched("x")), new ExpectedMemory("x y").isIn(searched(text))],
    };
  },
  "packages/file-import/src/split-markdown.ts": only("splitMarkdown"),
  "packages/ledger/src/compared-text.ts": only("comparedText"),
  "packages/language-model/src/parse-json-reply.ts": (module) => ({
    parseJsonReply: ignoring((text) => call(module, "parseJsonReply", text)),
  }),
  "packages/store-pgvector/src/text/stored-words.ts": (module) => ({
    termsOfWords: (text) => call(module, "termsOfWords", text),
    wordOf: (text) => call(module, "wordOf", text),
  }),
};

/** Files that are read through another file's functions. */
export const readThrough: Readonly<Record<string, string>> = {
  "packages/core/src/capture/detection/checked-numbers.ts": "packages/core/src/capture/detection/detect.ts",
  "packages/core/src/capture/detection/folded-text.ts": "packages/core/src/capture/detection/detect.ts",
  "packages/core/src/capture/detection/random-looking.ts": "packages/core/src/capture/detection/detect.ts",
  "packages/core/src/capture/extract/acknowledgements.ts": "packages/core/src/capture/extract/statements.ts",
  "packages/core/src/capture/extract/clause-joints.ts": "packages/core/src/capture/extract/told-to-be-kept.ts",
  "packages/core/src/capture/extract/corrections.ts": "packages/core/src/capture/extract/statements.ts",
  "packages/core/src/capture/extract/company.ts": "packages/core/src/capture/extract/statements.ts",
  "packages/core/src/capture/extract/facts-of-their-own.ts": "packages/core/src/capture/extract/statements.ts",
  "packages/core/src/capture/extract/lead-words.ts": "packages/core/src/capture/extract/statements.ts",
  "packages/core/src/capture/extract/named-people.ts": "packages/core/src/capture/extract/statements.ts",
  "packages/core/src/capture/extract/told-beside-questions.ts": "packages/core/src/capture/extract/statements.ts",
  "packages/core/src/capture/extract/sentences.ts": "packages/core/src/capture/extract/statements.ts",
  "packages/core/src/capture/extract/third-person.ts": "packages/core/src/capture/extract/statements.ts",
  "packages/core/src/rendering/markdown-format.ts": "packages/core/src/rendering/format-of-layout.ts",
  "packages/core/src/rendering/xml-format.ts": "packages/core/src/rendering/format-of-layout.ts",
  "packages/core/src/rendering/control-tokens.ts": "packages/core/src/rendering/escape.ts",
  "packages/core/src/text/scan-terms.ts": "packages/core/src/text/analyse-text.ts",
  "packages/core/src/text/word-terms.ts": "packages/core/src/text/analyse-text.ts",
  "packages/core/src/text/unaccented.ts": "packages/core/src/text/analyse-text.ts",
  "packages/core/src/tokens/byte-pair-counter.ts": "packages/core/src/tokens/tokenizer.ts",
  "packages/core/src/tokens/text-splitter.ts": "packages/core/src/tokens/tokenizer.ts",
  "packages/core/src/tokens/utf8.ts": "packages/core/src/tokens/tokenizer.ts",
  "packages/file-import/src/markdown-blocks.ts": "packages/file-import/src/split-markdown.ts",
  "packages/file-import/src/markdown-table.ts": "packages/file-import/src/split-markdown.ts",
  "packages/embedding-model/src/character-class.ts": "packages/embedding-model/src/index.ts",
  "packages/embedding-model/src/static-model.ts": "packages/embedding-model/src/index.ts",
  "packages/embedding-model/src/word-piece.ts": "packages/embedding-model/src/index.ts",
};

/** Files whose loops and made expressions see nothing that a caller says or stores, and why. */
export const seesNoCaller: Readonly<Record<string, string>> = {
  "packages/core/src/tokens/packed-tokens.ts": "reads tokens that a build has written",
  "packages/core/src/tokens/hugging-face/byte-level-alphabet.ts": "reads tokens of a tokenizer file of the operator",
  "packages/core/src/tokens/hugging-face/split-steps.ts": "translates patterns of a tokenizer file of the operator",
  "packages/core/src/tokens/hugging-face/translate-pattern.ts": "reads patterns of a tokenizer file of the operator",
  "packages/file-import/src/transcripts/import-transcript.ts": "reads the name of a file",
  "packages/loci/src/restore-backup.ts": "reads names of files in a directory of the operator",
  "packages/store-embedded/src/segments/ref-bytes.ts": "reads ids of 36 characters",
};
