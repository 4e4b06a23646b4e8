import { type MemoryRecord, memoryId } from "@loci/domain";
import { expect, test } from "vitest";
import { outdatedTurns } from "../../src/index.ts";

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

test("only turns are outdated by what was made of them", () => {
  const captured = said(1, "capture", { validTo: 20 });
  expect(outdatedTurns([captured], [captured], 30).size).toBe(0);
});
