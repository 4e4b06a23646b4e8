import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rankCandidates } from "../../src/index.ts";
import { askingShare } from "../../src/recall/asking-turns.ts";
import { isUnmarkedQuestion } from "../../src/recall/unmarked-question.ts";
import { propertyRuns } from "../property-runs.ts";
import { rankingOf, type Sketch } from "./candidates.ts";

describe("a sentence without a question mark asks", () => {
  test.each([
    "what time is it",
    "Where are we sleeping",
    "whats the eircode of the house",
    "who took my good scissors",
    "ok so who has the tent",
    "which hospital",
    "how much",
    "how long does it take",
    "which bed are you in",
    "did anybody talk to the council",
    "are you home",
    "have they rung",
    "do we need chairs",
    "why",
  ])("%s", (sentence) => expect(isUnmarkedQuestion(sentence)).toBe(true));

  test.each([
    "what a nice evening",
    "how lovely",
    "when we have chairs",
    "what we did was easy",
    "who I met there was her brother",
    "do it tomorrow",
    "have that with bread",
    "have two",
    "will do",
    "was lovely",
    "do the dishes",
    "it is late",
    "",
    "☕",
    // Goes on to tell something.
    "can I just, the bakery pulled out, they said that too few people come by, and so I was thinking of the women's group",
  ])("not so: %s", (sentence) => expect(isUnmarkedQuestion(sentence)).toBe(false));

  test("whatever the case of its letters and the white space around it", () => {
    const asked = fc.constantFrom("what time is it", "are you home", "which hospital", "who’s coming");
    const space = fc.string({ unit: fc.constantFrom(" ", "\t", ","), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(asked, space, fc.boolean(), (sentence, around, isUpper) => {
        const said = sentence.replaceAll(" ", around);
        expect(isUnmarkedQuestion(`${around}${isUpper ? said.toUpperCase() : said}${around}`)).toBe(true);
      }),
      { seed: 1, numRuns: propertyRuns(200) },
    );
  });
});

describe("a turn that asks without a mark", () => {
  const turn = (id: number, text: string): Sketch => {
    return {
      id,
      text,
      provenance: { kind: "conversation", sourceId: "conversation:a", position: id, speaker: text.split(":")[0] },
    };
  };
  const shareOf = (text: string): number => askingShare({ origin: "manual", ...turn(1, text) });

  test("asks as much as with one", () => {
    for (const said of ["where is the kraken", "Fine. where is the kraken", "We saw it on the 9th. who else saw it"])
      expect(shareOf(`Mara: ${said}`)).toBeCloseTo(shareOf(`Mara: ${said}?`), 1);
  });

  test("asks with its last sentence only", () => {
    expect(shareOf("Mara: who knows. it is late")).toBe(0);
    expect(shareOf("Mara: it is late. who knows")).toBeGreaterThan(0);
  });

  test("stands behind the turn after it, which answers", () => {
    const input = rankingOf("kraken", [
      turn(1, "Mara: who saw the kraken"),
      turn(2, "Jon: seen the kraken myself"),
      turn(30, "Mara: lunch"),
    ]);
    expect(rankCandidates(input).hits.map(({ memory }) => memory.text)).toEqual([
      "Jon: seen the kraken myself",
      "Mara: who saw the kraken",
    ]);
  });
});
