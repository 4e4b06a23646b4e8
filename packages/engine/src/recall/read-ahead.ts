import { formatScope, type NonEmpty, type Ref, sameScope, type Scope, type TenantId } from "@loci/domain";
import type { Ledger, StoredMemory } from "@loci/ledger";
import type { TextHit } from "@loci/store";
import type { Overlay } from "../projections/overlay.ts";
import type { SearchServices } from "../projections/searched-indexes.ts";
import type { SourcePlace } from "./candidate-source.ts";
import type { FoundRows } from "./found-rows.ts";
import { type SlotPlace, slotPlaceKey, valuesAtSlots } from "./slot-places.ts";

/** What is read for a recall before it is asked for. */
export interface ReadAheadCall {
  readonly tenant: TenantId;
  readonly scopes: NonEmpty<Scope>;
  /** What words are counted of. */
  readonly terms: readonly string[];
  readonly overlay: Overlay;
  /** Whether turns beside those that were found will be asked for. */
  readonly wantsNeighbours: boolean;
  readonly signal: AbortSignal;
}

/**
 * With a ledger on another machine every answer is waited for, so what a recall will most likely ask next goes along with
 * what it asks now: the words of rows that only nearness found with their memories, and what stands at their places and beside. It is what
 * would be read later, and no hit depends on it.
 */
export class ReadAhead {
  readonly #services: SearchServices;
  readonly #withNeighbours: NonNullable<Ledger["withNeighbours"]>;
  readonly #call: ReadAheadCall;
  readonly #askedWords = new Set<Ref>();
  readonly #words: Promise<readonly TextHit[]>[] = [];
  /** Active memories, as they were read: those that were asked for, and what stands at their places and beside. */
  readonly #read: StoredMemory[] = [];
  /** Beside which it has been looked, by `keyOf`. */
  readonly #covered = new Set<string>();
  /** Active memories with slots, as they were read: those that were asked for, and other values of their slots. */
  readonly #valued: StoredMemory[] = [];
  /** Slots of which all values were read, by `slotPlaceKey`. */
  readonly #coveredSlots = new Set<string>();

  private constructor(
    services: SearchServices,
    withNeighbours: NonNullable<Ledger["withNeighbours"]>,
    call: ReadAheadCall,
  ) {
    this.#services = services;
    this.#withNeighbours = withNeighbours;
    this.#call = call;
  }

  /** `undefined` where the ledger answers at once. */
  static of(services: SearchServices, call: ReadAheadCall): ReadAhead | undefined {
    const { ledger } = services;
    const withNeighbours = ledger.withNeighbours?.bind(ledger);
    return withNeighbours === undefined ? undefined : new ReadAhead(services, withNeighbours, call);
  }

  /** Has the words counted of rows that were found without them. */
  words({ rows }: FoundRows): void {
    const { tenant, terms, overlay, signal } = this.#call;
    const refs = rows.flatMap(({ ref, words }) =>
      words !== undefined || overlay.refs.has(ref) || this.#askedWords.has(ref) ? [] : [ref],
    );
    if (refs.length === 0) return;
    for (const ref of refs) this.#askedWords.add(ref);
    const asked = this.#services.textIndex.frequencies(tenant, refs, terms, { signal });
    // Its failure is that of whoever waits for it.
    asked.catch(() => undefined);
    this.#words.push(asked);
  }

  /** Reads memories, and with them what stands at the places of those that are of one, and beside. */
  async memories(refs: readonly Ref[]): Promise<ReadonlyMap<Ref, StoredMemory>> {
    const { tenant, scopes, wantsNeighbours, signal } = this.#call;
    if (refs.length === 0) return new Map();
    if (!wantsNeighbours) return this.#services.ledger.memories(tenant, refs, { signal });
    const { memories, neighbours, sameSlot } = await this.#withNeighbours(tenant, scopes, refs, { signal });
    this.#read.push(...neighbours);
    this.#valued.push(...sameSlot);
    for (const stored of memories.values()) {
      const { scope, slot, state } = stored.memory;
      if (slot !== undefined && scopes.some((one) => sameScope(one, scope))) {
        this.#coveredSlots.add(slotPlaceKey({ scope, slot }));
        if (state === "active") this.#valued.push(stored);
      }
      const place = stored.memory.state === "active" ? placeOf(stored) : undefined;
      if (place === undefined) continue;
      this.#read.push(stored);
      for (const position of [place.position - 1, place.position, place.position + 1])
        this.#covered.add(keyOf({ sourceId: place.sourceId, position }));
    }
    return memories;
  }

  /** As the ledger's `atPositions`. What was read along is read no more. */
  async atPositions(places: NonEmpty<SourcePlace>): Promise<readonly StoredMemory[]> {
    const { tenant, scopes, signal } = this.#call;
    const numbers = new Map(places.map((place, number) => [keyOf(place), number]));
    const uncovered = places.filter((place) => !this.#covered.has(keyOf(place)));
    const read =
      uncovered.length === 0 ? [] : await this.#services.ledger.atPositions(tenant, scopes, uncovered, { signal });
    const found = new Map<Ref, { readonly stored: StoredMemory; readonly number: number }>();
    for (const stored of [...this.#read, ...read]) {
      const place = placeOf(stored);
      const number = place && numbers.get(keyOf(place));
      if (number !== undefined) found.set(stored.memory.id, { stored, number });
    }
    const scopeNumbers = new Map(scopes.map((scope, number) => [formatScope(scope), number]));
    const scopeNumber = ({ memory }: StoredMemory): number => scopeNumbers.get(formatScope(memory.scope)) ?? 0;
    return [...found.values()]
      .toSorted(
        (left, right) =>
          scopeNumber(left.stored) - scopeNumber(right.stored) ||
          left.number - right.number ||
          (left.stored.memory.id < right.stored.memory.id ? -1 : 1),
      )
      .map(({ stored }) => stored);
  }

  /** As `valuesAtSlots` of the ledger's. What was read along is read no more. */
  async valuesAtSlots(places: readonly SlotPlace[]): Promise<readonly StoredMemory[]> {
    const { tenant, signal } = this.#call;
    const uncovered = places.filter((place) => !this.#coveredSlots.has(slotPlaceKey(place)));
    const read = await valuesAtSlots(this.#services.ledger, tenant, uncovered, { signal });
    const wanted = new Set(places.map(slotPlaceKey));
    const found = new Map<Ref, StoredMemory>();
    for (const stored of [...this.#valued, ...read]) {
      const { id, scope, slot } = stored.memory;
      if (slot !== undefined && wanted.has(slotPlaceKey({ scope, slot }))) found.set(id, stored);
    }
    return [...found.values()];
  }

  /** The words that have been counted. Those of other rows are counted in their texts. */
  async counted(): Promise<readonly TextHit[]> {
    return (await Promise.all(this.#words)).flat();
  }
}

function placeOf({ memory: { provenance } }: StoredMemory): SourcePlace | undefined {
  if (provenance?.position === undefined) return undefined;
  return { sourceId: provenance.sourceId, position: provenance.position };
}

/** No identifier holds a line break. */
function keyOf({ sourceId, position }: SourcePlace): string {
  return `${sourceId}\n${position}`;
}
