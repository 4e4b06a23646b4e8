import { isPlainText, normalForm, visibleText } from "@loci/domain";
import { controlTokenPattern } from "./control-tokens.ts";
import { blockCharacters } from "./markdown-blocks.ts";

/** Tags of contexts and chat templates. Their openers are broken even where another name would be a type argument. */
const structuralTags = (
  "system|project|task|history|knowledge|memory|procedures|archival-memories|query|user|assistant|developer|human|" +
  "tool|tool_use|tool_result|tool_call|function_call|function_calls|invoke"
).split("|");

const roles = "system|developer|user|assistant|tool|function|human|ai";
/** What may stand before a label on its line and shows nothing, or a sign: told by property, so that no space is missed. */
const blank = String.raw`\p{Zs}\t\p{So}`;

// What a context or a chat template is made of, wherever it stands. No two repetitions that take the same characters follow
// each other, and none goes beyond the next bracket: time is linear in the text.
function delimitersWith(tags: readonly string[]): string {
  return [
    String.raw`<(?=[\s/\p{So}]*(?:${tags.join("|")})(?![\p{L}\p{N}]))`,
    String.raw`<(?=[\s\p{So}]*\/[\s/\p{So}]*\p{L})`,
    String.raw`<(?=[!?|｜])`,
    String.raw`(?<=\]\])>`,
    String.raw`\[(?=\s*(?:\/\s*)?(?:INST|SYS|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT)\s*\])`,
    String.raw`(?<=^[${blank}>]*)\[(?=[\s\p{So}]*(?:${roles}|turn|summary|retrieved)\b[^\]\n]{0,100}\])`,
  ].join("|");
}

// Any other opener. Directly after a word the bracket is a type argument or a comparison (`Array<string>`) and stays.
const otherOpener = String.raw`(?<![\p{L}\p{M}\p{N}_$)\]])<(?=[\p{L}_])`;

// Case matters in these: `system:` at the start of a line is YAML, `System:` a forged turn; `Array<S>` is a type.
const exactDelimiters = [
  String.raw`(?<=^[${blank}#>*_]*(?:Human|Assistant|System|HUMAN|USER|ASSISTANT|SYSTEM)[${blank}*_]*):`,
  controlTokenPattern,
].join("|");

const escapableExact = new RegExp(exactDelimiters, "gmu");
const exactDelimiter = new RegExp(exactDelimiters, "mu");
const mayBeStructure = /[<&[\]:>]/;

const references: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "[": "&#91;",
  "]": "&#93;",
  ":": "&#58;",
};
const characters = new Map([
  ...Object.entries(references).map(([character, reference]) => [reference, character] as const),
  ...blockCharacters,
]);
const anyReference = new RegExp([...characters.keys()].join("|"), "g");

/** Makes one text safe. */
export type EscapeText = (text: string) => string;

/**
 * Makes recalled or said text safe to stand inside a section: what could be read as structure is broken by a character
 * reference, everything else (source code, comparisons) stays as it is. Text that only becomes structure under NFKC, such
 * as full-width brackets, is put into that form first.
 *
 * `unescapeText` gives back the visible text. Escape once, and before counting.
 */
export const escapeText: EscapeText = makeEscape([]);

/** {@link escapeText} that also breaks openers of these tags where they directly follow a word. */
export function escapeWithTags(tags: readonly string[]): EscapeText {
  const others = tags.filter((tag) => !structuralTags.includes(tag));
  return others.length === 0 ? escapeText : makeEscape(others);
}

function makeEscape(tags: readonly string[]): EscapeText {
  const delimiters = delimitersWith([...structuralTags, ...tags]);
  // What looks like a character reference has its ampersand escaped, so that unescaping gives back the text and no more.
  const escapable = new RegExp(String.raw`&(?=#?[A-Za-z0-9]+;)|${delimiters}|${otherOpener}`, "gimu");
  const delimiter = new RegExp(delimiters, "imu");
  const escapeStructure = (text: string): string =>
    mayBeStructure.test(text) ? text.replace(escapable, referenceOf).replace(escapableExact, referenceOf) : text;
  return (text) => {
    if (isPlainText(text)) return escapeStructure(text);
    const visible = visibleText(text);
    const escaped = escapeStructure(visible);
    const normalised = normalForm(escaped, "NFKC");
    if (normalised === escaped || !(delimiter.test(normalised) || exactDelimiter.test(normalised))) return escaped;
    return escapeStructure(normalForm(visible, "NFKC"));
  };
}

/** Makes text safe between the double quotes of an attribute, on one line. */
export function escapeAttribute(text: string): string {
  const visible = singleLine(text);
  const normalised = isPlainText(visible) ? visible : normalForm(visible, "NFKC");
  const hidesDelimiter = normalised !== visible && /["<>&[]/.test(normalised);
  return (hidesDelimiter ? normalised : visible).replaceAll(/[&<>"[]/g, referenceOf);
}

/** The visible text with each line break, and the white space around it, as one space. */
export function singleLine(text: string): string {
  const visible = visibleText(text);
  if (!/[\r\n\t]/.test(visible)) return visible;
  return visible
    .split(/[\r\n\t]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}

/** Undoes {@link escapeText} and {@link escapeAttribute}, and what Markdown has escaped besides. */
export function unescapeText(text: string): string {
  return text.replaceAll(anyReference, (reference) => characters.get(reference) ?? reference);
}

function referenceOf(character: string): string {
  return references[character] ?? character;
}
