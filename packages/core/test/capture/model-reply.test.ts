import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readCandidates, readDecisions, replyLimits } from "../../src/capture/model/read-reply.ts";
import { propertyRuns } from "../property-runs.ts";

const candidate = {
  reasoning: "said so",
  category: "fact",
  text: "The user lives in Oslo.",
  slot: "home",
  value: "Oslo",
  tags: ["home"],
  dates: [{ text: "since May", date: "2026-05-01" }],
  evidence: [{ turn: 1, quote: "I live in Oslo" }],
};
const decision = { reasoning: "moved", candidate: 0, decision: "UPDATE", target: 2, confidence: 0.9 };
const { reasoning: _, ...read } = candidate;
const replyOf = (...candidates: readonly object[]): string => JSON.stringify({ candidates });

test("a reply of the form is read, without its reasoning", () => {
  expect(readCandidates(replyOf(candidate))).toEqual([read]);
  expect(readCandidates(' {"candidates": []} ')).toEqual([]);
  expect(readDecisions(JSON.stringify({ decisions: [decision] }))).toEqual([
    { candidate: 0, decision: "UPDATE", target: 2, confidence: 0.9 },
  ]);
});

describe("refused is", () => {
  const { slot: _slot, ...withoutSlot } = candidate;
  const { reasoning, ...others } = candidate;
  test.each([
    ["prose around it", `Here it is: ${replyOf(candidate)}`],
    ["a fence around it", `\`\`\`json\n${replyOf(candidate)}\n\`\`\``],
    ["what was cut off", replyOf(candidate).slice(0, -3)],
    ["a field of its own", replyOf({ ...candidate, scope: "user:somebody-else" })],
    ["a field that is missing", replyOf(withoutSlot)],
    ["reasoning that comes last", replyOf({ ...others, reasoning })],
    ["another category", replyOf({ ...candidate, category: "secret" })],
    ["a text too long", replyOf({ ...candidate, text: "a".repeat(replyLimits.text + 1) })],
    ["an empty text", replyOf({ ...candidate, text: "  " })],
    ["no evidence", replyOf({ ...candidate, evidence: [] })],
    [
      "too much evidence",
      replyOf({ ...candidate, evidence: [1, 2, 3, 4, 5].map((turn) => ({ turn, quote: "I live in Oslo" })) }),
    ],
    ["a turn that is no number", replyOf({ ...candidate, evidence: [{ turn: "1", quote: "I live" }] })],
    ["a day that is none", replyOf({ ...candidate, dates: [{ text: "May", date: "2026-13-01" }] })],
    ["too many candidates", replyOf(...Array.from({ length: 41 }, () => candidate))],
    ["half a surrogate pair", replyOf({ ...candidate, text: "The \ud800 of it all" })],
    ["a list", JSON.stringify([candidate])],
  ])("%s", (_name, reply) => expect(readCandidates(reply)).toBeUndefined());

  test.each([
    ["a target for ADD", { ...decision, decision: "ADD" }],
    ["none for UPDATE", { ...decision, target: null }],
    ["confidence above 1", { ...decision, confidence: 1.5 }],
    ["an id instead of a number", { ...decision, target: "0190-abc" }],
  ])("a decision with %s", (_name, wrong) =>
    expect(readDecisions(JSON.stringify({ decisions: [wrong] }))).toBeUndefined(),
  );
});

test("of replies that were changed anywhere, only valid candidates get through", () => {
  const original = replyOf(candidate, { ...candidate, slot: null, value: null, dates: [], tags: [] });
  const values = fc.oneof(
    fc.constantFrom(null, true, -1, 1e300, "", "x", [], {}, "__proto__"),
    fc.string({ maxLength: 700 }),
  );
  const paths = fc.constantFrom(
    "category",
    "text",
    "slot",
    "value",
    "tags",
    "dates",
    "evidence",
    "reasoning",
    "scope",
    "trust",
    "id",
  );
  const mutated = fc.oneof(
    fc
      .tuple(fc.nat(original.length), fc.nat(12), fc.string({ maxLength: 12 }))
      .map(([at, count, put]) => original.slice(0, at) + put + original.slice(at + count)),
    fc.tuple(paths, values).map(([path, value]) => replyOf({ ...candidate, [path]: value })),
    fc
      .tuple(paths, values)
      .map(([path, value]) =>
        replyOf({ ...candidate, evidence: [{ turn: 1, quote: "I live in Oslo", [path]: value }] }),
      ),
  );
  let through = 0;
  fc.assert(
    fc.property(mutated, (reply) => {
      for (const each of readCandidates(reply) ?? []) {
        through++;
        expect(Object.keys(each).toSorted()).toEqual(Object.keys(read).toSorted());
        expect(["fact", "preference", "decision", "entity", "procedure"]).toContain(each.category);
        expect(each.text.trim()).not.toBe("");
        expect(each.text.length).toBeLessThanOrEqual(replyLimits.text);
        expect([each.tags.length <= 8, each.evidence.length >= 1, each.evidence.length <= 4]).toEqual([
          true,
          true,
          true,
        ]);
        for (const { turn, quote } of each.evidence)
          expect([Number.isInteger(turn), turn >= 1, quote !== ""]).toEqual([true, true, true]);
      }
    }),
    { numRuns: propertyRuns(10_000) },
  );
  expect(through).toBeGreaterThan(0);
});
