import type { CaptureCandidate, CapturedTurn } from "@loci/domain";
import { captureTurns, type KnownMemory } from "../../src/capture/index.ts";

/** Turns as `user: text` and `assistant: text`, a minute apart. */
export function turnsOf(...lines: readonly string[]): readonly CapturedTurn[] {
  return lines.map((line, index) => {
    const colon = line.indexOf(": ");
    const role = line.slice(0, colon) as CapturedTurn["role"];
    return {
      turn: index + 1,
      role,
      content: line.slice(colon + 2),
      at: Date.parse("2026-03-25T10:00:00Z") + index * 60_000,
    };
  });
}

export const memory = (
  id: string,
  text: string,
  slot: string | null = null,
  value: string | null = null,
): KnownMemory => {
  return { id, text, slot, value, scope: "user:ada" };
};

export function capture(
  turns: readonly CapturedTurn[],
  memories: readonly KnownMemory[] = [],
): readonly CaptureCandidate[] {
  const gates = { duplicate: 0.9, related: 0.6 };
  return captureTurns({ turns, scope: "user:ada", memories, cosineOf: () => 0.4, gates }).candidates;
}

/** What of it is remembered, or why not. */
export const outcomes = (candidates: readonly CaptureCandidate[]): readonly string[] =>
  candidates.map(({ decision, reason, category }) => reason ?? `${decision} ${category}`);

/** What is decided about a memory, by what the turns say. */
export function decided(known: KnownMemory, ...lines: readonly string[]): readonly string[] {
  return capture(turnsOf(...lines), [known]).flatMap(({ decision, target }) =>
    decision !== null && target === known.id ? decision : [],
  );
}

/** The same without what only says it again. */
export function closed(known: KnownMemory, ...lines: readonly string[]): readonly string[] {
  return decided(known, ...lines).filter((decision) => decision === "UPDATE" || decision === "DELETE");
}
