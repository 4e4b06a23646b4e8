import type { ChatMessage, RecallHit } from "@loci/domain";
import { expect } from "vitest";
import { visibleText } from "@loci/domain";
import { type Assembly, type AssemblyInput, unescapeText } from "../../src/index.ts";
import { shortenedMessage, shownEnds } from "../../src/history/shortened-message.ts";
import { singleLine } from "../../src/rendering/escape.ts";
import { messageFates } from "./message-fates.ts";
import type { ParsedBlock } from "./parse-context.ts";

/** What a block of a context must be read back as. */
export interface ExpectedItem {
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The items that went into a block, in its order. @param kept those that the receipt does not call dropped */
export function expectedItems(
  block: ParsedBlock,
  input: AssemblyInput,
  kept: readonly { readonly id: string; readonly section: string }[],
  output: Assembly,
): readonly ExpectedItem[] {
  if (block.name === "query") return [{ attributes: {}, text: visibleText(input.query ?? "") }];
  const section = block.name === "procedures" ? "knowledge" : block.name;
  const ids = kept.filter((item) => item.section === section).map(({ id }) => id);
  if (block.name === "history") {
    const messages = messageFates(output.receipt);
    const first = input.messages.findIndex((_, index) => messages.get(index)?.reason === "SUMMARIZED");
    const positions = ids.filter((id) => id !== "summary:history").map((id) => Number(id.slice("message:".length)));
    const items = positions.map((position) => {
      const message = input.messages[position];
      const isShortened = messages.get(position)?.outcome === "shortened";
      if (message === undefined || !isShortened) return expectedMessage(message);
      return shownForm(message, block);
    });
    const ahead = positions.filter((position) => position < first).length;
    // Where the first of the messages was that it stands for.
    return ids.includes("summary:history") ? items.toSpliced(ahead, 0, expectedSummary(output, ahead)) : items;
  }
  const { hits: given = [], areInOrder = false } = input.recall ?? {};
  const byScore = (left: RecallHit, right: RecallHit): number =>
    right.score - left.score || (left.memory.id < right.memory.id ? -1 : 1);
  const shown = given.filter(({ memory }) => ids.includes(memory.id));
  const hits = areInOrder ? shown : shown.toSorted(byScore);
  const own = hits.filter((hit) => isFollowed(hit) === (block.name === "procedures"));
  return (block.name === "knowledge" ? bySource(own, input) : own).map((hit) => expectedMemory(hit, input));
}

type Dated = Pick<AssemblyInput, "dateZone">;

/** Memories that share source and confidence, and dates and being outdated where they are shown, where the first of them is. */
export function bySource(hits: readonly RecallHit[], input: Dated = {}): readonly RecallHit[] {
  const keyOf = (hit: RecallHit): string =>
    JSON.stringify([
      hit.memory.provenance?.sourceId ?? hit.memory.id,
      hit.memory.confidence,
      wishOf(hit.memory),
      datesOf(hit.memory, input),
      outdatedOf(hit, input),
    ]);
  const order = [...new Set(hits.map((hit) => keyOf(hit)))];
  return hits.toSorted((left, right) => order.indexOf(keyOf(left)) - order.indexOf(keyOf(right)));
}

function isFollowed({ memory: { category, origin, trust } }: RecallHit): boolean {
  return category === "procedure" && trust === "trusted" && ["manual", "correction"].includes(origin);
}

/** Rules that a user told and nobody approved. */
function wishOf({ category, scope, origin, trust }: RecallHit["memory"]): Readonly<Record<string, string>> {
  const isTold = category === "procedure" && scope.kind === "user" && origin === "capture" && trust === "trusted";
  return isTold ? { "wish-of": "user" } : {};
}

/** In UTC. */
function datesOf(
  { createdAt, validFrom, validTo }: RecallHit["memory"],
  { dateZone }: Dated,
): Readonly<Record<string, string>> {
  if (dateZone === undefined) return {};
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
  const since = validFrom === undefined || day(validFrom) === day(createdAt) ? {} : { since: day(validFrom) };
  return { date: day(createdAt), ...since, ...(validTo === undefined ? {} : { until: day(validTo) }) };
}

/** What is said of a memory that is outdated, as it is written behind others. */
export function outdatedNotes(hit: RecallHit, input: Dated): readonly string[] {
  const { outdated } = outdatedOf(hit, input);
  if (outdated === undefined) return [];
  return [outdated === "true" ? "outdated" : `outdated ${outdated}`];
}

/** In UTC. */
function outdatedOf({ outdated }: RecallHit, { dateZone }: Dated): { readonly outdated?: string } {
  if (outdated === undefined) return {};
  const since = dateZone === undefined ? "" : ` since ${new Date(outdated.since).toISOString().slice(0, 10)}`;
  return { outdated: outdated.isInPart ? `in part${since}` : since.trim() || "true" };
}

function expectedMemory(hit: RecallHit, input: Dated): ExpectedItem {
  const { memory, text } = hit;
  if (isFollowed(hit)) {
    const notes = [...memory.tags, ...outdatedNotes(hit, input)];
    const tags = notes.length === 0 ? "" : ` (${notes.join(", ")})`;
    return { attributes: {}, text: singleLine(text + tags) };
  }
  const source = singleLine(memory.provenance?.sourceId ?? memory.id);
  const hidden = /["<>&[]/.test(source.normalize("NFKC")) && source.normalize("NFKC") !== source;
  // What is certain says nothing of it.
  const confidence = memory.confidence === 1 ? {} : { confidence: memory.confidence.toFixed(2) };
  return {
    attributes: {
      source: hidden ? source.normalize("NFKC") : source,
      ...wishOf(memory),
      ...confidence,
      ...datesOf(memory, input),
      ...outdatedOf(hit, input),
    },
    text: visibleText(text),
  };
}

/** A shortened message as it stands in the block; with the least of it where it stands there in no way. */
function shownForm(message: ChatMessage, { items }: ParsedBlock): ExpectedItem {
  const shown = new Set(items.map(({ text }) => text));
  const forms = shownEnds.map((ends) => expectedMessage(shortenedMessage(message, ends)));
  const form = forms.find(({ text }) => shown.has(text) || shown.has(text.normalize("NFKC")));
  return form ?? expectedMessage(shortenedMessage(message));
}

function expectedMessage(message: ChatMessage | undefined): ExpectedItem {
  const lines =
    typeof message?.content === "string"
      ? [message.content]
      : (message?.content ?? []).map((part) => (part.type === "text" ? part.text : "[image]"));
  const calls = (message?.tool_calls ?? []).map(
    ({ function: { name, arguments: given } }) => `[calls ${name} ${given}]`,
  );
  const text = [...lines, ...calls].filter((line) => line !== "").join("\n");
  return { attributes: { role: message?.role ?? "" }, text: visibleText(text) };
}

/** As in the chat messages, behind the system's and those before it. */
function expectedSummary({ messages }: Assembly, ahead: number): ExpectedItem {
  const { role, content } = messages[1 + ahead] ?? {};
  expect(role).toBe("user");
  const [header = "", ...lines] = (typeof content === "string" ? content : "").split("\n");
  expect(header).toMatch(/^\[Summary of earlier conversation\]:$/);
  return { attributes: { role: "summary" }, text: unescapeText(lines.join("\n")) };
}
