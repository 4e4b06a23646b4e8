import type { Ref, Version } from "@loci/domain";
import { IndexHead } from "./index-head.ts";
import type { RowChange } from "./index-row.ts";
import type { StoredSegment } from "./index-storage.ts";
import type { HeadIndex, IndexKind, Payload } from "./payload.ts";
import { packRef, refBytes, unpackRef } from "./ref-bytes.ts";
import type { Segment } from "./segment.ts";

/** The ref that is looked for just now, as every segment compares it. */
const askedBytes = new Uint8Array(refBytes);
const askedWords = new Uint32Array(askedBytes.buffer);

/** Where an entry that is not dead is found. */
export type Place<Content, Kind extends Payload> =
  | { readonly change: RowChange<Content> }
  | { readonly segment: Segment<Kind>; readonly entry: number };

/** What an index holds in memory: segments, the oldest first, and the changes since. Every ref has one entry that counts. */
export class IndexRows<Content, Kind extends Payload, Head extends HeadIndex<Content>> {
  readonly #kind: IndexKind<Content, Kind, Head>;
  #stored: readonly StoredSegment<Kind>[] = [];
  #head: IndexHead<Content, Head>;

  constructor(kind: IndexKind<Content, Kind, Head>) {
    this.#kind = kind;
    this.#head = new IndexHead(kind.newHead());
  }

  get stored(): readonly StoredSegment<Kind>[] {
    return this.#stored;
  }

  get head(): IndexHead<Content, Head> {
    return this.#head;
  }

  get liveRows(): number {
    return this.#stored.reduce((sum, { segment }) => sum + segment.liveRows, this.#head.liveRows);
  }

  /** Takes over segments that were just read. */
  load(stored: readonly StoredSegment<Kind>[]): void {
    for (const { segment } of stored)
      for (let row = 0; row < segment.rows; row++) if (segment.isDead(row)) this.#kind.rowDied?.(segment.payload, row);
    this.#stored = stored;
  }

  /** Puts other segments in the place of those there are, with the same entries that count. */
  replaceSegments(stored: readonly StoredSegment<Kind>[]): void {
    this.#stored = stored;
  }

  /** Begins a head: what was in the last one is in the segments now. */
  beginHead(stored: readonly StoredSegment<Kind>[]): void {
    this.#stored = stored;
    this.#head = new IndexHead(this.#kind.newHead());
  }

  take(change: RowChange<Content>): void {
    const place = this.find(change.ref);
    if (place !== undefined) {
      const { version, isTombstone } = stateOf(place);
      // A row gives way to its own version, as when its vector comes later; a tombstone only to a newer one.
      if (change.version < version || (isTombstone && change.version === version)) return;
      if ("segment" in place) this.kill(place.segment, place.entry);
    }
    this.#head.put(change);
  }

  kill(segment: Segment<Kind>, entry: number): void {
    if (segment.kill(entry) && !segment.isTombstone(entry)) this.#kind.rowDied?.(segment.payload, entry);
  }

  /** The place of the row or tombstone of a ref that counts. */
  find(ref: Ref): Place<Content, Kind> | undefined {
    const change = this.#head.find(ref);
    if (change !== undefined) return { change };
    return packRef(ref, askedBytes, 0) ? this.#findAsked() : undefined;
  }

  /** As `find`, of a ref in bytes. */
  findPacked(refs: Uint8Array, offset: number): Place<Content, Kind> | undefined {
    for (let at = 0; at < refBytes; at++) askedBytes[at] = refs[offset + at] as number;
    // What a change of the head supersedes is dead, so that it does not matter where is looked first.
    const place = this.#findAsked();
    if (place !== undefined || this.#head.size === 0) return place;
    const change = this.#head.find(unpackRef(refs, offset));
    return change === undefined ? undefined : { change };
  }

  /** In the segments: the oldest have most rows. */
  #findAsked(): Place<Content, Kind> | undefined {
    for (const { segment } of this.#stored) {
      const entry = segment.find(askedWords);
      if (entry >= 0) return { segment, entry };
    }
    return undefined;
  }
}

function stateOf<Content>(place: Place<Content, Payload>): { version: Version; isTombstone: boolean } {
  if ("change" in place) return { version: place.change.version, isTombstone: place.change.scope === undefined };
  const { segment, entry } = place;
  return { version: segment.refs.version(entry), isTombstone: segment.isTombstone(entry) };
}
