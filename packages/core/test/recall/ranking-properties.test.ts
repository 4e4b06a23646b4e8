import { type Provenance, sameScope, scopeDistance } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { rankCandidates, type RankingInput, type RecallCandidate } from "../../src/index.ts";
import { rankingOf, scoreAgain, type Sketch } from "./candidates.ts";
import { propertyRuns } from "../property-runs.ts";

const words = ["kraken", "ship", "harbour", "deploy", "dataset", "theme", "lunch"];

const provenance: fc.Arbitrary<Provenance | undefined> = fc.option(
  fc.record({
    kind: fc.constantFrom("conversation", "document"),
    sourceId: fc.constantFrom("one", "two"),
    position: fc.nat(5),
  }),
  { nil: undefined },
);

const sketch = fc
  .record({
    text: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(" ")),
    scope: fc.constantFrom("user:ada", "project:loci", "global"),
    category: fc.constantFrom("fact", "note", "procedure"),
    // Few values, so that equal scores are common.
    daysOld: fc.constantFrom(0, 10),
    importance: fc.constantFrom(0.5, 1),
    cosine: fc.constantFrom(undefined, -0.2, 0.1, 0.5, 0.9),
    slot: fc.constantFrom(undefined, undefined, "theme"),
    angle: fc.constantFrom(undefined, 0, 0.2, 1, 2),
    foundByTag: fc.boolean(),
    provenance,
  })
  .map(({ angle, slot, provenance, cosine, ...rest }): Omit<Sketch, "id"> => ({
    ...rest,
    ...(slot === undefined ? {} : { slot }),
    ...(provenance === undefined ? {} : { provenance }),
    ...(cosine === undefined ? {} : { cosine }),
    ...(angle === undefined ? {} : { vectors: [Float32Array.of(Math.cos(angle), Math.sin(angle))] }),
  }));

const ranking = fc
  .record({
    sketches: fc.array(sketch, { maxLength: 30 }),
    limit: fc.integer({ min: 1, max: 12 }),
    procedureLimit: fc.nat(5),
    maxTokens: fc.integer({ min: 1, max: 40 }),
    maxTokensPerMemory: fc.integer({ min: 1, max: 10 }),
    strategy: fc.constantFrom("union", "cascade"),
    isForCourse: fc.boolean(),
    isForAnswers: fc.boolean(),
  })
  .map(({ sketches, strategy, isForCourse, isForAnswers, ...limits }): RankingInput => {
    const numbered = sketches.map((one, id) => ({ ...one, id }));
    const asked = "Which kraken is in the harbour? Deploy the dataset of the ship.";
    return rankingOf(asked, numbered, { strategy, limits, isForCourse, isForAnswers });
  });

test("the order in which candidates come in changes nothing", () => {
  fc.assert(
    fc.property(
      ranking.chain((input) =>
        fc.tuple(
          fc.constant(input),
          fc.shuffledSubarray([...input.candidates], { minLength: input.candidates.length }),
        ),
      ),
      ([input, candidates]) => {
        expect(rankCandidates({ ...input, candidates })).toEqual(rankCandidates(input));
      },
    ),
    { numRuns: propertyRuns(500) },
  );
});

test("every candidate is a hit or dropped, once, and explaining changes no hit", () => {
  fc.assert(
    fc.property(ranking, (input) => {
      const { hits, dropped } = rankCandidates(input);
      const seen = [...hits.map(({ memory }) => memory.id), ...dropped.map(({ id }) => id)];
      expect(seen.toSorted()).toEqual(input.candidates.map(({ memory }) => memory.id).toSorted());
      expect(rankCandidates({ ...input, explain: false })).toEqual({ hits, dropped: [], unread: [] });
    }),
    { numRuns: propertyRuns(500) },
  );
});

test("reading only the candidates that are asked for gives the same hits as reading all", () => {
  const bounded = ranking.chain((input) =>
    fc.tuple(
      fc.constant(input),
      fc.array(fc.constantFrom(undefined, 0, 0.01, 0.3), {
        minLength: input.candidates.length,
        maxLength: input.candidates.length,
      }),
    ),
  );
  let read = 0;
  let unread = 0;
  fc.assert(
    fc.property(bounded, ([exact, excesses]) => {
      const input = { ...exact, explain: false };
      let candidates = input.candidates.map((candidate, index): RecallCandidate => {
        const excess = excesses[index];
        if (excess === undefined) return candidate;
        const cosines = input.subQueries.map((_, query) => Math.min(1, (candidate.cosines[query] ?? -1) + excess));
        const mayLackVector = candidate.cosines.some((cosine) => cosine === undefined);
        return { ...candidate, cosines, vectors: undefined, isUnread: true, mayLackVector };
      });
      let found = rankCandidates({ ...input, candidates });
      while (found.unread.length > 0) {
        const wanted = new Set(found.unread);
        const isWanted = ({ memory }: RecallCandidate): boolean => wanted.has(memory.id);
        expect(found.hits).toEqual([]);
        expect(candidates.filter(isWanted).every(({ isUnread }) => isUnread === true)).toBe(true);
        candidates = candidates.map((candidate, index) =>
          isWanted(candidate) ? (input.candidates[index] as RecallCandidate) : candidate,
        );
        found = rankCandidates({ ...input, candidates });
      }
      expect(found).toEqual(rankCandidates(input));
      read += candidates.filter(({ isUnread }) => isUnread !== true).length;
      unread += candidates.length;
    }),
    { numRuns: propertyRuns(500) },
  );
  expect(read).toBeLessThan(unread);
});

test("hits are best first but for those that contradict each other, within every limit, and scored by their parts", () => {
  fc.assert(
    fc.property(ranking, (asked) => {
      const input = { ...asked, isForCourse: false };
      const { hits, dropped } = rankCandidates(input);
      const { limits, embedder } = input;
      const key = (index: number): readonly [number, number, string] => {
        const hit = hits[index];
        return hit === undefined ? [0, 0, ""] : [-hit.score, scopeDistance(hit.memory.scope), hit.memory.id];
      };
      // Only values of a slot, and texts of several words, may contradict each other and change places.
      const unmoved = [...hits.entries()].flatMap(([index, { memory }]) =>
        memory.slot === undefined && !memory.text.includes(" ") ? [index] : [],
      );
      expect(unmoved.toSorted((left, right) => compareKeys(key(left), key(right)))).toEqual(unmoved);
      for (const [index, { memory }] of hits.entries()) {
        const values = hits
          .slice(index)
          .filter((other) => memory.slot !== undefined && other.memory.slot === memory.slot);
        for (const value of values) expect(value.memory.createdAt).toBeLessThanOrEqual(memory.createdAt);
      }

      const procedures = hits.filter(({ memory }) => memory.category === "procedure").length;
      expect(procedures).toBeLessThanOrEqual(limits.procedureLimit);
      expect(hits.length - procedures).toBeLessThanOrEqual(limits.limit);
      expect(hits.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(limits.maxTokens);
      for (const hit of hits) {
        expect(hit.tokens).toBeLessThanOrEqual(limits.maxTokensPerMemory);
        expect(hit.tokens).toBe(input.counter.count(hit.text));
        expect(hit.truncated).toBe(hit.text !== hit.memory.text);
        expect(hit.parts.relevance).toBeGreaterThanOrEqual(0);
        expect(hit.parts.relevance).toBeLessThanOrEqual(1);
      }
      for (const { score, parts } of [...hits, ...dropped]) expect(score).toBe(parts && scoreAgain(parts, input));

      const bySource = Map.groupBy(
        hits.filter(({ memory }) => memory.provenance?.kind === "document"),
        ({ memory }) => memory.provenance?.sourceId,
      );
      for (const [, same] of bySource) expect(same.length).toBeLessThanOrEqual(5);
      const claims = hits.map(({ memory: { text } }) => text);
      const isRepeated = (text: string, index: number): boolean => {
        const first = hits[claims.indexOf(text)]?.memory.slot;
        const { slot } = hits[index]?.memory ?? {};
        return claims.indexOf(text) < index && first === slot;
      };
      expect(claims.filter(isRepeated)).toEqual([]);
      for (const { parts } of dropped.filter(({ reason }) => reason === "BELOW_RELEVANCE_FLOOR"))
        expect(0.8 * (parts?.cosine ?? 0)).toBeLessThan(Math.max(embedder.relevanceFloor, embedder.answerFloor));
    }),
    { numRuns: propertyRuns(500) },
  );
});

test("of one slot no farther value stands beside a nearer one", () => {
  fc.assert(
    fc.property(ranking, (input) => {
      const values = rankCandidates(input).hits.flatMap(({ memory }) => (memory.slot === undefined ? [] : [memory]));
      const conflicts = values.flatMap((one) =>
        values.filter((other) => other.text !== one.text && !sameScope(other.scope, one.scope)),
      );
      expect(conflicts).toEqual([]);
    }),
    { numRuns: propertyRuns(500) },
  );
});

test("while another category waits that scores half as much, none has more than half of the places", () => {
  fc.assert(
    fc.property(ranking, (input) => {
      const { hits, dropped } = rankCandidates({ ...input, limits: { ...input.limits, maxTokens: 10_000 } });
      const categories = new Map(input.candidates.map(({ memory }) => [memory.id, memory.category]));
      const half = Math.max(1, Math.floor(input.limits.limit / 2));
      const places = Map.groupBy(
        hits.filter(({ memory }) => memory.category !== "procedure"),
        ({ memory }) => memory.category,
      );
      const waiting = dropped.flatMap(({ id, reason, score }) => {
        const category = categories.get(id) ?? "";
        const hasLess = (places.get(category)?.length ?? 0) < half;
        return reason === "OVER_LIMIT" && category !== "procedure" && hasLess ? [{ category, score }] : [];
      });
      const greedy = [...places].filter(([category, same]) => {
        if (same.length <= half) return false;
        // Newer values of a slot go before better ones, so that which hits are beyond the half is not told by their scores.
        const best = Math.max(...same.map(({ score }) => score));
        return waiting.some((one) => one.category !== category && (one.score ?? 0) >= best / 2);
      });
      expect(greedy).toEqual([]);
    }),
    { numRuns: propertyRuns(500) },
  );
});

function compareKeys(left: readonly [number, number, string], right: readonly [number, number, string]): number {
  for (const [index, value] of left.entries()) {
    const other = right[index] ?? 0;
    if (value !== other) return value < other ? -1 : 1;
  }
  return 0;
}
