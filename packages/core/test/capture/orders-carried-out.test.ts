import { describe, expect, test } from "vitest";
import { asCarriedOut } from "../../src/capture/extract/orders-carried-out.ts";
import { capture, closed, memory, outcomes, turnsOf } from "./captured.ts";

describe("who orders another amount of something known says what it is now", () => {
  test.each([
    ["The user's budget is 2,000.", "Raise my budget to 2,500", "The user's budget is now 2,500"],
    ["The user's monthly budget is 2,000.", "Please cut my budget to 1,800.", "The user's budget is now 1,800"],
    ["The user's reminder is at 8.", "Move my reminder to 9:30", "The user's reminder is now at 9:30"],
  ])("%s %s", (known, said, text) => {
    const [candidate] = capture(turnsOf(`user: ${said}`), [memory("m1", known)]);
    expect(candidate).toMatchObject({ decision: "UPDATE", target: "m1", text });
  });

  test.each([
    ["what is asked", "Should I raise my budget to 2,500?"],
    ["what is only supposed", "If that fails, raise my budget to 2,500"],
    ["something else", "Raise the volume to 25"],
    ["something else of the user's", "Raise my chair to 50"],
    ["no amount", "Raise my budget to the board"],
  ])("but not %s", (_, said) =>
    expect(closed(memory("m1", "The user's budget is 2,000."), `user: ${said}`)).toEqual([]),
  );

  test("of what is not known it is an order", () =>
    expect(outcomes(capture(turnsOf("user: Raise my budget to 2,500")))).toEqual(["TRANSIENT"]));

  test("any other text stays", () => {
    for (const text of ["Raise the volume to 25", "The user moved to Oslo", "Set the user's alarm"])
      expect(asCarriedOut(text)).toBe(text);
  });
});
