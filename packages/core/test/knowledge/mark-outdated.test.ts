import type { MemoryId, OutdatedMark } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { markOutdated } from "../../src/index.ts";
import { exampleHit, exampleId } from "../assembly/example-input.ts";

const hits = [0, 1, 2, 3].map((number) => exampleHit(number, `text ${number}`, { score: 1 - number / 10 }));

function replaced(...numbers: readonly number[]): OutdatedMark {
  return { since: 5, isInPart: true, replacedBy: numbers.map(exampleId) };
}

function places(marks: ReadonlyMap<MemoryId, OutdatedMark>, of = hits): readonly string[] {
  return markOutdated(of, marks).map(({ text, outdated }) =>
    outdated === undefined ? text : `${text} until ${outdated.since}`,
  );
}

test("what holds instead comes right before a marked hit, and all else stays where it is", () => {
  const marks = new Map([[exampleId(1), replaced(3)]]);
  expect(places(marks)).toEqual(["text 0", "text 3", "text 1 until 5", "text 2"]);
});

test("it stays where it is when it comes before it or was not found", () => {
  const marks = new Map([[exampleId(2), replaced(0, 7)]]);
  expect(places(marks)).toEqual(["text 0", "text 1", "text 2 until 5", "text 3"]);
});

test("it comes once, before the first of several marked hits", () => {
  const marks = new Map([0, 2].map((number) => [exampleId(number), replaced(3)]));
  expect(places(marks)).toEqual(["text 3", "text 0 until 5", "text 1", "text 2 until 5"]);
});

test("a hit that is over as a whole keeps its mark", () => {
  const whole: OutdatedMark = { since: 9, isInPart: false, replacedBy: [exampleId(0)] };
  const [first] = markOutdated(
    [{ ...exampleHit(1, "a value"), outdated: whole }],
    new Map([[exampleId(1), replaced()]]),
  );
  expect(first?.outdated).toEqual(whole);
});

test("every hit stays, once and as it is but for its mark", () => {
  const numbers = fc.integer({ min: 0, max: 6 });
  const marks = fc.array(fc.tuple(numbers, fc.array(numbers, { maxLength: 3 })), { maxLength: 5 });
  fc.assert(
    fc.property(fc.uniqueArray(numbers), marks, (found, marked) => {
      const given = found.map((number) => exampleHit(number, `text ${number}`));
      const outdated = new Map(marked.map(([number, by]) => [exampleId(number), replaced(...by)]));
      const shown = markOutdated(given, outdated);
      const byId = new Map(shown.map((hit) => [hit.memory.id, hit]));
      expect(shown).toHaveLength(given.length);
      for (const hit of given)
        expect(byId.get(hit.memory.id)).toEqual({
          ...hit,
          ...(outdated.has(hit.memory.id) ? { outdated: outdated.get(hit.memory.id) } : {}),
        });
    }),
  );
});
