import { describe, expect, test } from "vitest";
import { facetsOf, relationOf } from "../../src/capture/index.ts";
import { closed, memory } from "./captured.ts";

const between = (earlier: string, later: string, cosine = 0.35): string =>
  relationOf(facetsOf(earlier), facetsOf(later), { cosine, relatedGate: 0.6 });

describe("values of one kind exclude each other where something has changed", () => {
  test.each([
    ["Writes code in Emacs.", "I'm on Zed these days."],
    ["Her phone is a Nokia.", "I've switched to a Fairphone."],
    ["Takes citalopram.", "She put me on sertraline."],
    ["Builds run on Travis.", "We moved the builds to Buildkite."],
    ["Works as a baker.", "I'm a bus driver now."],
    ["Is single.", "Pia and I got married."],
    ["Keeps notes in Evernote.", "My notes live in Obsidian now, I got them all out of Evernote."],
    ["The front door is blue.", "The front door is green now."],
    ["Wants answers in Dutch.", "From now on French, please."],
    ["The rent is 890 euros.", "The rent is 940 euros."],
    ["Her daughter is in year 3.", "My daughter started year 4."],
    ["Jasper owns the checkout.", "Checkout belongs to Imani now."],
    ["The report is due on 8 March.", "They gave us until 22 March for the report."],
  ])("%s %s", (earlier, later) => expect(between(earlier, later)).toBe("contradiction"));

  test("a colour in front of a noun tells which one it is, and what somebody got out of is none of theirs", () => {
    expect(facetsOf("The blue team plays at 5.").values.has("colour")).toBe(false);
    expect(facetsOf("The door is blue.").values.has("colour")).toBe(true);
    expect(facetsOf("Got it all out of Evernote.").values.has("notes")).toBe(false);
    expect(facetsOf("She's back in Bergen.").tellsChange).toBe(true);
  });

  test("a value that is all that is said needs nothing else in common", () => {
    expect(between("Wants answers in Dutch.", "From now on French, please.", 0.1)).toBe("contradiction");
    expect(between("Wants answers in Dutch.", "We sing a French song now.", 0.1)).toBe("unrelated");
  });

  test.each([
    ["Her phone is a Nokia.", "My mother has a Fairphone now."],
    ["Works as a baker.", "The plumber is here now."],
    ["Is single.", "A single room is 90 now."],
    ["Takes citalopram.", "I like sertraline as a name."],
    ["The novel is called Salt Year.", "They gave us until 22 March for Salt Year."],
  ])("but not: %s %s", (earlier, later) => expect(between(earlier, later)).toBe("unrelated"));

  test.each([
    ["The red team plays at 3.", "The blue team plays at 5 now."],
    ["The Volvo is due for a check in May.", "The Skoda is due for a check in June now."],
  ])("and what tells which one it is is no value: %s %s", (earlier, later) =>
    expect(between(earlier, later, 0.7)).not.toBe("contradiction"),
  );
});

describe("where somebody lives, who they have and what is paid, in few words", () => {
  const decisions = (known: string, said: string): readonly (string | null)[] =>
    closed(memory("p1", known), `user: ${said}`);

  test.each([
    ["The user lives in Ghent.", "We've been in Leuven since March."],
    ["The user's sister lives in Oslo.", "My sister is back in Bergen."],
    ["The user is single.", "I have a girlfriend now."],
    ["The team uses Jenkins.", "We're on GitHub Actions since the migration."],
    ["The user can't swim.", "I learned to swim this summer!"],
  ])("%s %s", (known, said) => expect(decisions(known, said)).toEqual(["UPDATE"]));

  test.each([
    ["The user lives in Aarhus.", "I'm in Odense for the weekend."],
    ["The user lives in Oslo.", "My sister is back in Bergen."],
    ["The user has a girlfriend.", "My girlfriend moved to Lyon."],
    ["The user pays 900 rent.", "I pay 40 for the gym now."],
    [
      "The tiles are ordered, delivery in six weeks.",
      "Eleven days instead of six, and 8,900 instead of 7,500, the contractor says.",
    ],
  ])("but not: %s %s", (known, said) => expect(decisions(known, said)).toEqual([]));

  test("a dog that was put down is had no more", () =>
    expect(decisions("The user has a dog.", "We had to put the dog down in May.")).toEqual(["DELETE"]));
});
