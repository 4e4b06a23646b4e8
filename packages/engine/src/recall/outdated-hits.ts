import {
  heldSince,
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
import type { BesideFound } from "./candidate-source.ts";
import { isAboutThePast } from "./open-candidates.ts";
import { replacingMemories } from "./replacing-memories.ts";
import { recallConditions, resolveRows } from "./resolve-candidates.ts";
import { type SlotPlace, slotPlaceKey, slotPlacesOf, valuesAtSlots } from "./slot-places.ts";
import type { CheckedRecallRequest } from "./validate-recall-request.ts";

export interface OutdatedReading {
  readonly services: {
    readonly ledger: Pick<Ledger, "atPositions" | "bySlots" | "memories">;
    readonly metadata: DeclaredMetadata;
  };
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
  /** As whoever found the hits reads it. Default: the ledger. */
  readonly besideFound: BesideFound | undefined;
}

/**
 * Says of the hits of one request what is over: of older values of slots, whether the newer one was found or not, and of turns of
 * conversations. What was captured of a turn is closed when it is replaced; the turn stays, for whatever else it says. Nothing is told of what the request could not recall: neither
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
  /** By slot and scope: the values that the request could recall. */
  readonly #values = new Map<string, readonly StoredMemory[]>();

  constructor(reading: OutdatedReading) {
    this.#reading = reading;
  }

  /** The hits with their marks, each behind what holds in its place. */
  async mark(
    hits: readonly RecallHit[],
    { standing = [], unfound, besideFound }: Partial<ShownBeside> = {},
  ): Promise<readonly RecallHit[]> {
    const memories = hits.map(({ memory }) => memory);
    const values = await this.#readValues(slotPlacesOf(memories), besideFound);
    const valued = markOutdatedValues(hits, [...standing, ...values]);
    const found = new Set(memories.map(({ id }) => id));
    const shown = new Set([...found, ...standing.map(({ memory }) => memory.id)]);
    const marks = unfoundValues(valued, shown);
    const newer = new Set([...marks.values()].flatMap(({ replacedBy }) => replacedBy));
    const holding = values.filter(({ memory: { id } }) => newer.has(id) && !shown.has(id));
    // What was known at a time that is past said nothing of turns that came later.
    const turns = isAboutThePast(this.#reading.request) ? [] : memories.filter(isConversationTurn);
    await this.#readTurns(
      turns.filter(({ id }) => !this.#turns.has(id)),
      besideFound,
    );
    const over = new Map<MemoryId, OutdatedTurn>();
    for (const { id } of turns) {
      const turn = this.#turns.get(id);
      if (turn !== undefined) over.set(id, turn);
    }
    if (over.size === 0 && marks.size === 0) return valued;
    const replaced = [...new Set([...over.values()].flatMap(({ by }) => [...by]))].filter((id) => !found.has(id));
    await this.#readHolding(replaced.filter((id) => !this.#holding.has(id)));
    holding.push(
      ...replaced.flatMap((id) => this.#holding.get(id) ?? []).filter(({ memory }) => !found.has(memory.id)),
    );
    for (const [id, turn] of over) marks.set(id, this.#markOf(turn, found));
    return markOutdated(valued, marks, unfound?.(holding));
  }

  #markOf({ since, by }: OutdatedTurn, found: ReadonlySet<MemoryId>): OutdatedMark {
    // What was found holds itself.
    const holding = [...by].flatMap((id) => (found.has(id) ? id : (this.#holding.get(id)?.memory.id ?? [])));
    return { since, isInPart: true, replacedBy: [...new Set(holding)] };
  }

  /** What the ledger has of slots, as far as the request could recall it. */
  async #readValues(
    places: readonly SlotPlace[],
    besideFound: BesideFound | undefined,
  ): Promise<readonly StoredMemory[]> {
    const unread = places.filter((place) => !this.#values.has(slotPlaceKey(place)));
    if (unread.length > 0) {
      const { services, call } = this.#reading;
      const read = await (besideFound === undefined
        ? valuesAtSlots(services.ledger, call.principal.tenant, unread, { signal: call.signal })
        : besideFound.valuesAtSlots(unread));
      const byPlace = Map.groupBy(
        read.filter((stored) => this.#holdsByNow(stored) && this.#couldBeRecalled(stored)),
        ({ memory: { scope, slot = "" } }) => slotPlaceKey({ scope, slot }),
      );
      for (const place of unread) this.#values.set(slotPlaceKey(place), byPlace.get(slotPlaceKey(place)) ?? []);
    }
    return places.flatMap((place) => this.#values.get(slotPlaceKey(place)) ?? []);
  }

  /** Whether it was so, or was said, by the time that is asked about. */
  #holdsByNow({ memory }: StoredMemory): boolean {
    const { validAt, evaluationTime } = this.#reading.request;
    return heldSince(memory) <= (validAt ?? evaluationTime);
  }

  #couldBeRecalled(stored: StoredMemory): boolean {
    const { services, request } = this.#reading;
    const { id } = stored.memory;
    const conditions = recallConditions(request, services.metadata);
    return resolveRows([id], new Map([[id, stored]]), request.where, conditions).usable.length > 0;
  }

  async #readTurns(turns: readonly Memory[], besideFound: BesideFound | undefined): Promise<void> {
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
    const beside = await (besideFound === undefined
      ? services.ledger.atPositions(principal.tenant, asked, places, { signal })
      : besideFound.atPositions(places));
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
    const { services, call } = this.#reading;
    const holds = (stored: StoredMemory): boolean => this.#couldBeRecalled(stored);
    const { tenant } = call.principal;
    const holding = await replacingMemories(services.ledger, tenant, { ids, holds }, { signal: call.signal });
    for (const id of ids) this.#holding.set(id, holding.get(id));
  }
}

/** The marks of older values of which something that holds is shown nowhere. */
function unfoundValues(hits: readonly RecallHit[], shown: ReadonlySet<MemoryId>): Map<MemoryId, OutdatedMark> {
  const marks = new Map<MemoryId, OutdatedMark>();
  for (const { memory, outdated } of hits)
    if (outdated?.isInPart === false && outdated.replacedBy.some((id) => !shown.has(id)))
      marks.set(memory.id, outdated);
  return marks;
}
