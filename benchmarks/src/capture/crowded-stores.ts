import { captureTexts, captureTurns, type KnownMemory } from "@loci/core";
import type { CaptureCandidate, CapturedTurn } from "@loci/domain";
import type { Embedder } from "@loci/embedding";
import type { CaptureDialogue } from "./capture-data.ts";
import { cosinesOf } from "./cosines.ts";
import { type ToldChange, toldTurns } from "./told-changes.ts";

/** A memory that has nothing to do with what is told. */
export type Bystander = Pick<KnownMemory, "text" | "slot" | "value">;

/** What ends among memories that have nothing to do with it. */
export interface CrowdedOutcome {
  /** Changes that capture notices where only the memory they change is known. */
  readonly noticedAlone: number;
  /** Of these, how many it notices in the crowd. */
  readonly noticed: number;
  /** How many of the others end or are replaced by what they have nothing to do with. */
  readonly bystandersClosed: number;
}

/** What is captured of conversations, each by itself: memories of many people, as others' bystanders. */
export async function capturedOf(talks: readonly CaptureDialogue[], embedder: Embedder): Promise<readonly Bystander[]> {
  const captured: Bystander[] = [];
  for (const { turns, scopes } of talks) {
    const said = turns.map(({ n, role, content, at, recalled }): CapturedTurn => {
      return { turn: n, role, content, at: Date.parse(at), isRecalled: recalled === true };
    });
    const of = { turns: said, scope: scopes.user, memories: [] };
    const candidates = candidatesOf(of, embedder, await cosinesOf(captureTexts(of), embedder));
    for (const { text, slot, value, state, decision } of candidates)
      if (state === "active" && decision === "ADD") captured.push({ text, slot, value });
  }
  return captured;
}

/** So many of a list, spread over all of it. */
export function spreadOver<T>(all: readonly T[], count: number): readonly T[] {
  return Array.from({ length: Math.min(count, all.length) }, (_, place) => {
    return all[Math.floor((place * all.length) / Math.min(count, all.length))] as T;
  });
}

/** Tells each change twice: where only the memory is known, and in a scope in which the bystanders are known as well. */
export async function toldInCrowd(
  changes: readonly ToldChange[],
  bystanders: readonly Bystander[],
  embedder: Embedder,
): Promise<CrowdedOutcome> {
  const scope = "user:told";
  const crowd = bystanders.map((each, place): KnownMemory => ({ ...each, id: `bystander ${place}`, scope }));
  const told = changes.map((change) => {
    const { id, known: text, slot, value } = change;
    return { turns: toldTurns(change), scope, memory: { id, text, slot, value, scope } };
  });
  const texts = [...crowd, ...told.map(({ memory }) => memory)].map(({ text }) => text);
  const said = told.flatMap(({ memory, ...of }) => captureTexts({ ...of, memories: [memory] }));
  const cosineOf = await cosinesOf([...new Set([...texts, ...said])], embedder);
  let [noticedAlone, noticed, bystandersClosed] = [0, 0, 0];
  for (const { memory, ...of } of told) {
    const alone = closedBy(candidatesOf({ ...of, memories: [memory] }, embedder, cosineOf));
    const crowded = closedBy(candidatesOf({ ...of, memories: [memory, ...crowd] }, embedder, cosineOf));
    if (alone.has(memory.id)) noticedAlone++;
    if (alone.has(memory.id) && crowded.has(memory.id)) noticed++;
    bystandersClosed += [...crowded].filter((target) => target !== memory.id).length;
  }
  return { noticedAlone, noticed, bystandersClosed };
}

function candidatesOf(
  of: { readonly turns: readonly CapturedTurn[]; readonly scope: string; readonly memories: readonly KnownMemory[] },
  { gates: { duplicate, related = duplicate - 0.15 } }: Embedder,
  cosineOf: (left: string, right: string) => number,
): readonly CaptureCandidate[] {
  return captureTurns({ ...of, mayApprove: true, cosineOf, gates: { duplicate, related } }).candidates;
}

function closedBy(candidates: readonly CaptureCandidate[]): ReadonlySet<string> {
  return new Set(
    candidates.flatMap(({ decision, target }) =>
      (decision === "UPDATE" || decision === "DELETE") && target !== null ? [target] : [],
    ),
  );
}
