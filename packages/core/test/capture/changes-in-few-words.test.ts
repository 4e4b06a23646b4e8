import { describe, expect, test } from "vitest";
import { capture, memory, turnsOf } from "./captured.ts";

const decidedOf = (known: string, said: string): readonly (string | null)[] =>
  capture(turnsOf(`user: ${said}`), [memory("known", known)]).flatMap(({ decision, text }) => [decision, text]);

describe("changes told in few words", () => {
  test.each([
    [
      "Yusuf has football Tue and Thu at 17:30",
      "Yusuf's back at football, Mon and Thu now",
      "Yusuf's back at football, Mon and Thu now (before: Yusuf has football Tue and Thu at 17:30)",
    ],
    [
      "The depot runs on Gradle.",
      "Gradle's history, Bazel builds the depot",
      "Gradle's history, Bazel builds the depot",
    ],
    ["Epipen is in the blue bag", "The epipen's now in the kitchen drawer", "The epipen's now in the kitchen drawer"],
    [
      "The user's supervisors are Prof. van Houten and Dr. Mbeki",
      "Mbeki is leaving for Zurich, Prof. Lindqvist takes over as second supervisor",
      "Mbeki is leaving for Zurich, Prof. Lindqvist takes over as second supervisor (before: The user's supervisors are Prof. van Houten and Dr. Mbeki)",
    ],
    [
      "The user's model is a spiking network of CA3, in Brian2.",
      "I moved the model to PyTorch because Brian2 was too slow",
      "The user moved the model to PyTorch because Brian2 was too slow (before: The user's model is a spiking network of CA3, in Brian2.)",
    ],
  ])("%s: %s", (known, said, text) => {
    expect(decidedOf(known, said)).toEqual(["UPDATE", text]);
  });

  test("the weekday that something starts on has its date, and it goes on behind that", () => {
    expect(capture(turnsOf("user: devang starts Monday"))[0]).toMatchObject({
      text: "Devang starts Monday (2026-03-30)",
      validTo: null,
    });
  });
});

describe("what is kept", () => {
  test.each([
    ["Zbyszek did a terrible job, I won't use him again", "Zbyszek did a terrible job, the user won't use him again"],
    ["we turned the publisher down", "The team turned the publisher down"],
    ["Dr. Nance put the bisoprolol up to 5", "Dr. Nance put the bisoprolol up to 5"],
    ["passed the B1 exam in Portuguese!!", "Passed the B1 exam in Portuguese!!"],
    [
      "Orla's leaving the band at the end of the summer, she's going on tour with another group from September",
      "Orla's leaving the band at the end of the summer, she's going on tour with another group from September",
    ],
    ["I handed in my notice", "The user handed in the user's notice"],
    [
      "I want to run a sub-4 marathon in Hamburg on April 25",
      "The user wants to run a sub-4 marathon in Hamburg on April 25",
    ],
  ])("%s", (said, text) => {
    expect(capture(turnsOf(`user: ${said}`))).toMatchObject([{ decision: "ADD", text }]);
  });

  test.each(["I had a fall last week, nothing broken.", "I won't be late again", "delivery's at the door"])(
    "and not: %s",
    (said) => {
      expect(capture(turnsOf(`user: ${said}`)).filter(({ decision }) => decision !== null)).toEqual([]);
    },
  );
});
