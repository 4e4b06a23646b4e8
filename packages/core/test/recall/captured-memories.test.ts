import type { Origin, Provenance } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { rankCandidates } from "../../src/index.ts";
import { placesOfTurns } from "../../src/recall/conversation-turns.ts";
import { memoryOf, rankingOf, type Sketch } from "./candidates.ts";

const turn = (position: number): Provenance => ({ kind: "conversation", sourceId: "conversation:a", position });

/** What is captured of the second turn, between turns that hold the words of the question. */
const sketchesWith = (origin: Origin): readonly Sketch[] => [
  { id: 1, text: "Shall we talk about the kraken of Bergen?", provenance: turn(0) },
  { id: 2, text: "Yes, about the kraken of Bergen.", provenance: turn(2) },
  { id: 3, text: "The user has a boat.", provenance: turn(1), origin },
];

function captured(origin: Origin): { readonly relevance: number; readonly neighbours: number } | undefined {
  const { hits } = rankCandidates(rankingOf("kraken of Bergen", sketchesWith(origin)));
  return hits.find(({ memory }) => memory.text === "The user has a boat.")?.parts;
}

describe("what was made of a conversation is no turn of it", () => {
  test.each<Origin>(["capture", "correction", "post_mortem"])("%s", (origin) => {
    const places = placesOfTurns(sketchesWith(origin).map((sketch) => ({ memory: memoryOf(sketch) })));
    expect(places.map((place) => place?.position)).toEqual([0, 2, undefined]);
    expect(captured(origin)).toBeUndefined();
  });

  test.each<Origin>(["manual", "import"])("but what was said is: %s", (origin) => {
    expect(captured(origin)?.relevance).toBeGreaterThan(0);
    expect(captured(origin)?.neighbours).toBeGreaterThan(0);
  });
});
