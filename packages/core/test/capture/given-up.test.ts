import { describe, expect, test } from "vitest";
import { givenUpIn } from "../../src/capture/judge/given-up.ts";
import { captureTurns } from "../../src/capture/index.ts";
import { capture, memory, turnsOf } from "./captured.ts";

type Known = readonly [text: string, slot: string | null, value: string | null];

/** What a user's statement does with a memory. */
function decided([text, slot, value]: Known, user: string, assistant = "Fine."): string | null | undefined {
  const candidates = capture(turnsOf(`assistant: ${assistant}`, `user: ${user}`), [memory("p1", text, slot, value)]);
  return candidates.find(({ target, decision }) => target === "p1" && decision !== "NOOP")?.decision ?? null;
}

describe("who names the value that was so replaces it", () => {
  test.each<[known: Known, said: string]>([
    [["There are 60 seats.", "seats", "60"], "Please write to the hall that we are 44 now instead of 60."],
    [["The fee is 310 a month.", "fee", "310"], "fee 330 (was 310)."],
    [["The limit is 500 requests.", null, null], "the limit is 800 requests, it was 500"],
    [["The exam is on 14 June.", "exam date", "14 June"], "they cancelled 14 June, the new date is 5 July"],
    [["Needs a score of 6.5.", "score", "6.5"], "for the master I need a score of 7.0 and not 6.5"],
    [
      ["Takes enalapril for her heart.", "medication", "enalapril"],
      "They took me off the enalapril because of a cough and I take losartan now",
    ],
    [["Nina loves trains.", "interest", "trains"], "Nina loves planes, not trains any more"],
    [["Uses Python 3.11.", null, null], "3.11 isn't right any more, we upgraded to 3.13 in January"],
    [["The party is on Saturday.", null, null], "Saturday is wrong, the party is on Sunday"],
    [["Grandfather was born in 1899.", null, null], "I found grandfather's baptism, it's 1897 and not 1899"],
    [["Prefers calls.", "contact", "calls"], "Please e-mail me, no more calls"],
    [["Practises in the morning.", null, null], "I have late shifts, so I practise at 16:00, not in the morning"],
  ])("%j: %s", (known, said) => expect(decided(known, said)).toBe("UPDATE"));

  test("a word may be cut short", () => {
    const known = ["Nina loves dinosaurs.", "interest", "dinosaurs"] as const;
    expect(decided(known, "planes, not dinos any more, that was last year", "What does she love?")).toBe("UPDATE");
  });

  test.each<[known: Known, said: string]>([
    [["Tom is the team lead.", "team lead", "Tom"], "Ask Sara about invoices, not Tom, he is away."],
    [["The office opens at 8.", null, null], "The library opens at 9, not 8."],
    [["The team meets on Tuesdays.", "meeting day", "Tuesday"], "The bakery delivers on Wednesdays, not Tuesdays"],
    [["There are 60 seats.", "seats", "60"], "The bus takes 44 people instead of 60."],
    [["Works at Corvid.", "job", "Corvid"], "I'll meet him at the station instead of at Corvid."],
    [["Takes enalapril.", "medication", "enalapril"], "They took my father off the enalapril and now it's losartan."],
    [["The team stores sessions in Redis.", null, null], "We have not moved sessions off Redis. Mail went to Kafka."],
    [["Never takes the bus before 8.", null, null], "I leave at 7, not 8"],
    [["Uses Python 3.11.", null, null], "That is right, we use 3.11 and no 3.13"],
    [["Aunt Ida was born in 1899.", null, null], "I found grandfather's baptism, it's 1897 and not 1899"],
  ])("but not where something else is spoken of, %j: %s", (known, said) => expect(decided(known, said)).toBeNull());
});

test.each([
  ["We might be 44 instead of 60.", 0],
  ["I do not drink coffee.", 0],
  ["Not Tuesdays.", 0],
  ["Use pnpm, not npm.", 1],
  ["not 5, 6 ".repeat(60), 4],
])("%s: %i values are given up", (said, count) => expect(givenUpIn(said)).toHaveLength(count));

test("what is given up for another value is no repetition, however near the vectors are", () => {
  const known = memory("p1", "Zosia's swimming is on Tuesdays at 5.", "swimming", "Tuesdays at 5");
  const { candidates } = captureTurns({
    turns: turnsOf("user: Zosia's swimming is Wednesdays at 5 now instead of Tuesdays"),
    scope: "user:ada",
    memories: [known],
    cosineOf: () => 0.95,
    gates: { duplicate: 0.9, related: 0.6 },
  });
  expect(candidates.map(({ decision, target }) => [decision, target])).toEqual([["UPDATE", "p1"]]);
});
