import fc from "fast-check";
import { expect, test } from "vitest";
import { captureTurns, type KnownMemory } from "../../src/capture/index.ts";
import { facetsOf } from "../../src/capture/judge/facets.ts";
import { mostAbout } from "../../src/capture/judge/most-about.ts";
import { readMemory } from "../../src/capture/judge/read-memory.ts";
import { closed, memory, turnsOf } from "./captured.ts";

// Of many memories one shares a word with nearly any statement. It is over only where the statement is about no other one more.

/** The memories that are closed among others. Vectors are near where both speak of a parrot or a landlord. */
function closedAmong(texts: readonly string[], ...lines: readonly string[]): readonly string[] {
  const memories = texts.map((text): KnownMemory => memory(text, text));
  const { candidates } = captureTurns({
    turns: turnsOf(...lines),
    scope: "user:ada",
    memories,
    cosineOf: (left, right) => {
      return ["parrot", "landlord"].some((word) => left.includes(word) && right.includes(word)) ? 0.6 : 0.2;
    },
    gates: { duplicate: 0.9, related: 0.6 },
  });
  return candidates.flatMap(({ decision, target }) =>
    (decision === "UPDATE" || decision === "DELETE") && target !== null ? [target] : [],
  );
}

test.each([
  ["The user's parrot Captain eats sunflower seeds.", "The user is captain of the second team."],
  ["The user's landlord is Mr Fenwick.", "The building of the library is open until ten."],
])("what %j is about ends it, and not what shares a word by chance", (meant, byChance) => {
  const others = ["The user drinks oat milk.", "The user works in Ghent.", "The user has a bicycle."];
  const said = meant.includes("parrot")
    ? "user: My parrot Captain has died last week."
    : "user: The building got sold, the landlord is a company called Broadgate Homes now.";
  expect(closedAmong([byChance, meant, ...others], said)).toEqual([meant]);
  expect(closedAmong([...others, meant, byChance], said)).toEqual([meant]);
});

test.each([
  ["After I get home, if I have any energy left.", "user: The colleague who did the invoices left last week."],
  ["The user would pick the same colours.", "user: I've picked up running again."],
  ["Protagonist: only if I let it be.", "user: Legal no longer lets us keep the logs."],
])("%j is not over by %j: what both say is said of anything", (text, said) => {
  expect(closed(memory("m", text), said)).toEqual([]);
});

test("a statement is most about the memory with the rarer words in common", () => {
  const texts = ["The data pipeline is in Dagster.", "The data of May is complete.", "The data of June is late."];
  const read = texts.map((text) => readMemory(memory(text, text)));
  const nearest = mostAbout(facetsOf("The data pipeline moved."), read, () => 0.3);
  expect([...nearest].map(({ memory: { text } }) => text)).toEqual([texts[0]]);
});

test("which memory it is does not depend on their order, and a single one it always is", () => {
  const words = fc.constantFrom(
    ..."kettle harbour violin garden bridge salmon lantern engine pocket meadow".split(" "),
  );
  const texts = fc.uniqueArray(
    fc.array(words, { minLength: 1, maxLength: 4 }).map((each) => `The ${each.join(" ")}.`),
    {
      minLength: 1,
      maxLength: 12,
    },
  );
  fc.assert(
    fc.property(texts, texts, (known, [said = ""]) => {
      const read = known.map((text) => readMemory(memory(text, text)));
      const idsOf = (those: typeof read): readonly string[] =>
        [...mostAbout(facetsOf(said), those, ({ text }) => text.length / 100)]
          .map(({ memory: { id } }) => id)
          .toSorted();
      expect(idsOf(read.toReversed())).toEqual(idsOf(read));
      expect(idsOf(read.slice(0, 1))).toEqual([known[0]]);
    }),
  );
});
