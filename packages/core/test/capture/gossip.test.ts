import { expect, test } from "vitest";
import { isGossip } from "../../src/capture/extract/gossip.ts";
import { wordsOf } from "../../src/capture/extract/words.ts";
import { capture, memory, outcomes, turnsOf } from "./captured.ts";

test.each([
  "my colleague Ivo has put 5,000 in crypto and says it has doubled",
  "My roommate got 8.5 without any study, so unfair",
  "a friend of hers went over to economics",
  "My neighbour on the second floor, a dentist, is moving out because of it",
  "my colleague earns 3,100 for the same job, makes me mad",
  "so my brother has switched to gravel, not me",
  "My colleague Jorn took one and regrets it",
  "our neighbours' dog died yesterday",
])("only tells what others did: %s", (said) => expect(isGossip(wordsOf(said))).toBe(true));

test.each([
  "my friend Lea is allergic to nuts",
  "My neighbour has our spare key",
  "Our neighbour waters the plants when we are away",
  "my colleague took over the releases",
  "My colleague Tom left in March",
  "My flatmate Jo has moved out",
  "my cousin got married in June",
  "My sister lives in Oslo",
  "my sister used to come on Tuesdays",
  "My wife got a new job",
  "my brother and I have bought a boat",
  "I told my friend the code",
])("tells what may matter: %s", (said) => expect(isGossip(wordsOf(said))).toBe(false));

test("what only others did is not kept, and ends nothing of the user's", () => {
  const known = [memory("yoga", "Does yoga every morning.")];
  expect(outcomes(capture(turnsOf("user: my neighbour sold her car for 9k"), known))).toEqual(["QUOTED"]);
  const flatmate = capture(turnsOf("user: My flatmate has stopped doing yoga because of her wrist."), known);
  expect(flatmate.map(({ decision, target }) => [decision, target])).toEqual([["ADD", null]]);
});

test.each([
  ["my brother in law did his kitchen by himself and paid 4k, keeps telling me I'm crazy", ["QUOTED"]],
  ["my neighbour sold her car, so I bought her parking spot for 40 euros a month", ["ADD fact"]],
])("what goes on with it goes along, but not what the user does: %s", (said, kept) =>
  expect(outcomes(capture(turnsOf(`user: ${said}`)))).toEqual(kept),
);
