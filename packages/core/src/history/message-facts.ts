import type { ChatMessage, ToolCall } from "@loci/domain";
import { singleLine } from "../rendering/escape.ts";
import { hasImage, messageText } from "./message-text.ts";
import { placeOfDecision, sayingsOf } from "./sayings/says.ts";
import { tellingWords } from "./telling-words.ts";

/** Something worth keeping of a message. */
export interface MessageDecision {
  readonly text: string;
  /** True when the words leave no doubt: `decided`, `agreed`, `let's use`. */
  readonly isPlain: boolean;
  /** True when the user says it: what an assistant says of decisions may be an advice. */
  readonly isOfUser: boolean;
  /** Of one that takes something back: what it is about, so that what it takes back is known. */
  readonly takesBack?: readonly string[] | undefined;
  /** The decision that held before. */
  readonly before?: string | undefined;
}

/** What an extractive summary may say of one message. */
export interface MessageFacts {
  readonly role: ChatMessage["role"];
  /** True when it says something in words. */
  readonly speaks: boolean;
  /** What a user asks, from behind a greeting on: whole sentences, at least one. */
  readonly request: string;
  /** The same with more of what is said behind it. */
  readonly opening: string;
  /** What a user says to take up an offer, such as `yes please`. Empty where nothing is taken up. */
  readonly acceptance: string;
  /** True when a message of the user says nothing but that, or that it was heard. */
  readonly isAnswer: boolean;
  /** Of an assistant, a question that `yes` answers, with the sentence before it where it is short. */
  readonly offer: string;
  readonly decisions: readonly MessageDecision[];
  /** What an assistant says it has done or does next. */
  readonly progress: string;
  /** Sentences that ask. They stay open until the other side speaks. */
  readonly questions: readonly string[];
  /** Sentences that say themselves that something is still open. */
  readonly openPoints: readonly string[];
  /** What the message is about when it says that something is settled; empty when it does not. */
  readonly settled: readonly string[];
  readonly tools: readonly string[];
  readonly files: readonly string[];
}

// More words than these say less and less of what is settled.
const mostSettled = 40;
const longestPoint = 100;
// What a conversation begins with says whom and what it is about.
const longestOpening = 300;
// A shorter question says little without what stands before it: `Shall I?`
const shortQuestion = 50;
// And so do an open point and a change of mind: `Remind me tomorrow.`
export const shortPoint = 25;
const longestRequest = 150;
// Nothing that only takes up an offer is longer.
const longestAnswer = 80;
const mark = "...";
// Beyond this much of one message nothing is looked for: a pasted log holds no decisions.
const longestRead = 20_000;

const changes = /\b(?:creat|modif|updat|edit|add|chang|writ|wrote|renam|delet|remov|sav|patch|fix|refactor)[a-z]*\b/i;
const changingTool = /(?:edit|write|create|update|patch|apply|save|insert|replace|delete|remove|rename|move)/i;
// A path with a folder, or a name with an extension of source code, text or configuration.
const path =
  /(?<![\w./:@-])(?:~?\/|\.{1,2}\/)?(?:[\w@-][\w.@-]{0,80}\/){0,12}[\w@-][\w.@-]{0,80}\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|cpp|cc|c|h|hpp|swift|scala|sh|sql|md|mdx|txt|rst|json|jsonl|ya?ml|toml|ini|cfg|conf|env|lock|html?|s?css|vue|svelte|proto|tf|xml|csv|ipynb|Dockerfile)(?![\w/-])/g;
const markupAtStart = /^(?:[\s*#>+\-–•=|]|_{3,}|`{3,}|~{3,})+/;
// Lines of a file with their numbers, as editors of agents show them: `283:    "must be present"`.
const numberedLine = /^[ \t]*\d+[:|][ \t].*$/gm;
const emphasis = "**";
const sentenceEnd = /(?<=[.!?。！？…][)"'”’]?)\s+|(?<=[。！？])|\n+/;

/**
 * Reads a message for what a summary should say of it. Only users and assistants decide, ask and report; of tools, the
 * calls count and never what they returned. System messages say nothing here: they are not part of the talk.
 */
export function factsOf(message: ChatMessage): MessageFacts {
  const { role, tool_calls: calls = [] } = message;
  const text = role === "user" || role === "assistant" ? spokenText(message) : "";
  const sentences = text === "" ? [] : sentencesOf(text);
  const decisions: MessageDecision[] = [];
  const questions: string[] = [];
  const openPoints: string[] = [];
  const files = calls.flatMap(changedFiles);
  let progress = "";
  let request: number | undefined;
  let acceptance = "";
  let offer = "";
  let isSettled = false;
  // The last sentence that is told by itself.
  let told = -1;
  const isOfUser = role === "user";
  for (const [place, sentence] of sentences.entries()) {
    const says = sayingsOf(sentence);
    const isQuestion = /[?？]["'”’)]?$/.test(sentence);
    const isBrief = sentence.length <= longestAnswer;
    const accepts = !isQuestion && isBrief && says("acceptance");
    if (isOfUser && place === 0 && (accepts || (!isQuestion && isBrief && says("changedAcceptance"))))
      acceptance = sentence;
    if (isOfUser && request === undefined && !accepts && !says("greeting")) request = place;
    if (role === "assistant" && isQuestion && !says("asksWhich"))
      offer = withContext(sentences[place - 1], sentence, shortQuestion);
    if (!isQuestion && says("settled")) isSettled = true;
    // `I'm not sure how` and `tell me whether it still needs the driver` are open until they are answered.
    const isToDo = isOfUser && says("reminder");
    const isOpen = isToDo || says("openPoint");
    if (isQuestion || (isOfUser && says("unsure")) || (isOpen && !isToDo && place === request)) {
      questions.push(point(sentence));
      if (isQuestion || isOpen) told = place;
    } else if (isOpen) {
      openPoints.push(told === place - 1 ? point(sentence) : withContext(sentences[place - 1], sentence, shortPoint));
      told = place;
    }
    // It settles what was said before, and says nothing of it.
    else if (accepts) continue;
    else if (isOfUser && says("takesBack")) decisions.push(takenBack(sentences, place));
    else if (says("decision") || (isOfUser && says("rule")))
      decisions.push({ text: settledPoint(sentence), isPlain: true, isOfUser });
    else if (says("likelyDecision")) decisions.push({ text: settledPoint(sentence), isPlain: false, isOfUser });
    if (role !== "assistant" || isQuestion) continue;
    if (says("progress")) progress = point(sentence);
    const named = Array.from(sentence.matchAll(path), ([found]) => found);
    if (named.length > 0 && says("change")) files.push(...named);
  }
  return {
    role,
    speaks: text !== "" || hasImage(message),
    request: role === "user" ? sentencesWithin(sentences.slice(request ?? 0), longestRequest) : "",
    opening: role === "user" ? sentencesWithin(sentences.slice(request ?? 0), longestOpening) : "",
    acceptance,
    isAnswer: role === "user" && sentences.length > 0 && request === undefined,
    offer,
    decisions,
    progress,
    questions,
    openPoints,
    settled: isSettled ? [...new Set(sentences.flatMap(tellingWords))].slice(0, mostSettled) : [],
    tools: calls.map((call) => point(singleLine(call.function.name))),
    files: [...new Set(files)],
  };
}

/** What stands behind what replaces it. */
const replaced =
  /(?<![\p{L}\p{N}_])(?:instead of|rather than|anstatt|statt|au lieu d|en vez de|en lugar de)(?![\p{L}\p{N}_])(.{1,60})/iu;
/** Where it ends: what comes behind says why. */
const reason = /[,.;:(!]| (?:to|for|because|so|since|um|damit|weil|pour|car|para|porque) /u;

/** A sentence that takes something back. Where it says only `that`, the one before says what. */
function takenBack(sentences: readonly string[], place: number): MessageDecision {
  const sentence = sentences[place] ?? "";
  const [, former] = replaced.exec(sentence) ?? [];
  const about = former?.split(reason, 1)[0];
  const words = (about === undefined ? [sentence, sentences[place - 1] ?? ""] : [about]).flatMap(tellingWords);
  const text = withContext(sentences[place - 1], sentence, shortQuestion);
  return { text, isPlain: former === undefined, isOfUser: true, takesBack: [...new Set(words)] };
}

/** A sentence, with the one before it where it is short. */
function withContext(before: string | undefined, sentence: string, short: number): string {
  const isShort = before !== undefined && sentence.length < short;
  return isShort && before.length + sentence.length < longestRequest
    ? joinSentences(before, sentence)
    : point(sentence);
}

/** One behind the other, the first with a full stop where it has no end. */
export function joinSentences(first: string, second: string): string {
  return `${first}${/[\p{L}\p{N}]$/u.test(first) ? "." : ""} ${second}`;
}

/** Whole sentences, each once and as many as there is room for; at least the first. */
function sentencesWithin(sentences: readonly string[], longest: number): string {
  const [first = "", ...others] = new Set(sentences);
  let text = first.length <= longest ? first : point(first, longestRequest);
  for (const sentence of others) {
    if (text.length + 2 + sentence.length > longest) break;
    text = joinSentences(text, sentence);
  }
  return text;
}

function spokenText(message: ChatMessage): string {
  const text = messageText({ ...message, tool_calls: undefined });
  return text.length > longestRead ? text.slice(0, longestRead).toWellFormed() : text;
}

/** One line each, without the marks of lists, headings and emphasis, and without lines of code. */
function sentencesOf(text: string): readonly string[] {
  const prose = text.includes("```") ? text.replaceAll(/```[^]*?(?:```|$)/g, "\n") : text;
  return prose
    .replaceAll(numberedLine, "")
    .replaceAll(emphasis, "")
    .split(sentenceEnd)
    .map((sentence) => plainLine(sentence))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** On one line that does not begin like a list, a heading, a quotation, a table, a rule or a fence. */
export function plainLine(text: string): string {
  return singleLine(text).replace(markupAtStart, "").trim();
}

/** A decision on its way into a summary. Of a long sentence the clause that decides begins it, not what it is for. */
function settledPoint(sentence: string): string {
  if (sentence.length <= longestPoint) return sentence;
  const place = placeOfDecision(sentence);
  const clause = Math.max(...[", ", "; ", ": ", " – "].map((end) => sentence.lastIndexOf(end, place)));
  return clause < shortPoint ? point(sentence) : point(`${mark} ${sentence.slice(clause + 1).trim()}`);
}

/** At most so many UTF-16 units, cut behind a word where there is one. */
function point(sentence: string, longest: number = longestPoint): string {
  if (sentence.length <= longest) return sentence;
  const cut = sentence
    .slice(0, longest - mark.length)
    .toWellFormed()
    .replace(/\uFFFD$/, "");
  const space = cut.lastIndexOf(" ");
  return `${cut.slice(0, space > longest / 2 ? space : cut.length).trimEnd()}${mark}`;
}

function changedFiles({ function: { name, arguments: given } }: ToolCall): readonly string[] {
  const text = given.slice(0, longestRead);
  // A shell command names its own verb; for other tools their name says whether they change something.
  if (!changingTool.test(name) && !changes.test(text)) return [];
  return Array.from(text.matchAll(path), ([found]) => found);
}
