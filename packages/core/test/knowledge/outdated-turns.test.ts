import { type MemoryId, type MemoryRecord, memoryId } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { markOutdated, outdatedTurns } from "../../src/index.ts";
import { exampleHit, exampleId } from "../assembly/example-input.ts";

const ids = Array.from({ length: 9 }, (_, number) => memoryId(`019a0000-0000-7000-8000-00000000000${number}`));

type Said = Parameters<typeof outdatedTurns>[0][number];

function said(
  number: number,
  origin: MemoryRecord["origin"],
  fields: Partial<Said> & { position?: number } = {},
): Said {
  const { position = 0, ...others } = fields;
  return {
    id: ids[number] as Said["id"],
    scope: { kind: "user", id: "ann" },
    origin,
    provenance: { sourceId: "conversation:monday", kind: "conversation", position },
    ...others,
  };
}

const turn = said(0, "manual");

test("a turn is outdated since the first end of what was captured of it", () => {
  const captured = [said(1, "capture", { validTo: 30 }), said(2, "capture", { validTo: 20 }), said(3, "capture")];
  expect(outdatedTurns([turn], captured, 30)).toEqual(new Map([[turn.id, { since: 20, by: new Set() }]]));
  const [, , , , , newer, other] = ids;
  const corrected = [
    said(1, "capture", { validTo: 7, supersededBy: newer }),
    said(4, "correction", { validTo: 9, supersededBy: other }),
  ];
  expect(outdatedTurns([turn], corrected, 30)).toEqual(new Map([[turn.id, { since: 7, by: new Set([newer, other]) }]]));
});

test.each<[string, Said]>([
  ["holds still", said(1, "capture")],
  ["ends later", said(1, "capture", { validTo: 31 })],
  ["was not captured", said(1, "manual", { validTo: 20 })],
  ["was said in another turn", said(1, "capture", { validTo: 20, position: 1 })],
  ["was said by somebody else", said(1, "capture", { validTo: 20, scope: { kind: "user", id: "bob" } })],
  [
    "rests on a document",
    said(1, "capture", { validTo: 20, provenance: { sourceId: "conversation:monday", kind: "document", position: 0 } }),
  ],
])("what %s ends nothing that a turn says", (_, other) => {
  expect(outdatedTurns([turn], [other], 30).size).toBe(0);
});

describe("what took the place of something that a turn says", () => {
  const hits = [0, 1, 2, 3].map((number) => exampleHit(number, `text ${number}`, { score: 1 - number / 10 }));
  const places = (marked: ReturnType<typeof markOutdated>): readonly (string | undefined)[] =>
    marked.map(({ text, outdated }) => (outdated === undefined ? text : `${text} until ${outdated.since}`));
  const by = (...numbers: readonly number[]): ReadonlySet<MemoryId> => new Set(numbers.map(exampleId));

  test("comes right before it, and all else stays where it is", () => {
    const outdated = new Map([[exampleId(1), { since: 5, by: by(3) }]]);
    expect(places(markOutdated(hits, outdated))).toEqual(["text 0", "text 3", "text 1 until 5", "text 2"]);
  });

  test("stays where it is when it comes before it or was not found", () => {
    const outdated = new Map([[exampleId(2), { since: 5, by: by(0, 7) }]]);
    expect(places(markOutdated(hits, outdated))).toEqual(["text 0", "text 1", "text 2 until 5", "text 3"]);
  });

  test("comes once, before the first of several turns", () => {
    const over = { since: 5, by: by(3) };
    const outdated = new Map([0, 2].map((number) => [exampleId(number), over]));
    expect(places(markOutdated(hits, outdated))).toEqual(["text 3", "text 0 until 5", "text 1", "text 2 until 5"]);
  });
});

test("only turns are outdated by what was made of them", () => {
  const captured = said(1, "capture", { validTo: 20 });
  expect(outdatedTurns([captured], [captured], 30).size).toBe(0);
});
