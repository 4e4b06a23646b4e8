import { type CaptureInput, captureSteps, type KnownMemory, type TurnStatement, withinClosingLimits } from "@loci/core";
import { type CaptureCandidate, formatScope, type NonEmpty, type Scope } from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";
import { takeTurns } from "../calls/take-turns.ts";
import type { CaptureCall, CaptureServices } from "./capture-services.ts";
import { comparedMemories } from "./compared-memories.ts";
import { cosinesOf } from "./compared-vectors.ts";

/** What was read of a session, before anything is known of the memories that it is judged against. */
export interface FoundStatements {
  readonly scopes: NonEmpty<Scope>;
  readonly input: Omit<CaptureInput, "memories" | "cosineOf">;
  /** What the rules find. */
  readonly statements: readonly TurnStatement[];
}

/** Candidates with what they were judged against. */
export interface JudgedCandidates {
  readonly candidates: readonly CaptureCandidate[];
  readonly known: readonly StoredMemory[];
}

/** Has the rules find and judge. */
export async function candidatesByRules(
  services: CaptureServices,
  call: CaptureCall,
  { scopes, input, statements }: FoundStatements,
): Promise<JudgedCandidates> {
  const { tenant, signal, priority = "background" } = call;
  const texts = statements.map(({ text }) => text);
  const known = await comparedMemories(services, call, { scopes, texts });
  const judgedBy = { memories: knownMemories(known), cosineOf: await cosinesOf(services, call, texts, known) };
  const steps = captureSteps({ ...input, ...judgedBy }, statements);
  const { candidates } = await takeTurns(steps, () => services.thread.next(tenant, signal, priority));
  return { candidates: withinClosingLimits(candidates, known.length), known };
}

/** Stored memories as they are compared. */
export function knownMemories(stored: readonly StoredMemory[]): readonly KnownMemory[] {
  return stored.map(({ memory: { id, text, scope, slot = null, slotValue = null } }) => ({
    id,
    text,
    scope: formatScope(scope),
    slot,
    value: slotValue,
  }));
}
