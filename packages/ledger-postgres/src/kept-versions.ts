import { formatScope, type Ref, type Scope, type TenantId } from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";
import { RecentlyRead } from "./recently-read.ts";

/** Versions that are kept: those of some 20,000 memories. */
const mostBytes = 32 * 1024 * 1024;
/** What a version takes in bytes beside its text, its tags and its metadata, about. */
const bytesOfRest = 1_200;
const mostPlaces = 20_000;
/** So many memories of one place are found again by it. More are read once more. */
const mostAtPlace = 8;

/**
 * Versions of memories that were read lately, without their usage: a version never changes, and the database says with every
 * answer which of them are still current. Found by ref, and beside others by the place they cite or the slot they have.
 */
export class KeptVersions {
  readonly #versions = new RecentlyRead<Ref, StoredMemory>({ mostWeight: mostBytes, weightOf: bytesOf });
  /** By `placeKey` and by `slotKey`. */
  readonly #atPlaces = new RecentlyRead<string, readonly Ref[]>({ mostWeight: mostPlaces, weightOf: () => 1 });

  /** As `RecentlyRead` has it. */
  get purges(): number {
    return this.#versions.purges;
  }

  get(tenant: TenantId, refs: readonly Ref[]): ReadonlyMap<Ref, StoredMemory> {
    return this.#versions.get(tenant, refs);
  }

  /** Those that cite the places of these, or places just before and after, and those with their slots. */
  beside(tenant: TenantId, memories: Iterable<StoredMemory>): readonly StoredMemory[] {
    const places: string[] = [];
    for (const { memory } of memories) {
      if (memory.slot !== undefined) places.push(slotKey(memory.scope, memory.slot));
      if (memory.provenance?.position !== undefined) {
        const { sourceId, position } = memory.provenance;
        for (const beside of [position - 1, position, position + 1]) places.push(placeKey(sourceId, beside));
      }
    }
    const refs = new Set([...this.#atPlaces.get(tenant, places).values()].flat());
    return [...this.#versions.get(tenant, [...refs]).values()];
  }

  /** Several callers are given it from now on, so nobody can change it. */
  keep(tenant: TenantId, stored: StoredMemory): void {
    const { id, provenance, scope, slot } = stored.memory;
    this.#versions.set(tenant, id, { ...stored, memory: frozen(stored.memory) });
    if (slot !== undefined) this.#place(tenant, slotKey(scope, slot), id);
    if (provenance?.position !== undefined) this.#place(tenant, placeKey(provenance.sourceId, provenance.position), id);
  }

  #place(tenant: TenantId, place: string, id: Ref): void {
    const refs = this.#atPlaces.get(tenant, [place]).get(place) ?? [];
    if (!refs.includes(id)) this.#atPlaces.set(tenant, place, [id, ...refs.slice(0, mostAtPlace - 1)]);
  }

  /** All of them: some were, or are about to be, purged. */
  forget(): void {
    this.#versions.forget();
    this.#atPlaces.forget();
  }
}

/** No identifier holds a line break. */
function placeKey(sourceId: string, position: number): string {
  return `${sourceId}\n${position}`;
}

/** Begins with a line break, as no place does. */
function slotKey(scope: Scope, slot: string): string {
  return `\n${formatScope(scope)}\n${slot}`;
}

/** With everything in it. */
function frozen<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) if (typeof part === "object" && part !== null) frozen(part as object);
  return Object.freeze(value);
}

function bytesOf({ memory: { text, tags, metadata } }: StoredMemory): number {
  let characters = text.length;
  for (const tag of tags) characters += tag.length;
  for (const [name, value] of Object.entries(metadata)) characters += name.length + String(value).length;
  return 2 * characters + bytesOfRest;
}
