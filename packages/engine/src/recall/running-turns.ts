import type { Instant, MemoryId, Principal, RecallHit } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { sha256 } from "../calls/content-hash.ts";
import type { DeclaredMetadata } from "../projections/declared-metadata.ts";
import { dropReasonOf, recallConditions } from "./resolve-candidates.ts";
import type { CheckedRecallRequest } from "./validate-recall-request.ts";

/** Those that were not heard of for longest are forgotten first. */
const maxTurns = 1_000;
const longestTurn = 3_600_000;

/** A question, and where in its conversation it was asked. */
export interface TurnQuestion {
  readonly text: string;
  /** How many messages stand before it. */
  readonly position: number;
}

/** What tells whether memories are still as they were. */
export interface TurnServices {
  readonly ledger: Pick<Ledger, "memories">;
  readonly clock: () => Instant;
  readonly metadata: DeclaredMetadata;
}

interface Turn {
  readonly hits: readonly RecallHit[];
  readonly at: Instant;
}

/**
 * What the contexts of running turns were shown, so that the later calls of a turn are shown the same bytes: scores change
 * with the time and with every use. Kept in this process, and only as the memories of ledgers are: after a restart, or on
 * another server, a turn is recalled for anew.
 */
export class RunningTurns {
  readonly #turns = new Map<string, Turn>();

  /** What the turn's last call was shown, if all of it is still as it was. */
  async find(
    { ledger, clock, metadata }: TurnServices,
    { principal: { tenant }, signal }: Call,
    key: string,
    request: CheckedRecallRequest,
  ): Promise<Turn["hits"] | undefined> {
    const turn = this.#turns.get(key);
    if (turn === undefined || clock() - turn.at > longestTurn) return undefined;
    const conditions = recallConditions(request, metadata);
    const refs = turn.hits.map(({ memory }) => memory.id);
    const current = await ledger.memories(tenant, refs, { signal });
    const isSame = turn.hits.every(({ memory }) => {
      const stored = current.get(memory.id);
      return stored?.memory.version === memory.version && dropReasonOf(stored, conditions) === undefined;
    });
    return isSame ? turn.hits : undefined;
  }

  note(key: string, shown: ReadonlySet<MemoryId>, hits: Turn["hits"], at: Instant): void {
    this.#turns.delete(key);
    this.#turns.set(key, { hits: hits.filter(({ memory }) => shown.has(memory.id)), at });
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > maxTurns && oldest !== undefined) this.#turns.delete(oldest);
  }
}

/** Names a turn: who asks, what and where in the conversation, and all that its memories depend on but the time. */
export function turnKey(
  { tenant }: Principal,
  request: CheckedRecallRequest,
  { text, position }: TurnQuestion,
  context: readonly unknown[],
): string {
  const { evaluationTime: _, recordUsage: __, ...recall } = request;
  return sha256(JSON.stringify([tenant, text, position, recall, ...context]));
}
