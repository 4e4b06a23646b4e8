import type { TurnInput } from "@loci/domain";

/** What is said in a run, by its number: every third time the same. */
export function saidInRun(number: number): readonly TurnInput[] {
  if (number % 3 === 0)
    return [
      { role: "user", content: "Thanks." },
      { role: "assistant", content: "You are welcome." },
    ];
  const call = { id: `call-${number}`, type: "function", function: { name: "look", arguments: "{}" } } as const;
  return [
    { role: "user", content: `I have bought book number ${number}.` },
    { role: "assistant", content: "", toolCalls: [call] },
    { role: "tool", content: `Book ${number} is there.`, toolCallId: call.id },
    { role: "assistant", content: `Noted: ${number}.` },
  ];
}

/** All that is said in the runs before one. */
export function saidBefore(number: number): readonly TurnInput[] {
  return Array.from({ length: number - 1 }, (_, index) => saidInRun(index + 1)).flat();
}
