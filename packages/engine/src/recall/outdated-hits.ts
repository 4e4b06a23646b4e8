import {
  isConversationTurn,
  markOutdated,
  markOutdatedValues,
  type OutdatedTurn,
  outdatedTurns,
  type ReplacingMemory,
  type ShownMemory,
} from "@loci/core";
import {
  formatScope,
  isNonEmpty,
  type Memory,
  type MemoryId,
  type OutdatedMark,
  type RecallHit,
  type Scope,
} from "@loci/domain";
import type { Ledger, MemoryPlace, StoredMemory } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import type { DeclaredMetadata } from "../projections/declared-metadata.ts";
import type { CandidateSource } from "./candidate-source.ts";
import { isAboutThePast } from "./open-candidates.ts";
import { replacingMemories } from "./replacing-memories.ts";
import { recallConditions, resolveRows } from "./resolve-candidates.ts";
import type { CheckedRecallRequest } from "./validate-recall-request.ts";

export interface OutdatedReading {
  readonly services: { readonly ledger: Pick<Ledger, "atPositions" | "memories">; readonly metadata: DeclaredMetadata };
  readonly call: Call;
  /** What was recalled by. */
  readonly request: CheckedRecallRequest;
}

/** What else is shown with the hits. */
export interface ShownBeside {
  /** What stands there whatever was asked. */
  readonly standing: readonly ShownMemory[];
  /** How what holds in the place of something is shown though nothing found it, as far as it is. */
  readonly unfound: (holding: readonly StoredMemory[]) => ReadonlyMap<MemoryId, ReplacingMemory>;
  /** Reads what stands at places, as whoever found the hits does: it may have been read along. Default: the ledger. */
  readonly atPositions: CandidateSource["atPositions"] | undefined;
}

/**
 * Says of the hits of one request what is over: of older values of slots, and of turns of conversations. What was captured of a turn is
 * closed when it is replaced; the turn stays, for whatever else it says. Nothing is told of what the request could not recall: neither
 * when it ended nor what took its place.
 *
 * What it has read it does not read again for further hits.
 */
export class OutdatedHits {
  readonly #reading: OutdatedReading;
  /** By turn: what of it is over, if anything is. */
  readonly #turns = new Map<MemoryId, OutdatedTurn | undefined>();
  /** By what took a place first: what holds there, if anything does. */
  readonly #holding = new Map<MemoryId, StoredMemory | undefined>();

  constructor(reading: OutdatedReading) {
    this.#reading = reading;
  }

  /** The hits with their marks, each behind what holds in its place. */
  async mark(
    hits: readonly RecallHit[],
    { standing, unfound, atPositions }: Partial<ShownBeside> = {},
  ): Promise<readonly RecallHit[]> {
    const valued = markOutdatedValues(hits, standing);
    // What was known at a time that is past said nothing of what came later.
    if (isAboutThePast(this.#reading.request)) return valued;
    const turns = hits.map(({ memory }) => memory).filter(isConversationTurn);
    await this.#readTurns(
      turns.filter(({ id }) => !this.#turns.has(id)),
      atPositions,
    );
    const over = new Map<MemoryId, OutdatedTurn>();
    for (const { id } of turns) {
      const turn = this.#turns.get(id);
      if (turn !== undefined) over.set(id, turn);
    }
    if (over.size === 0) return valued;
    const found = new Set(hits.map(({ memory }) => memory.id));
    const replaced = [...new Set([...over.values()].flatMap(({ by }) => [...by]))].filter((id) => !found.has(id));
    await this.#readHolding(replaced.filter((id) => !this.#holding.has(id)));
    const holding = replaced.flatMap((id) => this.#holding.get(id) ?? []).filter(({ memory }) => !found.has(memory.id));
    const marks = new Map([...over].map(([id, turn]) => [id, this.#markOf(turn, found)]));
    return markOutdated(valued, marks, unfound?.(holding));
  }

  #markOf({ since, by }: OutdatedTurn, found: ReadonlySet<MemoryId>): OutdatedMark {
    // What was found holds itself.
    const holding = [...by].flatMap((id) => (found.has(id) ? id : (this.#holding.get(id)?.memory.id ?? [])));
    return { since, isInPart: true, replacedBy: [...new Set(holding)] };
  }

  async #readTurns(turns: readonly Memory[], atPositions: ShownBeside["atPositions"]): Promise<void> {
    const { services, call, request } = this.#reading;
    const { where, evaluationTime, validAt } = request;
    const scopes = new Map<string, Scope>();
    const places: MemoryPlace[] = [];
    for (const { id, scope, provenance: { sourceId, position } = {} } of turns) {
      this.#turns.set(id, undefined);
      if (sourceId === undefined || position === undefined) continue;
      scopes.set(formatScope(scope), scope);
      places.push({ sourceId, position, besides: id });
    }
    const asked = [...scopes.values()];
    if (!isNonEmpty(asked)) return;
    const { signal, principal } = call;
    const beside = await (atPositions === undefined
      ? services.ledger.atPositions(principal.tenant, asked, places, { signal })
      : atPositions(places));
    const seen = beside
      .map(({ memory }) => memory)
      .filter(
        (memory) =>
          (memory.expiresAt === undefined || memory.expiresAt > evaluationTime) &&
          (where === undefined || services.metadata.matches(where, memory)),
      );
    for (const [id, turn] of outdatedTurns(turns, seen, validAt ?? evaluationTime)) this.#turns.set(id, turn);
  }

  async #readHolding(ids: readonly MemoryId[]): Promise<void> {
    const { services, call, request } = this.#reading;
    const conditions = recallConditions(request, services.metadata);
    const holds = (stored: StoredMemory): boolean => {
      const { id } = stored.memory;
      return resolveRows([id], new Map([[id, stored]]), request.where, conditions).usable.length > 0;
    };
    const { tenant } = call.principal;
    const holding = await replacingMemories(services.ledger, tenant, { ids, holds }, { signal: call.signal });
    for (const id of ids) this.#holding.set(id, holding.get(id));
  }
}
