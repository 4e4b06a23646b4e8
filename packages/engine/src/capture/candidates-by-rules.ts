import { type CaptureInput, type KnownMemory, withinClosingLimits } from "@loci/core";
import { type CaptureCandidate, formatScope, type NonEmpty, type Scope } from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";
import type { CaptureCall, CaptureServices } from "./capture-services.ts";
import { captureTurn } from "./capture-turn.ts";
import { comparedMemories } from "./compared-memories.ts";
import { comparedVectors } from "./compared-vectors.ts";
import type { ReadStatements } from "./reading/statement-reader.ts";

/** What was read of a session, before anything is known of the memories that it is judged against. */
export interface ReadSession<Statements extends ReadStatements = ReadStatements> {
  readonly scopes: NonEmpty<Scope>;
  readonly input: Omit<CaptureInput, "memories" | "cosineOf">;
  /** What the rules find. */
  readonly statements: Statements;
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
  { scopes, input, statements }: ReadSession,
): Promise<JudgedCandidates> {
  // They are where they were read.
  const { turns: _turns, ...against } = input;
  const { texts } = statements;
  await captureTurn(services, call);
  const known = await comparedMemories(services, call, { scopes, texts });
  const vectors = await comparedVectors(services, call, texts, known);
  const candidates = await statements.judge({ ...against, memories: knownMemories(known), vectors });
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
