// What holds for every context, whatever its layout: written from the format and the documented rules, not from the code.
import type { ChatMessage, ItemReceipt, SectionSource } from "@loci/domain";
import { expect } from "vitest";
import { visibleText } from "@loci/domain";
import { type Assembly, type AssemblyInput, toAiSdk, toAnthropic, unescapeText } from "../../src/index.ts";
import { contentKind, type LayoutSection } from "../../src/layout/layout.ts";
import { singleLine } from "../../src/rendering/escape.ts";
import { formatOf } from "../../src/rendering/format-of-layout.ts";
import { bySource, outdatedNotes } from "../assembly/expected-items.ts";
import { aiSdkTokens, anthropicTokens, chatTokens, type Count } from "../assembly/framed-tokens.ts";
import { messageFates } from "../assembly/message-fates.ts";
import { headingsIn } from "../rendering/markdown-headings.ts";
import { structureIn } from "../rendering/structure-in.ts";

/**
 * Every form of a context, counted with its own framing, is within the budget, by the model's own counter too; and the text
 * of the sections is within the total that a layout has for it.
 */
export function expectWithinBudget(input: AssemblyInput, output: Assembly): void {
  const { counter, checkCounter, provider, layout, plan, query } = input;
  const { totalTokens, messagesTokens, budgetTokens } = output.usage;
  for (const one of checkCounter === undefined ? [counter] : [counter, checkCounter]) {
    const textCount: Count = (text) => one.count(text);
    expect(textCount(output.text)).toBeLessThanOrEqual(budgetTokens);
    expect(chatTokens(output.messages, textCount, provider)).toBeLessThanOrEqual(budgetTokens);
    // Their images are counted by Anthropic's rule.
    if (provider !== "anthropic") continue;
    expect(anthropicTokens(toAnthropic(output), textCount)).toBeLessThanOrEqual(budgetTokens);
    expect(aiSdkTokens(toAiSdk(output), textCount)).toBeLessThanOrEqual(budgetTokens);
  }
  expect(totalTokens).toBe(counter.count(output.text));
  if (layout.totalTokens !== undefined) {
    const opening = layout.rendering === "markdown" ? "\n\n## Query\n" : "\n\n<query>\n";
    // The query may be all there is.
    const end = query === undefined ? Infinity : `\n\n${output.text}`.lastIndexOf(opening) - "\n\n".length;
    const ofSections = output.text.slice(0, Math.max(0, end));
    expect(counter.count(ofSections)).toBeLessThanOrEqual(plan.sectionsTokens);
  }
  expect(messagesTokens).toBe(chatTokens(output.messages, (text) => counter.count(text), provider));
}

/** The text is its blocks and nothing else, and what was recalled or said comes back from them as it went in. */
export function expectParsesBack(input: AssemblyInput, output: Assembly): void {
  const { layout } = input;
  const blocks = [...output.sections, { name: "query", content: queryContent(input, output) }];
  const rendered = blocks.map(({ name, content }) => {
    if (layout.rendering === "markdown") return `## ${titleOf(name, layout.sections)}\n${content}`;
    const opening = new RegExp(`^<${name}(?: count="\\d+")?>\n`, "m").exec(output.text)?.[0] ?? "";
    return `${opening}${content}\n</${name}>`;
  });
  expect(output.text).toBe(rendered.join("\n\n"));
  for (const { name, content } of output.sections) {
    const section = layout.sections.find((one) => one.name === name);
    if (section !== undefined) expectBlock(input, output, section, content);
  }
  // Every section of memories has a block of procedures of its own.
  const procedures = output.sections.filter(({ name }) => name === "procedures");
  const lines = procedures.flatMap(({ content }) => content.split("\n").slice(1));
  expect(lines.map(readBack).toSorted()).toEqual(expectedItems(input, output, undefined).toSorted());
}

/** In `fill` nothing was dropped or shortened that the unused tokens would hold. */
export function expectFilled(input: AssemblyInput, { receipt, sections }: Assembly): void {
  const { unusedTokens } = receipt.window;
  expect(unusedTokens).toBeGreaterThanOrEqual(0);
  for (const item of receipt.items)
    if (item.kind === "memory" && item.outcome === "dropped" && hasPlace(input, item, receipt.items))
      // The first item brings the tags of its block, the first procedure also an introduction.
      expect(item.wholeTokens + 45).toBeGreaterThan(unusedTokens);
  if (input.history?.lastTurns === undefined) {
    const fates = messageFates(receipt);
    const newest = unitsOf(input.messages).findLast((unit) =>
      unit.some((index) => ["OLDER_THAN_WINDOW", "SUMMARIZED"].includes(fates.get(index)?.reason ?? "")),
    );
    const tokens = (newest ?? []).reduce((sum, index) => sum + dearestTokens(input, index), 0);
    if (newest !== undefined) expect(tokens).toBeGreaterThan(unusedTokens);
  }
  for (const section of input.layout.sections) {
    const item = receipt.items.find(({ id }) => id === `text:${section.name}`);
    const whole = givenText(input, section.source);
    if (whole === undefined || item === undefined) continue;
    if (item.outcome === "dropped" && item.reason !== "EMPTY") expect(unusedTokens).toBeLessThan(45);
    if (item.outcome !== "shortened") continue;
    const mark = section.shortening === "characters" ? "... [truncated]" : "...";
    const content = sections.find(({ name }) => name === section.name)?.content ?? "";
    const kept = keptLength(content, whole, mark);
    const more = nextUnit(whole.slice(kept), section.shortening);
    const cost =
      input.counter.count(whole.slice(0, kept) + more + mark) - input.counter.count(whole.slice(0, kept) + mark);
    // Where it stands it may take a token or two more than alone.
    expect(cost + 3).toBeGreaterThan(unusedTokens);
  }
}

function expectBlock(input: AssemblyInput, output: Assembly, section: LayoutSection, content: string): void {
  switch (contentKind(section.source)) {
    case "given":
      expectGiven(input, output, section, content);
      break;
    case "history":
      expectMessages(input, output, section, content);
      break;
    case "memories":
      expectItems(input, output, section, content);
      break;
    case "days":
      expectNoHeading(input, content, true);
  }
}

/** Text of the application, word for word or its beginning; behind it the notice and memories. */
function expectGiven(
  input: AssemblyInput,
  { receipt }: Assembly,
  { name, source, shortening }: LayoutSection,
  content: string,
): void {
  for (const { id, kind, text } of (input.kept ?? []).filter((kept) => kept.source === source)) {
    const item = receipt.items.find((one) => one.id === id && one.section === name);
    expect(item?.kind).toBe(kind);
    if (item?.outcome === "kept") expect(readBack(content)).toContain(visibleText(text.trim()).normalize("NFKC"));
  }
  if (source.startsWith("block:") || source === "turnState") expectNoHeading(input, content, true);
  const whole = givenText(input, source) ?? "";
  const { outcome } = receipt.items.find(({ id }) => id === `text:${name}`) ?? { outcome: "dropped" };
  if (outcome === "kept") expect(content.startsWith(whole)).toBe(true);
  if (outcome !== "shortened") return;
  expect(shortening).not.toBe("never");
  expect(keptLength(content, whole, shortening === "characters" ? "... [truncated]" : "...")).toBeGreaterThanOrEqual(0);
}

/** How much of a text stands in a content, before the mark. */
function keptLength(content: string, whole: string, mark: string): number {
  for (let at = content.indexOf(mark); at >= 0; at = content.indexOf(mark, at + 1))
    if (whole.startsWith(content.slice(0, at)) && !content.slice(at + mark.length).startsWith(".")) return at;
  return -1;
}

/** Every kept message stands in it, oldest first. */
function expectMessages(input: AssemblyInput, { receipt }: Assembly, { name }: LayoutSection, content: string): void {
  expectNoHeading(input, content);
  expect(structureIn(withoutLabels(content))).toEqual([]);
  const said = unescapeText(content).normalize("NFKC");
  let position = 0;
  for (const [index, { section, outcome }] of messageFates(receipt)) {
    if (section !== name || outcome !== "kept") continue;
    const wanted = visibleText(messageText(input.messages[index])).normalize("NFKC");
    const found = said.indexOf(wanted, position);
    expect(found).toBeGreaterThanOrEqual(position);
    position = found + wanted.length;
  }
}

/** What a section says in which there is nothing. */
const saysNothing: ReadonlySet<string> = new Set(["No relevant context found.", "Nothing else was found for this."]);

/** A list's or a block's memories are exactly the kept ones, best first. */
function expectItems(input: AssemblyInput, output: Assembly, { name }: LayoutSection, content: string): void {
  if (saysNothing.has(content)) return;
  expectNoHeading(input, content);
  const isElement = input.layout.memoryForm === "element";
  const element =
    /^<memory(?: source="[^"<>\n]*"(?: wish-of="user")?(?: confidence="[01]\.\d\d")?(?: outdated="[a-z\d -]+")?)?>\n([^]*?)\n<\/memory>$/gm;
  const found = isElement ? Array.from(content.matchAll(element), ([, text = ""]) => text) : content.split("\n");
  for (const item of found) expect(structureIn(item.replace(/^- \[[\w, -]+\] /, ""))).toEqual([]);
  expect(found.map(readBack)).toEqual(expectedItems(input, output, name));
}

function readBack(item: string): string {
  return unescapeText(item).normalize("NFKC");
}

/**
 * The kept memories of a section as they are to be read, best first.
 *
 * @param section without one, procedures to follow, wherever they stand
 */
function expectedItems(input: AssemblyInput, { receipt }: Assembly, section: string | undefined): readonly string[] {
  const { rendering, memoryForm } = input.layout;
  const kept = receipt.items.filter(({ kind, outcome }) => kind === "memory" && outcome !== "dropped");
  const found = (input.recall?.hits ?? [])
    .filter(({ memory }) => kept.some((item) => item.id === memory.id && item.section === (section ?? item.section)))
    .filter(({ memory: { category, trust, origin } }) => {
      const isFollowed = category === "procedure" && trust === "trusted" && ["manual", "correction"].includes(origin);
      return (isFollowed && rendering === "xml") === (section === undefined);
    })
    .toSorted((left, right) => right.score - left.score || (left.memory.id < right.memory.id ? -1 : 1));
  const source = input.layout.sections.find(({ name }) => name === section)?.source;
  const isGrouped = memoryForm === "element" && source !== undefined && contentKind(source) === "memories";
  return (isGrouped ? bySource(found) : found)
    .map((hit) => {
      const { memory, text } = hit;
      const over = outdatedNotes(hit, input);
      const notes = [...memory.tags, ...over];
      if (section === undefined) return `- ${singleLine(notes.length === 0 ? text : `${text} (${notes.join(", ")})`)}`;
      if (memoryForm === "element") return visibleText(text);
      return `- [${[memory.category, ...over].join(", ")}] ${singleLine(text)}`;
    })
    .map((item) => item.normalize("NFKC"));
}

/** Nothing that was recalled or said adds a heading to a Markdown layout. */
function expectNoHeading({ layout }: AssemblyInput, content: string, hasDates = false): void {
  if (layout.rendering !== "markdown") return;
  // A date may be where the text was cut.
  const own = hasDates ? headingsIn(content).filter((heading) => /^### [\d-]*(?:\.\.\.|$)/.test(heading)) : [];
  expect(headingsIn(`## Before\n${content}\n\n## After\nend`)).toEqual(["## Before", ...own, "## After"]);
}

function queryContent({ layout, query }: AssemblyInput, { text }: Assembly): string {
  const opening = layout.rendering === "xml" ? "<query>\n" : "## Query\n";
  // It may be all there is.
  const start = `\n\n${text}`.lastIndexOf(`\n\n${opening}`) + opening.length;
  const content = text.slice(start, layout.rendering === "xml" ? -"\n</query>".length : undefined);
  expect(structureIn(content)).toEqual([]);
  expect(unescapeText(content).normalize("NFKC")).toBe(visibleText(query ?? "").normalize("NFKC"));
  return content;
}

function titleOf(name: string, sections: readonly LayoutSection[]): string {
  return sections.find((section) => section.name === name)?.title ?? "Query";
}

function givenText(input: AssemblyInput, source: SectionSource): string | undefined {
  if (source === "system" || source === "project" || source === "task" || source === "coreMemory") return input[source];
  if (source.startsWith("file:")) return input.files?.files?.[source.slice("file:".length)];
  return source.startsWith("teamFile:") ? input.files?.teamFiles?.[source.slice("teamFile:".length)] : undefined;
}

function messageText(message: ChatMessage | undefined): string {
  const { content, tool_calls: calls = [] } = message ?? {};
  const lines =
    typeof content === "string"
      ? [content]
      : (content ?? []).map((part) => (part.type === "text" ? part.text : "[image]"));
  const called = calls.map(({ function: { name, arguments: given } }) => `[calls ${name} ${given}]`);
  return [...lines, ...called].filter((line) => line !== "").join("\n");
}

/** Without what the layout itself writes before a message or a summary. */
function withoutLabels(content: string): string {
  return content.replaceAll(
    /^\[(?:system|developer|user|assistant|tool|Turn \d+|Summary of (?:earlier conversation|turns? \d+(?:-\d+)?))\](?: (?:System|Developer|User|Assistant|Tool))?:/gm,
    // Not nothing: what is before it and behind it do not belong together.
    "(label)",
  );
}

/** Calls with their results, by position. */
function unitsOf(messages: readonly ChatMessage[]): readonly (readonly number[])[] {
  const units: number[][] = [];
  for (const [index, { role }] of messages.entries()) {
    if (role === "tool") units.at(-1)?.push(index);
    else units.push([index]);
  }
  return units;
}

/** A message in the dearer of its forms, with the longest label it can have. */
function dearestTokens({ messages, counter, provider, layout }: AssemblyInput, index: number): number {
  const message = messages[index] as ChatMessage;
  const count: Count = (text) => counter.count(text);
  const line = `[Turn 10] Assistant: ${formatOf(layout).escapeText(messageText(message), "inline")}\n`;
  return Math.max(chatTokens([message], count, provider), count(line));
}

/** Whether a dropped memory has a section that could take one more of its kind. */
function hasPlace({ layout }: AssemblyInput, item: ItemReceipt, items: readonly ItemReceipt[]): boolean {
  const section = layout.sections.find(({ name }) => name === item.section);
  if (section === undefined || item.reason === "NO_SECTION_LEFT") return false;
  const { maxItems = Infinity, maxProcedures = Infinity } = section;
  const kept = items.filter(
    (one) => one.kind === "memory" && one.section === section.name && one.outcome !== "dropped",
  );
  return kept.length < Math.min(maxItems, maxProcedures);
}

function nextUnit(rest: string, shortening: LayoutSection["shortening"]): string {
  const granularity = shortening === "characters" ? "grapheme" : "sentence";
  const [next] = new Intl.Segmenter("und", { granularity }).segment(rest);
  const line = rest.slice(0, rest.indexOf("\n") + 1) || rest;
  // In a list or a fence a unit is the whole line.
  if (shortening === "characters") return next?.segment ?? "";
  return /^[^\n]*(?:```|~~~|^\s*[-*+•\d])/.test(rest)
    ? rest
    : line.length > (next?.segment.length ?? 0)
      ? line
      : (next?.segment ?? "");
}
