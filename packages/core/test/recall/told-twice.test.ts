import type { Origin, Provenance } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { rankCandidates } from "../../src/index.ts";
import { rankingOf, type Sketch } from "./candidates.ts";

interface Said {
  readonly text: string;
  /** Default `import`: a turn. */
  readonly origin?: Origin;
  readonly at?: number;
  readonly conversation?: string;
  readonly category?: string;
}

/** The texts that have a place, the first one the best. */
function shown(...said: readonly Said[]): readonly string[] {
  const sketches = said.map(({ text, origin = "import", at = 1, conversation = "a", category }, index): Sketch => {
    const provenance: Provenance = {
      kind: "conversation",
      sourceId: `conversation:${conversation}`,
      position: index,
      speaker: "user",
      role: "person",
      createdAt: at,
    };
    return { id: index + 1, text, origin, provenance, cosine: 0.9 - index / 100, ...(category && { category }) };
  });
  const { hits } = rankCandidates(rankingOf("Where do I live?", sketches));
  return hits.map(({ text }) => text);
}

const turn = { text: "user: We moved to Oslo in May, it is lovely here." };
const captured = { text: "The family moved to Oslo in May.", origin: "capture" } as const;

describe("a turn and what was captured of it", () => {
  test("are one where the turn says all of it", () => {
    expect(shown(turn, captured)).toEqual([turn.text]);
  });

  test("are one where what was captured says all of the turn", () => {
    const whole = { text: "user: We moved to Oslo in May!" };
    expect(shown(captured, whole)).toEqual([captured.text]);
    expect(shown(whole, captured)).toEqual([whole.text]);
  });

  test("are two where the second one says more", () => {
    expect(shown(captured, turn).toSorted()).toEqual([captured.text, turn.text].toSorted());
    const dated = { ...captured, text: "The family moved to Oslo in May (2026-05-01)." };
    expect(shown(turn, dated)).toHaveLength(2);
    const denied = { ...captured, text: "The family moved not to Oslo in May." };
    expect(shown(turn, denied)).toHaveLength(2);
  });

  test.each<[string, Partial<Said>]>([
    ["of another time", { at: 2 }],
    ["of another conversation", { conversation: "b" }],
    ["that is a rule", { category: "procedure" }],
    ["that a person wrote", { origin: "manual" }],
  ])("are two: what was captured is one %s", (_, fields) => {
    expect(shown(turn, { ...captured, ...fields })).toHaveLength(2);
  });
});
