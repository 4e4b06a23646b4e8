import type { CapturedTurn } from "@loci/domain";
import type { JudgedAgainst } from "../../src/capture/reading/found-statements.ts";

const said = [
  "I work at Corvid and I live in Utrecht. My manager is Dr Holm.",
  "Never call me before noon, and always answer in English.",
  "We decided to use PostgreSQL for the ledger.",
  "My password is hunter2-Correct9 and my key is sk-live-4eC39HqLyjWDarjtT1zdp7dc.",
  "I moved to Leiden last week. The old address is no longer right.",
  "Could it be that the release is on Friday?",
  "Forget what I said about noon. Reports are due every Monday at 9.",
  "No, it is closed. From now on use the new form.",
];
const replies = ["Noted: you work at Corvid.", "Which city do you live in?", "Done.", "I changed the report."];

/** A conversation of so many turns, with what rules keep, refuse and replace. */
export function saidTurns(count: number): readonly CapturedTurn[] {
  return Array.from({ length: count }, (_, index): CapturedTurn => {
    const isUser = index % 2 === 0;
    const half = Math.floor(index / 2);
    const content = isUser ? `${said[half % said.length]} Case ${half} is mine.` : replies[half % replies.length];
    const role = isUser ? "user" : "assistant";
    return { turn: index + 1, role, content: content ?? "", at: Date.UTC(2026, 0, 1) + index, isRecalled: false };
  });
}

/** Memories that some of it repeats and some contradicts, with vectors of all texts. */
export function knownBefore(texts: readonly string[]): JudgedAgainst {
  const scope = "user:alice";
  const memories = ["User works at Corvid.", "User lives in Rotterdam.", "Reports are due every Friday at 9."].map(
    (text, index) => ({ id: `0-${index}`, text, scope, slot: null, value: null }),
  );
  const compared = [...new Set([...texts, ...memories.map(({ text }) => text)])];
  const values = new Float32Array(compared.length * 2);
  for (const [index, text] of compared.entries()) {
    const angle = text.length % 4;
    values.set([Math.cos(angle), Math.sin(angle)], 2 * index);
  }
  return { scope, memories, gates: { duplicate: 0.9, related: 0.6 }, vectors: { texts: compared, values } };
}
