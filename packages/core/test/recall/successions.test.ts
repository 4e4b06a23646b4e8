import { cosineOfUnitVectors } from "@loci/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { englishAnalyser } from "../../src/index.ts";
import type { ScoredCandidate } from "../../src/recall/candidate.ts";
import { heldSince, newestOf } from "../../src/recall/newer-first.ts";
import { areOfDifferentThings } from "../../src/recall/stated-subject.ts";
import { isStated } from "../../src/recall/stated-text.ts";
import { latestOf, successions } from "../../src/recall/successions.ts";
import { toldSigns } from "../../src/recall/told-signs.ts";
import { propertyRuns } from "../property-runs.ts";
import { rankingOf } from "./candidates.ts";

const relatedGate = 0.6;
const names = [0];

interface Drawn {
  readonly text: string;
  readonly daysOld: number;
  readonly angle: number | undefined;
  readonly axis: number;
}

function scored(id: number, { text, daysOld, angle, axis }: Drawn): ScoredCandidate {
  const vectors = angle === undefined ? [] : [turned(angle, axis)];
  const [candidate] = rankingOf("Utrecht editor", [{ id, text, daysOld, vectors }]).candidates;
  if (candidate === undefined) throw new Error("There is one.");
  return { id: candidate.memory.id, index: id, candidate, memory: candidate.memory, score: 1, foundBy: "relevance" };
}

/** Of length 1; `angle` turns it from the first axis towards another one. */
function turned(angle: number, axis: number): Float32Array {
  const vector = new Float32Array(96);
  vector[0] = Math.cos(angle);
  vector[axis] = Math.sin(angle);
  return vector;
}

function aboutWords({ memory }: ScoredCandidate): ReadonlySet<string> {
  return toldSigns(memory, englishAnalyser).aboutWords;
}

interface Known {
  readonly kept: readonly ScoredCandidate[];
  readonly closeness: ReadonlyMap<number, number>;
}

function cosineOf({ candidate: left }: ScoredCandidate, { candidate: right }: ScoredCandidate): number {
  const [one, other] = [left.vectors?.[0], right.vectors?.[0]];
  return one === undefined || other === undefined ? 0 : cosineOfUnitVectors(one, other);
}

/** What `successions` says of a pair by itself, with every cosine in full. */
function plainly(older: ScoredCandidate, newer: ScoredCandidate, { kept, closeness }: Known): boolean {
  const holds = ({ candidate }: ScoredCandidate, term: number): boolean => (candidate.frequencies[term] ?? 0) > 0;
  if (names.some((term) => holds(older, term) !== holds(newer, term))) return false;
  const told = [toldSigns(older.memory, englishAnalyser), toldSigns(newer.memory, englishAnalyser)] as const;
  const shared = [...told[0].aboutWords].filter((word) => told[1].aboutWords.has(word));
  const fewer = Math.min(told[0].aboutWords.size, told[1].aboutWords.size);
  const sharesWord = shared.length > 0 && shared.length >= 0.3 * fewer;
  const sharesRareWord =
    sharesWord && shared.some((word) => kept.filter((fact) => aboutWords(fact).has(word)).length <= 4);
  const share = cosineOf(older, newer) / relatedGate;
  const answers = (closeness.get(newer.index) as number) >= 0.6 * (closeness.get(older.index) as number);
  const changes = told[1].tellsOfChange || told[0].isPassing;
  if (!changes && areOfDifferentThings(told[0].subject, told[1].subject)) return false;
  return (answers && (share >= 1 || (share >= 5 / 6 && sharesWord))) || (changes && share >= 1 / 2 && sharesRareWord);
}

const text = fc.constantFrom(
  "I live in Utrecht",
  "I've moved to Groningen",
  "My editor is Vim",
  "I switched from Vim to Zed",
  "Ada is at home this week",
  "Ada is in Rome",
  "The editor of the paper is Ada",
);
/** Angles to the first axis, so that many a pair is at one of the three shares of the gate, or just beside it. */
const atShares = [1 / 2, 5 / 6, 1].map((share) => Math.acos(share * relatedGate));
const angle = fc.oneof(
  fc.constant(undefined),
  fc.constant(0),
  fc.constantFrom(...atShares.flatMap((at) => [0.999 * at, at, 1.001 * at])),
  fc.double({ min: 0, max: 1.5, noNaN: true }),
);
const facts = fc.array(
  fc.tuple(
    fc.record({ text, daysOld: fc.integer({ min: 0, max: 3 }), angle, axis: fc.constantFrom(1, 31, 32, 95) }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  ),
  { minLength: 2, maxLength: 14 },
);

test("what takes the place of what is the same as with every pair compared in full", () => {
  let found = 0;
  fc.assert(
    fc.property(facts, (drawn) => {
      const kept = drawn.map(([fact], id) => scored(id, fact));
      const closeness = new Map(drawn.map(([, close], id) => [id, close]));
      const related = kept.flatMap((older) =>
        kept
          .filter((newer) => heldSince(older.memory) < heldSince(newer.memory))
          .filter((newer) => plainly(older, newer, { kept, closeness }))
          .map((newer) => ({ older, newer, cosine: cosineOf(older, newer) })),
      );
      const isNearest = ({ older, newer, cosine }: (typeof related)[number]): boolean =>
        related.every((other) => other.newer !== newer || other.cosine <= cosine) ||
        related.every((other) => other.older !== older || other.cosine <= cosine);
      const told = related.filter(({ cosine }) => cosine / relatedGate < 1).length > kept.length ? [] : related;
      const expected = new Set(told.filter(isNearest).map(({ older, newer }) => `${older.index} ${newer.index}`));
      const closenessOf = ({ index }: ScoredCandidate): number => closeness.get(index) as number;
      const { pairs, areEvents } = successions(kept, closenessOf, { relatedGate, names });
      expect(areEvents).toBe(related.length > 0 && told.length === 0);
      expect(new Set(pairs.map(([left, right]) => `${left.index} ${right.index}`))).toEqual(expected);
      expect(pairs).toHaveLength(expected.size);
      found += pairs.length;
    }),
    { numRuns: propertyRuns(300) },
  );
  expect(found).toBeGreaterThan(100);
});

test("a note at length is not replaced by a later one that shares a name with it, a short fact is", () => {
  const note =
    "The driver of the label printer was upgraded to 8.6, all parcels of Kestrel leave the hall in time again";
  const later = "Kestrel lost thirty orders in the outage, Carmen agreed to a credit of fifteen percent for October";
  const pairs = (older: string, newer: string): number =>
    successions(
      [
        scored(1, { text: older, daysOld: 9, angle: 0, axis: 1 }),
        scored(2, { text: newer, daysOld: 1, angle: Math.acos(0.55), axis: 1 }),
      ],
      () => 1,
      { relatedGate, names: [] },
    ).pairs.length;
  expect(pairs(note, later)).toBe(0);
  expect(pairs("The printer of Kestrel works", "Kestrel lost the printer")).toBe(1);
});

test("a fact takes the place of what it comes nearest to, and each of several states that of the one before", () => {
  const state = (id: number, text: string, daysOld: number, angle: number): ScoredCandidate =>
    scored(id, { text, daysOld, angle, axis: 1 });
  const replaced = (...kept: readonly ScoredCandidate[]): readonly string[] =>
    successions(kept, () => 1, { relatedGate, names: [] }).pairs.map(
      ([older, newer]) => `${older.index} ${newer.index}`,
    );
  const editor = state(1, "My editor is Vim", 9, 0);
  const font = state(2, "My editor has a large font", 8, 0.9);
  const newEditor = state(3, "My editor is Zed", 2, 0.05);
  expect(replaced(font, newEditor)).toEqual(["2 3"]);
  const beside = replaced(editor, font, newEditor, state(4, "My editor has a small font", 1, 0.95));
  expect(beside).toEqual(expect.arrayContaining(["1 3", "2 4"]));
  expect(beside).not.toContain("2 3");
  const inRow = replaced(editor, state(3, "My editor is Emacs", 5, 0.1), state(4, "My editor is Zed", 1, 0.2));
  expect(inRow).toEqual(["1 3", "3 4"]);
});

test("what is said of another one of a list takes nobody's place, unless it tells of a change", () => {
  const pairs = (newer: string): number =>
    successions(
      [
        scored(1, { text: "The server gamma runs PostgreSQL 15", daysOld: 9, angle: 0, axis: 1 }),
        scored(2, { text: newer, daysOld: 1, angle: 0.05, axis: 1 }),
      ],
      () => 1,
      { relatedGate, names: [] },
    ).pairs.length;
  expect(pairs("The server epsilon runs PostgreSQL 13")).toBe(0);
  expect(pairs("The server gamma runs PostgreSQL 16")).toBe(1);
  expect(pairs("The server epsilon runs PostgreSQL 13 now")).toBe(1);
});

test("a text that the embedder does not understand takes nobody's place", () => {
  const older = scored(1, { text: "My editor is Vim", daysOld: 9, angle: 0, axis: 1 });
  const newer = scored(2, { text: "My editor is Zed now", daysOld: 1, angle: 0.1, axis: 1 });
  const pairs = (understands?: (text: string) => boolean): number =>
    successions([older, newer], () => 1, { relatedGate, names: [], understands }).pairs.length;
  expect(pairs()).toBe(1);
  expect(pairs(() => true)).toBe(1);
  expect(pairs((text) => !text.includes("Zed"))).toBe(0);
});

test.each([
  ["I've moved to Groningen.", true],
  ["Dr. Roy moved to St. Ives. She likes it there.", true],
  ["Kaffee gibt es um drei\u3002", true],
  ["I moved to Groningen!", true],
  ["Thanks! That was lovely.", false],
  ["What inspired it?", false],
  ["\u5f15\u3063\u8d8a\u3057\u305f\uff01\u306d\u3048", false],
  ["We left. We came back. We slept.", true],
  ["We left. We came back. We slept. We left again.", false],
])("%s only states something: %s", (stated, expected) => expect(isStated(stated)).toBe(expected));

test("what was said to somebody takes the place of no fact, and no fact its place", () => {
  const older = scored(1, { text: "I went to a support group", daysOld: 9, angle: 0, axis: 1 });
  const pairs = (newer: string): number =>
    successions([older, scored(2, { text: newer, daysOld: 1, angle: 0.1, axis: 1 })], () => 1, {
      relatedGate,
      names: [],
    }).pairs.length;
  expect(pairs("I left the support group")).toBe(1);
  expect(pairs("I left the support group!")).toBe(1);
  expect(pairs("Yes! I left the support group")).toBe(0);
  expect(pairs("Who left the support group?")).toBe(0);
});

test("of a diary no line takes the place of another, of many states of one thing the newest still stands before", () => {
  // Each is near enough to all others for those that share a word, and not by its vector alone.
  const apart = Math.acos(Math.sqrt(0.85 * relatedGate));
  const days = Array.from({ length: 6 }, (_, day) =>
    scored(day, { text: "We rowed and fished at the lake", daysOld: 9 - day, angle: apart, axis: 1 + day }),
  );
  const diary = successions(days, () => 1, { relatedGate, names: [] });
  expect(diary).toEqual({ pairs: [], areEvents: true });
  const latest = (areEvents: boolean): number => latestOf(days, () => 1, { relatedGate, areEvents }).length;
  expect([latest(false), latest(true)]).toEqual([6, 4]);
  const states = days.map((_, day) =>
    scored(day, { text: `My weight is ${80 + day} kilograms`, daysOld: 9 - day, angle: 0, axis: 1 }),
  );
  const { pairs, areEvents } = successions(states, () => 1, { relatedGate, names: [] });
  expect(areEvents).toBe(false);
  expect(pairs.length).toBeGreaterThanOrEqual(5);
});

test("what matches best and is older stands right behind the newest, however far behind that stood", () => {
  const ordered = [80, 70, 60, 9, 90, 2, 80].map((daysOld, place) =>
    scored(place, { text: `Day ${place}`, daysOld, angle: 0, axis: 1 }),
  );
  const places = (meant: readonly number[]): readonly number[] =>
    newestOf(
      ordered,
      ordered.filter(({ index }) => meant.includes(index)),
    ).map(({ index }) => index);
  expect(places([1, 3, 4, 5])).toEqual([0, 5, 3, 1, 2, 4, 6]);
  expect(places([0, 6])).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(places([5])).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(places([])).toEqual([0, 1, 2, 3, 4, 5, 6]);
});
