import { describe, expect, test } from "vitest";
import { facetsOf, relationOf } from "../../src/capture/index.ts";

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
