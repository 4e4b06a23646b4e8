import type { DroppedCandidate } from "@loci/domain";
import { expect, test } from "vitest";
import { assembleContext, formatReceipt } from "../../src/index.ts";
import { exampleHit, exampleId, exampleInput, recalled } from "./example-input.ts";

function dropped(number: number, fields: Partial<DroppedCandidate> = {}): DroppedCandidate {
  return { id: exampleId(number), reason: "BELOW_RELEVANCE_FLOOR", score: number / 1000, ...fields };
}

test("shows every part of a score, and only the factors that changed it", () => {
  const hit = exampleHit(1, "PostgreSQL 17.", { score: 0.5 });
  const parts = { ...hit.parts, cosine: 0.31, time: 1, frequency: 0.25, stale: 0.5, tagBoost: 1.2, neighbours: 0.12 };
  const receipt = formatReceipt(
    assembleContext(exampleInput({ recall: recalled({ ...hit, parts }, exampleHit(2, "x")) })),
  );
  const [heading = "", ...rows] = receipt.slice(receipt.indexOf("Memory ")).split("\n");
  const names = ["Score", "Rel", "Cos", "Words", "Time", "Rec", "Imp", "Freq", "Stale", "Tags", "Near"];
  expect(heading.split(/\s{2,}/).slice(-names.length)).toEqual(names);
  expect(rows[0]).toMatch(/0\.998\s+0\.90\s+1\.00\s+0\.50\s+0\.70\s+0\.00$/);
  expect(rows[1]).toMatch(
    /0\.500\s+0\.90\s+0\.31\s+1\.00\s+1\.00\s+0\.50\s+0\.70\s+0\.25\s+x0\.50\s+x1\.20\s+\+0\.12$/,
  );
});

test("names memories by what they cite, else by the end of the id, and tells equal citations apart", () => {
  const adr = { sourceId: "ADR-007", kind: "adr" } as const;
  const thread = { sourceId: "conversation:7", kind: "conversation" } as const;
  const hits = [
    exampleHit(1, "a", { provenance: adr }),
    exampleHit(2, "b"),
    exampleHit(3, "c", { provenance: thread }),
    exampleHit(4, "d", { provenance: thread }),
  ];
  const receipt = formatReceipt(assembleContext(exampleInput({ recall: recalled(...hits) })));
  expect(receipt).toMatch(/^ADR-007 {2,}knowledge/m);
  expect(receipt).toMatch(/^…00000002 {2,}knowledge/m);
  expect(receipt).toMatch(/^conversation:7 …00000003 {2,}knowledge/m);
  expect(receipt).toMatch(/^conversation:7 …00000004 {2,}knowledge/m);
});

test("counts what was not recalled by reason and lists the ten best", () => {
  const candidates = [
    ...Array.from({ length: 30 }, (_, index) => dropped(100 + index)),
    dropped(200, { reason: "NEAR_DUPLICATE", inFavourOf: exampleId(1), score: 0.9 }),
    dropped(201, { reason: "EXPIRED", score: undefined }),
  ];
  const recall = {
    ...recalled(exampleHit(1, "a", { provenance: { sourceId: "ADR-1", kind: "adr" } })),
    dropped: candidates,
  };
  const receipt = formatReceipt(assembleContext(exampleInput({ recall })));
  expect(receipt).toContain("Not recalled: 32 (30 BELOW_RELEVANCE_FLOOR, 1 NEAR_DUPLICATE, 1 EXPIRED)");
  const lines = receipt
    .slice(receipt.indexOf("\nNot recalled  ") + 1)
    .trim()
    .split("\n");
  expect(lines[1]).toMatch(/^…00000200 +NEAR_DUPLICATE +ADR-1 +0\.900/);
  expect(lines[2]).toMatch(/^…00000129 +BELOW_RELEVANCE_FLOOR +0\.129/);
  expect(lines).toHaveLength(12);
  expect(lines.at(-1)).toBe("and 22 more");
});

test("what stands in the context whatever the query says is not told of as left out", () => {
  const { hits, ...others } = recalled(exampleHit(1, "prefers tabs", { category: "preference" }));
  const recall = { ...others, hits: [], standing: hits, dropped: [dropped(1), dropped(2)] };
  const receipt = formatReceipt(assembleContext(exampleInput({ recall })));
  expect(receipt).toContain("Not recalled: 1 (1 BELOW_RELEVANCE_FLOOR)");
  expect(receipt.split("…00000001")).toHaveLength(2);
});

test("shows texts only when they are given", () => {
  const secret = "The launch is on the ninth of March, and nobody outside of the team may hear of it before.";
  const context = assembleContext(exampleInput({ recall: recalled(exampleHit(1, secret)) }));
  expect(formatReceipt(context)).not.toContain("launch");
  const shown = formatReceipt(context, { previews: new Map([[exampleId(1), secret]]) });
  expect(shown).toContain("The launch is on the ninth of March, and nobody outside of…");
});

test("puts messages that follow one another and ended the same on one line", () => {
  const messages = Array.from({ length: 40 }, (_, index) => ({
    role: index % 2 === 0 ? ("user" as const) : ("assistant" as const),
    content: `${index} `.repeat(100),
  }));
  const receipt = formatReceipt(assembleContext(exampleInput({ messages })));
  expect(receipt).toMatch(/^messages:0-\d+ +history +dropped +0 +\d,\d{3} +SUMMARIZED$/m);
  expect(receipt).toMatch(/^summary:history +history +kept/m);
  expect(receipt).toMatch(/^messages:\d+-39 +history +kept/m);
});
