import { type ChatMessage, type HistoryOptions, messageSpan } from "@loci/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ConversationFit, fitConversation, type FittedConversation } from "../../src/history/fit-conversation.ts";
import { prepareConversation } from "../../src/history/conversation.ts";
import type { MessageUnit } from "../../src/history/conversation-reading.ts";
import { shownEnds } from "../../src/history/shortened-message.ts";
import { unitsOf } from "../../src/history/window.ts";
import { assembleContext, type AssemblyInput, escapeText, planWindow, resolveModel } from "../../src/index.ts";
import { exampleInput, o200k } from "../assembly/example-input.ts";
import { hostileText } from "../rendering/hostile-text.ts";

const said = fc.oneof(
  { weight: 2, arbitrary: hostileText({ wellFormed: true, maxParts: 12 }) },
  {
    weight: 3,
    arbitrary: fc
      .array(
        fc.constantFrom(
          "We decided to use Postgres 15.",
          "I'll add the index.",
          "Which cache should we take?",
          "TODO: write the docs.",
          "Created src/auth/login.ts and fixed the test.",
          "Scrap the cache, we use Redis instead.",
          "Shall I write the docs?",
          "Yes, please.",
          "The docs are done.",
          "The weather is fine and there is nothing else to say about it.",
        ),
        { minLength: 1, maxLength: 6 },
      )
      .map((sentences) => sentences.join(" ")),
  },
);
const longResult = fc
  .tuple(said, fc.integer({ min: 2_100, max: 9_000 }))
  .map(([piece, length]) => `${piece}\n`.repeat(Math.ceil(length / (piece.length + 1))));
const part: fc.Arbitrary<readonly ChatMessage[]> = fc.oneof(
  said.map((content) => [{ role: "user" as const, content }]),
  said.map((content) => [{ role: "assistant" as const, content }]),
  fc
    .oneof({ weight: 2, arbitrary: said }, { weight: 1, arbitrary: longResult })
    .map((content): readonly ChatMessage[] => [
      {
        role: "assistant",
        tool_calls: [{ id: "c", type: "function", function: { name: "edit_file", arguments: '{"path":"a/b.ts"}' } }],
      },
      { role: "tool", tool_call_id: "c", content },
    ]),
);
const conversations = fc.array(part, { minLength: 1, maxLength: 30 }).map((parts) => parts.flat());

function fitOf(messages: readonly ChatMessage[], fields: Partial<ConversationFit> = {}): ConversationFit {
  const count = (text: string): number => o200k.count(text);
  const conversation = prepareConversation(messages, "something else", { count, format: { escapeText } });
  return {
    conversation,
    strategy: "summary",
    mostUnits: conversation.length,
    form: "roles",
    escape: escapeText,
    countSummary: count,
    wholeSummaries: new Map(),
    summaryLines: new Map(),
    ...fields,
  };
}

/** All units of a conversation, oldest first. */
function allUnits({ conversation }: ConversationFit): readonly MessageUnit[] {
  return unitsOf(conversation, { from: 0, before: [] });
}

function unitTokens({ conversation }: ConversationFit, { kept }: FittedConversation): number {
  return unitsOf(conversation, kept).reduce((sum, { tokens }) => sum + tokens, 0);
}

/** At most so much is left free for messages that come: nothing where no text is long. */
function leftAhead(fit: ConversationFit, maxTokens: number): number {
  return allUnits(fit).some(({ tokens, leastTokens }) => leastTokens < tokens) ? (3 / 16) * maxTokens : 0;
}

/** Positions of the units that are kept, whole or not. */
function keptPositions({ conversation }: ConversationFit, { kept }: FittedConversation): readonly number[] {
  const behind = Array.from({ length: conversation.length - kept.from }, (_, place) => kept.from + place);
  return [...kept.before, ...behind];
}

describe("500 random conversations", () => {
  const cases = fc.record({
    messages: conversations,
    maxTokens: fc.oneof(fc.nat({ max: 1500 }), fc.nat({ max: 6_000 })),
    mostUnits: fc.option(fc.nat({ max: 10 })),
  });

  function check(
    strategy: "summary" | "window",
    property: (fit: ConversationFit, result: FittedConversation, maxTokens: number) => void,
  ) {
    fc.assert(
      fc.property(cases, ({ messages, maxTokens, mostUnits }) => {
        const fit = fitOf(messages, { strategy, ...(mostUnits === null ? {} : { mostUnits }) });
        property(fit, fitConversation(fit, maxTokens), maxTokens);
      }),
      { numRuns: 500, seed: 77 },
    );
  }

  test("take no more than they may, beyond what must stay", () => {
    for (const strategy of ["summary", "window"] as const)
      check(strategy, (fit, result, maxTokens) => {
        const { conversation } = fit;
        const mustStay = conversation.mustStay.map((position) => conversation.unit(position));
        const must = mustStay.reduce((sum, { tokens }) => sum + tokens, 0);
        expect(result.tokens).toBe(unitTokens(fit, result) + (result.summary?.tokens ?? 0));
        expect(result.tokens).toBeLessThanOrEqual(Math.max(maxTokens, must));
        const kept = unitsOf(conversation, result.kept);
        expect(mustStay.every((unit) => kept.includes(unit))).toBe(true);
      });
  });

  test("shorten long texts only where all does not fit, and show as much of each as there is room for", () => {
    let shortenedUnits = 0;
    let inLargerForms = 0;
    for (const strategy of ["summary", "window"] as const)
      check(strategy, (fit, { kept, tokens }, maxTokens) => {
        const { conversation } = fit;
        const { shortened = [] } = kept;
        shortenedUnits += shortened.length;
        for (const { position, ends } of shortened) {
          const unit = conversation.unit(position);
          const shown = conversation.shortened(position, ends).tokens;
          expect(position).toBeGreaterThanOrEqual(kept.from);
          expect(conversation.mustStay).not.toContain(position);
          expect(shown).toBeLessThan(unit.tokens);
          expect(shown).toBeGreaterThanOrEqual(unit.leastTokens);
          if (ends > shownEnds[0]!) inLargerForms++;
          const larger = conversation.shortened(position, 2 * ends).tokens;
          expect(tokens + larger - shown).toBeGreaterThan(maxTokens - leftAhead(fit, maxTokens));
        }
      });
    expect(shortenedUnits).toBeGreaterThan(40);
    expect(inLargerForms).toBeGreaterThan(20);
  });

  test("lose nothing to a long text that could be shortened", () => {
    let gaps = 0;
    for (const strategy of ["summary", "window"] as const)
      check(strategy, (fit, { kept, tokens }, maxTokens) => {
        const { conversation } = fit;
        const window = Math.max(0, conversation.length - fit.mostUnits);
        if (kept.from <= window || tokens > maxTokens) return;
        const dropped = kept.from - 1;
        if (conversation.mustStay.includes(dropped)) return;
        gaps++;
        const free = maxTokens - tokens - leftAhead(fit, maxTokens);
        expect(conversation.unit(dropped).leastTokens).toBeGreaterThan(free);
      });
    expect(gaps).toBeGreaterThan(50);
  });

  test("stay as they are when all fits, without a summary", () => {
    check("summary", (fit, result, maxTokens) => {
      const whole = allUnits(fit).reduce((sum, { tokens }) => sum + tokens, 0);
      expect(fit.conversation.tokens(0, fit.conversation.length)).toBe(whole);
      if (fit.mostUnits < fit.conversation.length || whole > maxTokens) return;
      expect(result).toEqual({ kept: { from: 0, before: [] }, tokens: whole });
    });
  });

  test("keep the newest without a gap, at least what 70% hold, and waste no room for another message", () => {
    check("summary", (fit, result, maxTokens) => {
      const { conversation } = fit;
      const kept = new Set(keptPositions(fit, result));
      const units = Array.from({ length: conversation.length }, (_, position) => position);
      const window = units.slice(Math.max(0, units.length - fit.mostUnits));
      const firstGap = window.findLast((position) => !kept.has(position));
      if (firstGap === undefined) return;
      const before = window.slice(0, window.indexOf(firstGap));
      expect(before.filter((position) => kept.has(position) && !conversation.mustStay.includes(position))).toEqual([]);
      const { leastTokens } = conversation.unit(firstGap);
      const ahead = leftAhead(fit, maxTokens);
      expect(leastTokens).toBeGreaterThan(maxTokens - result.tokens - ahead);
      expect(unitTokens(fit, result) + leastTokens).toBeGreaterThan(Math.floor(0.7 * maxTokens) - ahead);
    });
  });

  test("have a summary of at most 30% and 1,000 tokens", () => {
    let summaries = 0;
    check("summary", (fit, result, maxTokens) => {
      if (result.summary === undefined) return;
      summaries++;
      expect(unitsOf(fit.conversation, result.kept).length).toBeLessThan(fit.conversation.length);
      expect(result.summary.tokens).toBe(o200k.count(result.summary.text));
      expect(result.summary.tokens).toBeLessThanOrEqual(Math.min(1000, Math.floor(0.3 * maxTokens)));
      expect(result.summary.text.split("\n").length).toBeGreaterThan(2);
    });
    expect(summaries).toBeGreaterThan(100);
  });

  test("are summarised behind what a given summary covers", () => {
    const summary = {
      overview: "A.",
      keyDecisions: [],
      currentTaskState: "",
      remainingQuestions: [],
      toolsUsed: [],
      filesModified: [],
    };
    check("summary", (fit, result, maxTokens) => {
      const covered = fitConversation(
        { ...fit, given: { coveredMessages: 0, summary }, wholeSummaries: new Map(), summaryLines: new Map() },
        maxTokens,
      );
      expect(covered.tokens).toBeLessThanOrEqual(Math.max(maxTokens, result.tokens));
    });
  });
});

test("where decisions have no room, the newest has; and with more room all of them have again", () => {
  const messages = Array.from({ length: 12 }, (_, index): ChatMessage[] => [
    { role: "user", content: `We decided on the colour number ${index}.` },
    { role: "assistant", content: "word ".repeat(40) },
  ]).flat();
  const fit = fitOf(messages, { mostUnits: 1 });
  const small = fitConversation(fit, 250).summary;
  expect(small?.text).toMatch(/number 10\./);
  expect(small?.text).not.toMatch(/number 6\./);
  const large = fitConversation(fit, 2_000).summary;
  expect(large?.text.match(/^- We decided/gm)).toHaveLength(8);
  expect(large).toEqual(fitConversation(fitOf(messages, { mostUnits: 1 }), 2_000).summary);
});

describe("a conversation in a context", () => {
  const messages: readonly ChatMessage[] = Array.from({ length: 12 }, (_, turn): readonly ChatMessage[] => [
    { role: "user", content: `Question ${turn}. ${"word ".repeat(20)}` },
    { role: "assistant", content: `We decided on ${turn}.` },
  ]).flat();

  function assembled(history: HistoryOptions, fields: Partial<AssemblyInput> = {}) {
    const overrides = { sections: { history: 300 }, scaleTo: 1500 };
    const plan = planWindow({ resolved: resolveModel(undefined), overrides });
    return assembleContext(exampleInput({ plan, messages, history, ...fields }));
  }

  test("may show the numbers of turns", () => {
    const { text, messages: turns } = assembled({ turnNumbers: true, lastTurns: 2 });
    expect(text).toMatch(
      /<history>\n\[Summary of turns 1-10\]:\n\*\*Context Summary:\*\*\nIt began with: Question 0\. word /,
    );
    expect(text).toMatch(
      /\n\[Turn 11\] User: Question 10\. [^]*\n\[Turn 11\] Assistant: We decided on 10\.\n\[Turn 12\] User: /,
    );
    expect(turns[1]?.role).toBe("user");
    expect(turns.slice(2, 4)).toEqual(messages.slice(20, 22));
  });

  test("has its summary where the messages were that it stands for: a task from the beginning comes before it", () => {
    const work = Array.from({ length: 20 }, (_, step): ChatMessage => ({
      role: "assistant",
      content: `We decided on ${step}. ${"word ".repeat(20)}`,
    }));
    const task: ChatMessage = { role: "user", content: "Fix the login." };
    const { text, messages: turns } = assembled({ maxTokens: 300 }, { messages: [task, ...work] });
    expect(text).toMatch(
      /<history>\n\[user\]: Fix the login\.\n\[Summary of earlier [^]*\n\[assistant\]: We decided on 19\./,
    );
    expect(turns[1]).toEqual(task);
    expect(turns[2]).toMatchObject({ role: "user", content: expect.stringMatching(/^\[Summary of/) as string });
  });

  test("shows no more turns than it may, and no more tokens", () => {
    const receipt = (history: HistoryOptions) =>
      assembled(history).receipt.items.filter(({ kind }) => kind === "message");
    const kept = (history: HistoryOptions) =>
      receipt(history).flatMap((item) => (item.outcome === "kept" ? [messageSpan(item)?.first] : []));
    expect(kept({ lastTurns: 1, strategy: "window" })).toEqual([22, 23]);
    expect(kept({ lastTurns: 3 })).toEqual([18, 19, 20, 21, 22, 23]);
    const reasons = new Set(receipt({ strategy: "window", maxTokens: 100 }).map(({ reason }) => reason));
    expect(reasons).toEqual(new Set(["OLDER_THAN_WINDOW", undefined]));
    for (const strategy of ["window", "summary"] as const) {
      const { items } = assembled({ strategy, maxTokens: 100 }).receipt;
      const shown = items.filter(({ section, outcome }) => section === "history" && outcome !== "dropped");
      expect(shown.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(100);
    }
  });

  test("stops where not even what must stay fits", () => {
    expect(() => assembled({ maxTokens: 20 })).toThrow(expect.objectContaining({ reason: "HISTORY_TOO_LARGE" }));
    for (const bad of [0, -1, 1.5, Number.NaN]) {
      expect(() => assembled({ maxTokens: bad })).toThrow(expect.objectContaining({ reason: "INVALID_BUDGET" }));
      expect(() => assembled({ lastTurns: bad })).toThrow(expect.objectContaining({ reason: "INVALID_BUDGET" }));
    }
  });

  test("shows a given summary for what it covers, and says itself what came since", () => {
    const summary = {
      overview: "Written by a model.",
      keyDecisions: ["Kept."],
      currentTaskState: "",
      remainingQuestions: [],
      toolsUsed: [],
      filesModified: [],
    };
    const { text, receipt } = assembled({ maxTokens: 250 }, { historySummary: { coveredMessages: 6, summary } });
    expect(text).toContain("Written by a model.\n**Key Decisions:**\n- Kept.\n- We decided on 6.\n");
    expect(text).not.toContain("We decided on 2.");
    expect(receipt.items.find(({ kind }) => kind === "summary")).toMatchObject({
      id: "summary:history",
      section: "history",
    });
    const whole = assembled({}, { messages: messages.slice(0, 8), historySummary: { coveredMessages: 6, summary } });
    expect(whole.text).not.toContain("Written by a model.");
  });
});
