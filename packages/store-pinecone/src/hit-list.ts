import type { Ref } from "@loci/domain";
import type { VectorHit } from "@loci/store";
import type { FoundRecord } from "./records.ts";

interface Hit {
  version: number;
  readonly cosines: (number | undefined)[];
}

/** What the searches of several query vectors have found, each row once. */
export class HitList {
  readonly #queries: number;
  readonly #hits = new Map<Ref, Hit>();

  constructor(queries: number) {
    this.#queries = queries;
  }

  /** @param query place of the query vector whose cosine this is */
  add({ ref, version }: FoundRecord, query: number, cosine: number): void {
    const hit = this.#hits.get(ref);
    if (hit === undefined || hit.version < version)
      this.#hits.set(ref, { version, cosines: Array.from({ length: this.#queries }, () => undefined) });
    const current = this.#hits.get(ref) as Hit;
    if (current.version === version) current.cosines[query] = cosine;
  }

  /** By the best cosine that is known, then by ref. */
  sorted(): readonly VectorHit[] {
    const best = ({ cosines }: VectorHit): number => Math.max(...cosines.map((cosine) => cosine ?? -Infinity));
    return [...this.#hits]
      .map(([ref, { version, cosines }]): VectorHit => ({ ref, version, cosines }))
      .toSorted((left, right) => best(right) - best(left) || (left.ref < right.ref ? -1 : 1));
  }
}
