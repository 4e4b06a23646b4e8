import { captureTexts, captureTurns } from "@loci/core";
import type { CaptureCandidate, CapturedTurn } from "@loci/domain";
import type { Embedder } from "@loci/embedding";
import { readLabelledLines } from "../quality/labelled-data.ts";
import { cosinesOf } from "./cosines.ts";

/** Two statements of one user, a week apart, and whether the first is over or otherwise by the second. */
export interface SaidPair {
  readonly id: string;
  /** The rules were made with it in view. */
  readonly isTuned: boolean;
  readonly ends: boolean;
  /** What the assistant had asked, if the first answers it, */
  readonly asked?: string;
  readonly first: string;
  /** and the second. */
  readonly askedAgain?: string;
  readonly second: string;
}

/** What became of the pairs, one a row. */
export interface SaidOutcome {
  readonly pair: SaidPair;
  /** What capture keeps of the first. */
  readonly known: readonly KnownText[];
  /** Of that what the second ends. */
  readonly ended: readonly string[];
}

interface KnownText {
  readonly id: string;
  readonly text: string;
  readonly slot: string | null;
  readonly value: string | null;
  readonly scope: string;
}

/** 90 of them, of which half end something; they were written without a look at what capture makes of them. */
export function readSaidPairs(): readonly SaidPair[] {
  return readLabelledLines("said-pairs.jsonl") as readonly SaidPair[];
}

const scope = "user:told";
const firstAt = Date.parse("2026-04-06T18:00:00Z");
const week = 7 * 86_400_000;

/** Captures each first statement, and then the second one beside what the first has left. */
export async function saidOutcomes(pairs: readonly SaidPair[], embedder: Embedder): Promise<readonly SaidOutcome[]> {
  return Promise.all(
    pairs.map(async (pair): Promise<SaidOutcome> => {
      const known = await keptOf(pair, embedder);
      const turns = turnsOf(pair.askedAgain, pair.second, firstAt + week);
      return { pair, known, ended: endedOf(await captured(turns, known, embedder), known) };
    }),
  );
}

async function keptOf(pair: SaidPair, embedder: Embedder): Promise<readonly KnownText[]> {
  const candidates = await captured(turnsOf(pair.asked, pair.first, firstAt), [], embedder);
  return candidates.flatMap(({ decision, text, slot, value }, index) =>
    decision === "ADD" ? [{ id: `${pair.id}.${index}`, text, slot, value, scope }] : [],
  );
}

function turnsOf(asked: string | undefined, said: string, at: number): readonly CapturedTurn[] {
  const lines: readonly (readonly [CapturedTurn["role"], string])[] = [
    ...(asked === undefined ? [] : [["assistant", asked] as const]),
    ["user", said],
  ];
  return lines.map(([role, content], index) => ({ turn: index + 1, role, content, at: at + index }));
}

async function captured(
  turns: readonly CapturedTurn[],
  memories: readonly KnownText[],
  embedder: Embedder,
): Promise<readonly CaptureCandidate[]> {
  const { duplicate, related = duplicate - 0.15 } = embedder.gates;
  return captureTurns({
    turns,
    scope,
    mayApprove: true,
    memories,
    cosineOf: await cosinesOf(
      [...captureTexts({ turns, memories, scope }), ...memories.map(({ text }) => text)],
      embedder,
    ),
    gates: { duplicate, related },
  }).candidates;
}

function endedOf(candidates: readonly CaptureCandidate[], memories: readonly KnownText[]): readonly string[] {
  const targets = new Set(
    candidates.flatMap(({ decision, target }) => (decision === "UPDATE" || decision === "DELETE" ? [target] : [])),
  );
  return memories.filter(({ id }) => targets.has(id)).map(({ text }) => text);
}
