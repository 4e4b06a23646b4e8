import { type CapturedTurn, isIdentifier } from "@loci/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { captureTurns } from "../../src/capture/index.ts";
import { propertyRuns } from "../property-runs.ts";
import { capture, memory, outcomes, turnsOf } from "./captured.ts";

test("what is the project's waits for somebody who may approve", () => {
  const input = {
    turns: turnsOf("user: we deploy on Tuesdays and Thursdays"),
    scope: "user:ada",
    projectScope: "project:x",
  };
  const rest = { memories: [], cosineOf: () => 0, gates: { duplicate: 0.9, related: 0.6 } };
  const statesOf = (mayApprove: boolean): readonly unknown[] =>
    captureTurns({ ...input, ...rest, mayApprove }).candidates.map(({ state, scope }) => [state, scope]);
  expect(statesOf(false)).toEqual([["quarantined", "project:x"]]);
  expect(statesOf(true)).toEqual([["active", "project:x"]]);
});

test("for any turns: the same again, places inside the turns, no text over 600 units", () => {
  const said = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 80 }),
    fc
      .array(
        fc.constantFrom("I", "always", "not", "if", "moved", "to", "Oslo", "9:15", ",", "and", "?", ".", "since", '"'),
        { maxLength: 30 },
      )
      .map((words) => words.join(" ")),
  );
  fc.assert(
    fc.property(
      fc.array(fc.record({ role: fc.constantFrom("user", "assistant"), said }), { maxLength: 6 }),
      (lines) => {
        const turns = turnsOf(...lines.map((line) => `${line.role}: ${line.said}`));
        const candidates = capture(turns, [memory("m1", "Lives in Oslo.")]);
        expect(capture(turns, [memory("m1", "Lives in Oslo.")])).toEqual(candidates);
        for (const { text, evidence } of candidates) {
          expect(text.length).toBeLessThanOrEqual(620);
          for (const { turn, start, end } of evidence)
            expect(turns[turn - 1]?.content.slice(start, end).length).toBe(end - start);
        }
      },
    ),
    { numRuns: propertyRuns(200) },
  );
});

test.each(["I live in Oslo since May. ", "???? ", ". ", "i moved, ", '"a b c ', "\u201ca b c "])(
  "256 KB of %j are read in a moment",
  (unit) => {
    const started = process.cpuUsage();
    capture(turnsOf(`user: ${unit.repeat(Math.ceil((256 * 1024) / unit.length))}`), [memory("m1", "Lives in Oslo.")]);
    // Microseconds of processor time: what others do beside it does not count.
    expect(process.cpuUsage(started).user).toBeLessThan(5_000_000);
  },
);

describe("what else a memory says", () => {
  test("a rule has the tools and nouns that it is about as tags", () => {
    const [turn] = turnsOf("user: from now on run the linter before each deployment of the invoices service");
    const [candidate] = capture([{ ...(turn as CapturedTurn), tools: ["Deploy_App"] }]);
    expect(candidate?.tags).toEqual(["deploy_app", "linter", "deployment", "invoices", "service"]);
  });

  test("what is no tag of a caller's is none of a capture's: tools have any name", () => {
    const [turn] = turnsOf("user: from now on run the linter before each deployment of the invoices service");
    const named = ["\u202epmud", "two\nlines", " padded ", "cafe\u0301"];
    const [candidate] = capture([{ ...(turn as CapturedTurn), tools: named }]);
    expect(candidate?.tags.filter((tag) => !isIdentifier(tag))).toEqual([]);
    expect(candidate?.tags).toContain("café");
    expect(candidate?.tags).not.toContain("two\nlines");
  });

  test.each([
    ["I work at Corvid since March", "2026-03-01"],
    ["we use Kafka from 1 June", "2026-06-01"],
    ["I've been a vegan since 2019", "2019-01-01"],
    ["I moved to Ghent last Friday", "2026-03-20"],
    ["we have used Vue since October", "2025-10-01"],
    ["we moved to monthly returns starting January", "2026-01-01"],
    ["we use the new form starting January", "2027-01-01"],
    ["the wedding was moved from June to September", undefined],
    ["we pushed the release back from 1 May to 3 June", undefined],
    ["my flat has an induction hob", undefined],
    ["we meet on Fridays at 9:30", undefined],
  ])("%s: from %s", (said, date) => {
    const [candidate] = capture(turnsOf(`user: ${said}`));
    expect(candidate?.reason).toBeNull();
    expect(candidate?.validFrom).toBe(date === undefined ? null : Date.parse(`${date}T00:00:00Z`));
  });

  test.each([
    ["please always answer in German", "user:ada"],
    ["from now on explain with examples", "user:ada"],
    ["never deploy on a Friday afternoon", "project:hut"],
    ["always answer customers within two days", "project:hut"],
  ])("%s: is of %s", (said, scope) => {
    const { candidates } = captureTurns({
      turns: turnsOf(`user: ${said}`),
      scope: "user:ada",
      projectScope: "project:hut",
      mayApprove: true,
      memories: [],
      cosineOf: () => 0,
      gates: { duplicate: 0.9, related: 0.6 },
    });
    expect(candidates.map((each) => each.scope)).toEqual([scope]);
  });

  test("what is passing by itself is passing whoever does it", () => {
    const said = ["my stomach is growling", "the cat is sitting on my keyboard", "I have a meeting in ten minutes"];
    for (const text of said) expect(outcomes(capture(turnsOf(`user: ${text}`)))).toEqual(["TRANSIENT"]);
  });
});
