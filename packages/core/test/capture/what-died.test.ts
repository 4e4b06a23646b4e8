import { describe, expect, test } from "vitest";
import { capture, closed, memory, turnsOf } from "./captured.ts";

describe("who has died is no age, and eats nothing", () => {
  test.each([
    ["Rex is 4 years old.", "user: Rex died last week."],
    ["The user's dog Rex is 4 years old.", "user: Rex passed away yesterday."],
    ["The user has a dog called Rex.", "user: Rex died"],
    ["The user's grandfather Otto is 91.", "user: Otto died on Monday."],
  ])("%s", (known, said) => expect(closed(memory("m1", known), said)).toEqual(["DELETE"]));

  test("all that tells how they are is over, and no more", () => {
    const known = [
      memory("has", "The user has a dog called Rex."),
      memory("age", "Rex is 4 years old."),
      memory("allergy", "Rex is allergic to chicken."),
    ];
    const holds = [
      memory("vet", "Rex's vet is Dr Lind."),
      memory("past", "The user adopted Rex in 2021."),
      memory("other", "Tom is 4 years old."),
    ];
    const over = capture(turnsOf("user: Rex died last week."), [...known, ...holds]).map(({ target }) => target);
    expect(new Set(over)).toEqual(new Set(known.map(({ id }) => id)));
  });

  test.each([
    ["what was so before", "The user's grandfather Otto taught the user to sail.", "user: Otto died on Monday."],
    ["another one", "Tom is 4 years old.", "user: Rex died last week."],
    ["a thing of theirs", "Rex is 4 years old.", "user: The battery of Rex's collar died."],
    ["what nearly happened", "Rex is 4 years old.", "user: Rex nearly died last week."],
  ])("but not %s", (_, known, said) => expect(closed(memory("m1", known), said)).toEqual([]));
});
