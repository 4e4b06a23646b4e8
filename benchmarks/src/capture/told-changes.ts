import { captureTexts, captureTurns } from "@loci/core";
import type { CapturedTurn } from "@loci/domain";
import type { Embedder } from "@loci/embedding";
import { readLabelledLines } from "../quality/labelled-data.ts";
import { cosinesOf } from "./cosines.ts";

/** A memory, what a user says later, and whether the memory is over or replaced then. */
export interface ToldChange {
  readonly id: string;
  /** How it is told: `negated`, `conditional`, `other-person`, `replaced` and so on. */
  readonly kind: string;
  readonly known: string;
  readonly slot: string | null;
  readonly value: string | null;
  /** The assistant's turn just before, if there is one. */
  readonly before: string | null;
  readonly said: string;
  readonly expected: "stays" | "closed";
}

/** 600 of them, in which 340 memories stay and 260 are closed. */
export function readToldChanges(): readonly ToldChange[] {
  return readLabelledLines("told-changes.jsonl") as readonly ToldChange[];
}

/** 52 more, in which the assistant has just used the memory: 40 are closed, and 12 stay. All were in view when rules were mended. */
export function readUsedThenChanged(): readonly ToldChange[] {
  return readLabelledLines("used-then-changed.jsonl") as readonly ToldChange[];
}

/** By kind, of how many memories capture decides as a person would. */
export async function toldRight(
  changes: readonly ToldChange[],
  embedder: Embedder,
): Promise<Readonly<Record<string, { readonly right: number; readonly all: number }>>> {
  const kinds: Record<string, { right: number; all: number }> = {};
  for (const change of changes) {
    const kind = (kinds[change.kind] ??= { right: 0, all: 0 });
    kind.all++;
    if ((await isClosed(change, embedder)) === (change.expected === "closed")) kind.right++;
  }
  return kinds;
}

const scope = "user:told";
const at = Date.parse("2026-06-10T10:00:00Z");

/** What is said, behind the assistant's turn if there is one. */
export function toldTurns({ before, said }: Pick<ToldChange, "before" | "said">): readonly CapturedTurn[] {
  const lines: readonly (readonly [CapturedTurn["role"], string])[] = [
    ...(before === null ? [] : [["assistant", before] as const]),
    ["user", said],
  ];
  return lines.map(([role, content], index): CapturedTurn => ({ turn: index + 1, role, content, at: at + index }));
}

async function isClosed(change: ToldChange, embedder: Embedder): Promise<boolean> {
  const { id, known, slot, value } = change;
  const turns = toldTurns(change);
  const memories = [{ id, text: known, slot, value, scope }];
  const { candidates } = captureTurns({
    turns,
    scope,
    mayApprove: true,
    memories,
    cosineOf: await cosinesOf([...captureTexts({ turns, memories, scope }), known], embedder),
    gates: {
      duplicate: embedder.gates.duplicate,
      related: embedder.gates.related ?? embedder.gates.duplicate - 0.15,
    },
  });
  return candidates.some(({ target, decision }) => target === id && (decision === "UPDATE" || decision === "DELETE"));
}
