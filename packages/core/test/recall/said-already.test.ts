import type { Provenance } from "@loci/domain";
import { describe, expect, test } from "vitest";
import { saidAlready, SaidTexts } from "../../src/index.ts";

const provenance: Provenance = { sourceId: "conversation:1", kind: "conversation", position: 0, speaker: "Ada" };
const told = { query: "Where is the kraken?", messages: new SaidTexts(["It is in  Bergen.\n"]) };

function reason(content: string): string | undefined {
  return saidAlready({ text: `Ada: ${content}`, provenance, origin: "manual" }, told);
}

describe("a turn", () => {
  test("whose words stand in the history is no knowledge", () => {
    expect(reason("It is in Bergen.")).toBe("IN_HISTORY");
    expect(reason("It is in Bergen. I saw it.")).toBeUndefined();
    expect(saidAlready({ text: "It is in Bergen.", origin: "manual" }, told)).toBeUndefined();
  });

  test("that asks the same question is none; one that says the same is", () => {
    expect(reason("Where is the kraken?")).toBe("REPEATS_QUERY");
    expect(reason("Where was the kraken?")).toBeUndefined();
    const statement = { ...told, query: "The kraken is in Bergen." };
    expect(
      saidAlready({ text: "Ada: The kraken is in Bergen.", provenance, origin: "import" }, statement),
    ).toBeUndefined();
  });

  test.each([
    "I do not know.",
    "I don’t know",
    "Sorry, I don't remember that.",
    "No idea!",
    "Hmm, I'm not sure about that yet.",
  ])("that says only %s is none", (content) => expect(reason(content)).toBe("NO_ANSWER"));

  test.each(["Noted.", "Okay, will do!", "Got it, thank you.", "...", "Congratulations!", "You’re welcome"])(
    "of an assistant that says only %s is none; a person's is",
    (content) => {
      const memory = { text: `Ada: ${content}`, origin: "import" } as const;
      expect(saidAlready({ ...memory, provenance: { ...provenance, role: "assistant" } }, told)).toBe("NO_ANSWER");
      expect(saidAlready({ ...memory, provenance: { ...provenance, role: "person" } }, told)).toBeUndefined();
    },
  );

  test.each(["Done.", "Got it, March 19 at 11.", "Sure, the kraken.", "Noted: Bergen.", "Yes.", "No."])(
    "of an assistant that says more is: %s",
    (content) => {
      const assistant = { ...provenance, role: "assistant" } as const;
      expect(saidAlready({ text: `Ada: ${content}`, origin: "import", provenance: assistant }, told)).toBeUndefined();
    },
  );

  test.each([
    "I do not know the kraken.",
    "I don't know, but Ben does.",
    "I'm not sure about Bergen.",
    "No idea is bad.",
  ])("that says more is: %s", (content) => expect(reason(content)).toBeUndefined());
});
