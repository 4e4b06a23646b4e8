import fc from "fast-check";
import { expect, test } from "vitest";
import { makeTextPayload } from "../src/text/build-postings.ts";

test("says how often each term stands in each of some rows, however far apart they are", () => {
  fc.assert(
    fc.property(
      fc.array(fc.dictionary(fc.constantFrom("a", "b", "c"), fc.integer({ min: 1, max: 300 })), {
        minLength: 1,
        maxLength: 400,
        size: "max",
      }),
      fc.array(fc.nat(399), { maxLength: 20 }),
      (texts, picked) => {
        const rows = texts.map((terms) => ({ terms: new Map(Object.entries(terms)), length: 1 }));
        const payload = makeTextPayload(rows);
        const asked = Uint32Array.from(picked, (row) => row % rows.length).toSorted();
        // Answers go where the rows stood before they were ordered: here from the last to the first.
        const places = [...asked.keys()].toReversed();
        const terms = ["c", "a", "nowhere", "b"];
        const found = new Float64Array(asked.length * terms.length);
        for (const [offset, term] of terms.entries())
          payload.writeFrequencies(payload.range(term), asked, places, found, offset, terms.length);
        const expected = Array.from(asked)
          .toReversed()
          .flatMap((row) => terms.map((term) => rows[row]!.terms.get(term) ?? 0));
        expect([...found]).toEqual(expected);
      },
    ),
    { seed: 1, numRuns: 300 },
  );
});
