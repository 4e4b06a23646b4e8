import { describe, expect, test } from "vitest";
import { capture, memory, turnsOf } from "./captured.ts";

const decisions = (known: string, slot: string | null, ...lines: readonly string[]): readonly (string | null)[] =>
  capture(turnsOf(...lines), [memory("p1", known, slot)])
    .filter(({ reason }) => reason === null)
    .map(({ decision }) => decision);

describe("what is over has a successor", () => {
  test("in the next sentence, which names one", () =>
    expect(decisions("The vet is Dr Holm.", "vet", "user: Dr Holm retired. The young one is Dr Lind.")).toEqual([
      "NOOP",
      "UPDATE",
    ]));

  test("just before it, in the same sentence", () =>
    expect(decisions("The firmware runs on Nuttx.", "system", "user: Zephyr is final, Nuttx is gone.")).toEqual([
      "UPDATE",
      "NOOP",
    ]));

  test("just before it, where the speaker tells of the same", () =>
    expect(
      decisions("Code is formatted with Black.", "formatter", "user: We format with Ruff, Black was kicked out."),
    ).toEqual(["UPDATE", "NOOP"]));

  test("in a clause behind it", () => {
    const asked = "assistant: Does Dr. Feld know about the pain in your wrists?";
    const said = "user: oh Doctor Feld retired, I'm with Doctor Amara Nwosu now since January";
    expect(decisions("Her family doctor is Dr. Feld.", "doctor", asked, said)).toEqual(["UPDATE"]);
  });

  test.each([
    ["The user always wants a window seat.", "And I no longer want window seats, I prefer the aisle."],
    ["The user always wants a window seat.", "I no longer want window seats, I want the aisle now."],
    ["The user drinks coffee.", "I no longer drink coffee, I drink green tea now."],
    ["The user takes the bus to work.", "I no longer take the bus to work, I take the tram these days."],
  ])("which is what somebody prefers or does now, %s %s", (known, said) =>
    expect(decisions(known, null, `user: ${said}`)).toEqual(["UPDATE"]),
  );

  test.each([
    ["Code is formatted with Black.", "we format with ruff, black was kicked out in january"],
    ["The old letters are in the attic.", "I gave the letters to the museum, so they're not in the attic any more"],
  ])("which is told of what it was, %s %s", (known, said) =>
    expect(decisions(known, null, `user: ${said}`)).toEqual(["UPDATE"]),
  );

  test.each([
    ["The user drinks coffee.", "I no longer drink coffee, finally."],
    ["The user always wants a window seat.", "I no longer want window seats, they are too cold."],
    ["The user has a gym membership.", "I cancelled the gym membership, the gym was too far"],
  ])("and not why it is over, %s %s", (known, said) =>
    expect(decisions(known, null, `user: ${said}`)).toEqual(["DELETE"]),
  );

  test("and not what is told next of something else", () => {
    const asked = "assistant: What does a month cost?";
    const said = "user: rent 940. car gone, sold in spring. Nursery 310.";
    expect(decisions("Owns a Skoda Fabia.", "car", asked, said)).toEqual(["ADD", "DELETE", "ADD"]);
    const trained = "user: quit ironhall in spring. kettlebell at home, 16 kg";
    const gym = "Is a member of the Ironhall gym.";
    expect(decisions(gym, "gym", "assistant: Strength training still at Ironhall?", trained)).toEqual([
      "DELETE",
      "ADD",
    ]);
  });
});

describe("what one does now takes the place of what one did", () => {
  test.each([
    ["The user takes the bus to work.", "I no longer take the bus, I cycle to work now."],
    ["The user has a red bike.", "I don't have the red bike anymore, I ride a scooter now."],
    ["The user uses a wheelchair.", "I don't need the wheelchair anymore, I walk with a cane now."],
  ])("%s %s", (known, said) => {
    const [candidate] = capture(turnsOf(`user: ${said}`), [memory("m1", known)]);
    expect(candidate).toMatchObject({ decision: "UPDATE", target: "m1" });
  });

  test("how one is now does not", () => {
    const [candidate] = capture(turnsOf("user: I quit the gym, I feel better now."), [
      memory("m1", "The user goes to the gym."),
    ]);
    expect(candidate).toMatchObject({ decision: "DELETE", target: "m1" });
  });
});
