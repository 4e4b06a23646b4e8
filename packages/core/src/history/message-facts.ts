import type { ChatMessage, ToolCall } from "@loci/domain";
import { singleLine } from "../rendering/escape.ts";
import { hasImage, messageText } from "./message-text.ts";
import { says } from "./sayings/says.ts";

/** Something worth keeping of a message. */
export interface MessageDecision {
  readonly text: string;
  /** True when the words leave no doubt: `decided`, `agreed`, `let's use`. */
  readonly isPlain: boolean;
}

/** What an extractive summary may say of one message. */
export interface MessageFacts {
  readonly role: ChatMessage["role"];
  /** True when it says something in words. */
  readonly speaks: boolean;
  /** The first sentence of a request, of a user's message. */
  readonly request: string;
  readonly decisions: readonly MessageDecision[];
  /** What an assistant says it has done or does next. */
  readonly progress: string;
  /** Sentences that ask. They stay open until the other side speaks. */
  readonly questions: readonly string[];
  /** Sentences that say themselves that something is still open. */
  readonly openPoints: readonly string[];
  readonly tools: readonly string[];
  readonly files: readonly string[];
}

const longestPoint = 100;
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
  let request: string | undefined;
  for (const sentence of sentences) {
    const isQuestion = /[?？]["'”’)]?$/.test(sentence);
    if (role === "user" && request === undefined && !says("greeting", sentence)) request = sentence;
    if (isQuestion) questions.push(point(sentence));
    // `Tell me whether it still needs the driver` is open until it is answered.
    else if (says("openPoint", sentence)) (sentence === request ? questions : openPoints).push(point(sentence));
    else if (says("decision", sentence)) decisions.push({ text: point(sentence), isPlain: true });
    else if (says("likelyDecision", sentence)) decisions.push({ text: point(sentence), isPlain: false });
    if (role !== "assistant" || isQuestion) continue;
    if (says("progress", sentence)) progress = point(sentence);
    const named = Array.from(sentence.matchAll(path), ([found]) => found);
    if (named.length > 0 && says("change", sentence)) files.push(...named);
  }
  return {
    role,
    speaks: text !== "" || hasImage(message),
    request: role === "user" ? point(request ?? sentences[0] ?? "") : "",
    decisions,
    progress,
    questions,
    openPoints,
    tools: calls.map((call) => point(singleLine(call.function.name))),
    files: [...new Set(files)],
  };
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
    .split(sentenceEnd)
    .map((sentence) => plainLine(sentence))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** On one line that does not begin like a list, a heading, a quotation, a table, a rule or a fence. */
export function plainLine(text: string): string {
  return singleLine(text).replace(markupAtStart, "").trim();
}

/** At most 100 characters, cut behind a word where there is one. */
function point(sentence: string): string {
  if (sentence.length <= longestPoint) return sentence;
  const cut = sentence
    .slice(0, longestPoint - mark.length)
    .toWellFormed()
    .replace(/\uFFFD$/, "");
  const space = cut.lastIndexOf(" ");
  return `${cut.slice(0, space > longestPoint / 2 ? space : cut.length).trimEnd()}${mark}`;
}

function changedFiles({ function: { name, arguments: given } }: ToolCall): readonly string[] {
  const text = given.slice(0, longestRead);
  // A shell command names its own verb; for other tools their name says whether they change something.
  if (!changingTool.test(name) && !changes.test(text)) return [];
  return Array.from(text.matchAll(path), ([found]) => found);
}
