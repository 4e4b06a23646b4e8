import { describe, expect, test } from "vitest";
import { closed, memory } from "./captured.ts";

describe("who is asked whether something still holds and names another one replaces it", () => {
  test.each([
    [memory("p1", "Drinks oat milk.", "milk", "oat"), "Oat milk as usual?", "soy, oat gives me a rash"],
    [
      memory("p1", "The warehouse is Redshift.", "warehouse", "Redshift"),
      "And it is Redshift?",
      "snowflake, we migrated",
    ],
    [memory("p1", "Her physio is Mr Abel.", "physio", "Mr Abel"), "Is it still Mr Abel?", "Ms Sato, he moved away"],
    [
      memory("p1", "Trains for a half marathon.", "goal", "half marathon"),
      "Still for the half marathon?",
      "no, the full one",
    ],
    [memory("p1", "Lives in Leeds."), "Are you still in Leeds?", "York, since May"],
  ])("%j, %s %s", (known, asked, said) => {
    expect(closed(known, `assistant: ${asked}`, `user: ${said}`)).toEqual(["UPDATE"]);
  });

  test.each([
    [memory("p1", "Drinks oat milk.", "milk", "oat"), "Oat milk as usual?", "yes please"],
    [memory("p1", "Drinks oat milk.", "milk", "oat"), "Oat milk as usual?", "tomorrow, I'm out"],
    [memory("p1", "Drinks oat milk.", "milk", "oat"), "Which milk is on offer, oat?", "soy, it's cheap today"],
    [memory("p1", "Her physio is Mr Abel.", "physio", "Mr Abel"), "Is it still Mr Abel?", "Tuesdays, yes"],
    [memory("p1", "Her physio is Mr Abel.", "physio", "Mr Abel"), "Is Mr Abel still at Marlow?", "Marlow, yes"],
    [memory("p1", "Her dentist is Dr Vos.", "dentist", "Dr Vos"), "Is it still Mr Abel?", "Ms Sato, he moved away"],
    [memory("p1", "Plays tennis with Ben."), "Tennis with Ben as always?", "only this week with Tom"],
  ])("and not who answers otherwise, %j, %s %s", (known, asked, said) => {
    expect(closed(known, `assistant: ${asked}`, `user: ${said}`)).toEqual([]);
  });
});
