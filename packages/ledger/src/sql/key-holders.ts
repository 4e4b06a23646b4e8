import type { Ref } from "@loci/domain";

/** Which memory has which key: as the database says, and as batches change it. */
export class KeyHolders {
  readonly #before: KeyHolders | undefined;
  /** By place, as `placedKey` gives it; `undefined`: it was freed. */
  readonly #holders = new Map<string, Ref | undefined>();
  readonly #places = new Map<Ref, string | undefined>();

  /** @param known the memories that have the keys that batches want, by `placedKey` */
  constructor(known: ReadonlyMap<string, Ref>, before?: KeyHolders) {
    this.#before = before;
    for (const [place, ref] of known) this.hold(place, ref);
  }

  /** The same, to be changed without changing these. */
  copy(): KeyHolders {
    return new KeyHolders(new Map(), this);
  }

  holderOf(place: string): Ref | undefined {
    return this.#holders.has(place) ? this.#holders.get(place) : this.#before?.holderOf(place);
  }

  hold(place: string, ref: Ref): void {
    this.#holders.set(place, ref);
    this.#places.set(ref, place);
  }

  /** Its memory was forgotten. Does nothing for one that has none of the wanted keys. */
  free(ref: Ref): void {
    const place = this.#placeOf(ref);
    if (place === undefined) return;
    this.#places.set(ref, undefined);
    if (this.holderOf(place) === ref) this.#holders.set(place, undefined);
  }

  #placeOf(ref: Ref): string | undefined {
    if (this.#places.has(ref) || this.#before === undefined) return this.#places.get(ref);
    return this.#before.#placeOf(ref);
  }
}
