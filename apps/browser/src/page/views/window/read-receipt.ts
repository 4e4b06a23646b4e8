import type { ShownItem, ShownSection, ShownWindow } from "./shown-window.ts";

/** Larger ones are no receipts. */
const mostBytes = 16 * 1024 * 1024;

/**
 * Reads a receipt from a file: the JSON of a receipt, or of a context with its receipt, as `loci assemble --json --explain` prints it and as
 * programs write it. A file is anybody's: what has another form than it should is left out, and nothing of it is believed but its numbers and
 * texts.
 *
 * @throws Error that says what is wrong, for people
 */
export async function readReceiptFile(file: File): Promise<ShownWindow> {
  if (file.size > mostBytes) throw new Error("The file is too large for a receipt.");
  return readReceipt(await file.text(), file.name);
}

/** The same from a text. */
export function readReceipt(text: string, title: string): ShownWindow {
  const whole = objectOf(parsed(text));
  const receipt = "receipt" in whole ? objectOf(whole["receipt"]) : whole;
  const sections = listOf(receipt["sections"]);
  if (sections.length === 0) throw new Error("There is no receipt in this file: it has no sections.");
  const window = objectOf(receipt["window"]);
  const texts = new Map(listOf(whole["sections"]).map(({ name, content }) => [textOf(name), textOf(content)]));
  const hasTexts = whole !== receipt;
  return {
    title,
    layout: textOf(receipt["layout"]),
    model: optionalText(receipt["model"]),
    tokenizer: textOf(receipt["tokenizer"]),
    total: numberOf(window["totalTokens"]),
    query: numberOf(window["queryTokens"]),
    response: numberOf(window["responseTokens"]),
    safety: numberOf(window["safetyBufferTokens"]),
    unused: numberOf(window["unusedTokens"]),
    sections: sections.map((section): ShownSection => {
      const name = textOf(section["name"]);
      return {
        name,
        base: numberOf(section["baseTokens"]),
        granted: numberOf(section["grantedTokens"]),
        needed: numberOf(section["neededTokens"]),
        used: numberOf(section["usedTokens"]),
        budget: numberOf(section["budgetTokens"]),
        content: hasTexts ? texts.get(name) : undefined,
      };
    }),
    items: listOf(receipt["items"]).map((item) => readItem(item)),
    stablePrefixHash: textOf(receipt["stablePrefixHash"]),
    stablePrefixTokens: undefined,
    text: hasTexts ? optionalText(whole["text"]) : undefined,
    dropped: [],
  };
}

function readItem(item: Readonly<Record<string, unknown>>): ShownItem {
  const score = item["score"];
  return {
    id: textOf(item["id"]),
    kind: textOf(item["kind"]),
    section: textOf(item["section"]),
    outcome: textOf(item["outcome"]),
    tokens: numberOf(item["tokens"]),
    wholeTokens: numberOf(item["wholeTokens"]),
    reason: optionalText(item["reason"]),
    source: optionalText(item["source"]),
    score: typeof score === "number" && Number.isFinite(score) ? score : undefined,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("The file is not JSON.");
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map((entry) => objectOf(entry)) : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function optionalText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Tokens: whole and not negative. Numbers that could make a bar of no length are none. */
function numberOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.min(value, 1e9) : 0;
}
