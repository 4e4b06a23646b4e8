import { LociError, messageSpan } from "@loci/domain";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type Assembly, assembleContext, type AssemblyInput, HistoryCache, TokenCountCache } from "../../src/index.ts";
import { shortenedMessage } from "../../src/history/shortened-message.ts";
import { anyAssembly } from "./any-assembly.ts";
import { sha256 } from "./example-input.ts";
import { chatTokens } from "./framed-tokens.ts";
import { expectedItems } from "./expected-items.ts";
import { messageFates } from "./message-fates.ts";
import { parseContext } from "./parse-context.ts";

/** What an assembly may refuse, because it may not cut it. */
const refusals = ["SECTION_OVER_BUDGET", "WINDOW_TOO_SMALL", "QUERY_TOO_LARGE", "KEPT_MESSAGES_TOO_LARGE"];

const runs = 740;
const assemblies: { readonly input: AssemblyInput; readonly output: Assembly }[] = [];

beforeAll(() => {
  for (const input of fc.sample(anyAssembly(), { numRuns: runs, seed: 20_240_229 })) {
    try {
      assemblies.push({ input, output: assembleContext(input) });
    } catch (error) {
      if (!LociError.is(error) || !refusals.includes(error.reason)) throw error;
    }
  }
});

test("most of them can be assembled", () => {
  expect(assemblies.length).toBeGreaterThanOrEqual(500);
});

describe("each of them", () => {
  test("is within budget as a text, counted whole", () => {
    for (const { input, output } of assemblies) {
      const tokens = input.counter.count(output.text);
      expect(output.usage.totalTokens).toBe(tokens);
      expect(tokens).toBeLessThanOrEqual(output.usage.budgetTokens);
      const { sectionsTokens, queryTokens, growthTokens = 0 } = input.plan;
      const grown = output.usage.budgetTokens - sectionsTokens - queryTokens;
      expect(grown).toBeGreaterThanOrEqual(0);
      expect(grown).toBeLessThanOrEqual(growthTokens);
    }
  });

  test("is within budget as chat messages, counted with their framing", () => {
    for (const { input, output } of assemblies) {
      const tokens = chatTokens(output.messages, (text) => input.counter.count(text));
      expect(output.usage.messagesTokens).toBe(tokens);
      expect(tokens).toBeLessThanOrEqual(output.usage.budgetTokens);
    }
  });

  test("keeps every section within its grant", () => {
    for (const { input, output } of assemblies) {
      const { sections } = output.receipt;
      for (const { name, grantedTokens, usedTokens } of sections) {
        expect(usedTokens).toBeLessThanOrEqual(grantedTokens);
        const blocks = output.sections.filter(
          (block) => block.name === name || (name === "knowledge" && block.name === "procedures"),
        );
        const tokens = blocks.map((block) => input.counter.count(rendered(output, block.name)));
        expect(blocks.map((block) => block.tokens)).toEqual(tokens);
        expect(tokens.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(grantedTokens);
      }
      const granted = sections.reduce((sum, { grantedTokens }) => sum + grantedTokens, 0);
      // Counts of single sections are rounded up each, unless they add up.
      const rounding = input.counter.joinsAtLineStarts === true ? 0 : sections.length + 1;
      expect(granted + output.usage.queryTokens).toBeLessThanOrEqual(output.usage.budgetTokens + rounding);
    }
  });

  test("is the same on a second run, with or without known counts", () => {
    const counts = new TokenCountCache();
    const conversations = new HistoryCache();
    for (const [index, { input, output }] of assemblies.entries()) {
      // Every other one is counted with what the ones before it left in the cache.
      const again = assembleContext(index % 2 === 0 ? { ...input, counts, conversations } : input);
      expect(sha256(JSON.stringify(again))).toBe(sha256(JSON.stringify(output)));
    }
  });

  test("parses back into exactly the items that went in", () => {
    for (const { input, output } of assemblies) {
      const blocks = parseContext(output.text);
      const kept = output.receipt.items.filter(({ outcome }) => outcome !== "dropped");
      for (const block of blocks) {
        const expected = expectedItems(
          block,
          input,
          kept.map(({ id, section }) => ({ id, section })),
          output,
        );
        expect(block.items.map(({ attributes }) => attributes)).toEqual(expected.map(({ attributes }) => attributes));
        for (const [index, { text }] of block.items.entries()) {
          const visible = expected[index]?.text ?? "";
          expect([visible, visible.normalize("NFKC")]).toContain(text);
        }
      }
      const [procedures] = blocks.filter(({ name }) => name === "procedures");
      expect(procedures?.attributes["count"] ?? "0").toBe(String(procedures?.items.length ?? 0));
    }
  });

  test("has the system text as it was given, and the beginning of project and task", () => {
    for (const { input, output } of assemblies) {
      const [system] = parseContext(output.text);
      const said = input.system === undefined || input.system.trim() === "" ? "" : `${input.system}\n\n`;
      expect(system?.given.startsWith(said)).toBe(true);
      expect(system?.given.slice(said.length)).toMatch(
        /^The content of the tags history, knowledge and memory is .*\.$/,
      );
      for (const { name, given } of parseContext(output.text)) {
        if (name !== "project" && name !== "task") continue;
        const whole = input[name] ?? "";
        const { outcome } = output.receipt.items.find(({ id }) => id === `text:${name}`) ?? {};
        const isRight: Readonly<Record<string, boolean>> = {
          kept: given === whole,
          shortened: given.endsWith("...") && whole.startsWith(given.slice(0, -"...".length)),
          dropped: given === "",
        };
        expect(isRight[outcome ?? "dropped"]).toBe(true);
      }
    }
  });

  test("ends with the query, which stands nowhere else", () => {
    for (const { input, output } of assemblies) {
      const query = parseContext(output.text).at(-1);
      expect(query?.name).toBe("query");
      const latest = input.messages.findLastIndex(({ role }) => role === "user");
      const repeats = latest >= 0 && input.messages[latest]?.content === input.query;
      const name = repeats ? input.messages[latest]?.name : undefined;
      const named = name === undefined ? {} : { name };
      expect(output.messages.at(-1)).toEqual({ role: "user", content: input.query, ...named });
      const item = messageFates(output.receipt).get(latest);
      expect(item?.reason === "REPEATS_QUERY").toBe(repeats);
    }
  });

  test("keeps the newest message and the latest of the user, and calls together with their results", () => {
    for (const { input, output } of assemblies) {
      const items = messageFates(output.receipt);
      const said = input.messages.flatMap((_, index) =>
        ["EMPTY", "REPEATS_QUERY"].includes(items.get(index)?.reason ?? "") ? [] : [index],
      );
      const latest = said.findLast((index) => input.messages[index]?.role === "user");
      const outcomeOf = (index: number): string | undefined => items.get(index)?.outcome;
      const mustStay = [said.at(-1), latest].filter((index) => index !== undefined);
      expect(mustStay.map(outcomeOf)).toEqual(mustStay.map(() => "kept"));
      const results = input.messages.flatMap(({ role }, index) => (role === "tool" ? [index] : []));
      const isShown = (index: number): boolean => outcomeOf(index) !== "dropped";
      expect(results.map(isShown)).toEqual(results.map((index) => isShown(index - 1)));
    }
  });

  test("shortens nothing but long results, pasted texts and arguments, and says by how much", () => {
    let found = 0;
    const roles = new Set<string | undefined>();
    for (const { input, output } of assemblies)
      for (const [index, item] of messageFates(output.receipt)) {
        if (item.outcome !== "shortened") continue;
        found++;
        const message = input.messages[index];
        roles.add(message?.role);
        expect(message === undefined ? undefined : shortenedMessage(message)).toBeDefined();
        expect(item.tokens).toBeLessThan(item.wholeTokens);
        const warned = output.warnings.filter(({ reason }) => reason === "TEXT_SHORTENED");
        expect(warned.map(({ section }) => section)).toContain(item.section);
      }
    expect(found).toBeGreaterThan(20);
    expect(roles).toEqual(new Set(["assistant", "tool", "user"]));
  });

  test("accounts for every text, message and memory once", () => {
    for (const { input, output } of assemblies) {
      const ids = output.receipt.items
        .filter(({ kind }) => kind !== "summary")
        .flatMap((item) => {
          const { first, last } = messageSpan(item) ?? { first: 0, last: 0 };
          expect(item.count ?? 1).toBe(last - first + 1);
          if (item.kind !== "message") return [item.id];
          return Array.from({ length: last - first + 1 }, (_, index) => `message:${first + index}`);
        });
      const texts = (["system", "project", "task"] as const).filter((name) => input[name] !== undefined);
      expect(ids.toSorted()).toEqual(
        [
          ...texts.map((name) => `text:${name}`),
          "text:query",
          ...input.messages.map((_, index) => `message:${index}`),
          ...(input.recall?.hits ?? []).map(({ memory }) => memory.id),
        ].toSorted(),
      );
      const { items } = output.receipt;
      const dropped = items.filter(({ outcome }) => outcome === "dropped");
      expect(dropped.every(({ tokens, reason }) => tokens === 0 && reason !== undefined)).toBe(true);
      const kept = items.filter(({ outcome }) => outcome === "kept");
      expect(kept.every(({ tokens, wholeTokens }) => tokens === wholeTokens)).toBe(true);
    }
  });

  test("says how much of it stays the same", () => {
    for (const { input, output } of assemblies) {
      const { stablePrefixHash, stablePrefixLength, stablePrefixTokens, breakpointAfter } = output.cache;
      const prefix = output.text.slice(0, stablePrefixLength);
      expect(stablePrefixHash).toBe(sha256(prefix));
      expect(output.receipt.stablePrefixHash).toBe(stablePrefixHash);
      expect(stablePrefixTokens).toBe(input.counter.count(prefix));
      expect(prefix).not.toContain("<memory ");
      expect(prefix).toContain(breakpointAfter === undefined ? "" : `</${breakpointAfter}>\n\n`);
    }
  });

  test("in mode fill, drops nothing that its unused tokens would hold", () => {
    for (const { input, output } of assemblies.filter(({ input }) => input.mode === "fill")) {
      expect(output.receipt.window.unusedTokens).toBeGreaterThanOrEqual(0);
      const unusedTokens = output.receipt.window.unusedTokens - leftAhead(input, output);
      for (const item of output.receipt.items) {
        if (item.outcome !== "dropped" || item.kind !== "memory") continue;
        const hit = input.recall?.hits.find(({ memory }) => memory.id === item.id);
        // The first procedure brings its tags and their introduction.
        const tags = hit?.memory.category === "procedure" ? 30 : 0;
        expect(item.wholeTokens + tags).toBeGreaterThan(unusedTokens);
      }
      const older = output.receipt.items
        .filter(({ reason }) => reason === "OLDER_THAN_WINDOW" || reason === "SUMMARIZED")
        .at(-1);
      // A result takes its call with it, and of several messages only the newest would have to fit.
      const hasCalls = input.messages.some(({ role }) => role === "tool");
      expect(hasCalls || older === undefined || older.wholeTokens > unusedTokens).toBe(true);
    }
  });
});

/** At most so much of a history with long texts is left free for messages that come. */
function leftAhead({ messages }: AssemblyInput, { receipt }: Assembly): number {
  if (messages.every((message) => shortenedMessage(message) === undefined)) return 0;
  const history = receipt.sections.find(({ name }) => name === "history");
  return (3 / 16) * ((history?.grantedTokens ?? 0) + receipt.window.unusedTokens);
}

function rendered({ text }: Assembly, name: string): string {
  const start = text.search(new RegExp(`^<${name}[ >]`, "m"));
  return text.slice(start, text.indexOf(`</${name}>`, start) + name.length + 3);
}
