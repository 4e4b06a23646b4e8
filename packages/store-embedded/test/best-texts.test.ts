import { memoryId } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { HeadRefs } from "../src/segments/head-refs.ts";
import { BestTexts } from "../src/text/best-texts.ts";
import type { TextSource } from "../src/text/text-source.ts";

const refOf = (number: number): ReturnType<typeof memoryId> =>
  memoryId(
    `${String((number * 77_773) % 100_000).padStart(8, "0")}-0000-7000-8000-${String(number).padStart(12, "0")}`,
  );

const sourceOf = (numbers: readonly number[]): TextSource => {
  const refs = new HeadRefs().addNew(numbers.map((number) => ({ ref: refOf(number), version: 1 })));
  return { refs, lengths: [], writeFrequencies: () => undefined };
};

test("the best so many by score, then by ref, whatever was offered when and from where", () => {
  const offered = fc.array(fc.tuple(fc.nat({ max: 6 }), fc.boolean()), { maxLength: 900, size: "max" });
  fc.assert(
    fc.property(offered, fc.integer({ min: 1, max: 300 }), (rows, limit) => {
      const sources = [false, true].map((isSecond) =>
        sourceOf([...rows.keys()].filter((number) => rows[number]?.[1] === isSecond)),
      );
      const best = new BestTexts(limit);
      const used: [number, number] = [0, 0];
      for (const [score, isSecond] of rows) {
        const place = isSecond ? 1 : 0;
        const entry = used[place]++;
        // As searches do: what is below it is none of the best.
        if (score >= best.threshold) best.offer(sources[place] as TextSource, entry, score);
      }
      const { sources: found, entries } = best.sorted();
      const expected = rows
        .map(([score], number) => ({ score, ref: refOf(number) }))
        .toSorted((left, right) => right.score - left.score || (left.ref < right.ref ? -1 : 1))
        .slice(0, limit);
      expect(entries.map((entry, place) => found[place]?.refs.ref(entry))).toEqual(expected.map(({ ref }) => ref));
    }),
  );
});
