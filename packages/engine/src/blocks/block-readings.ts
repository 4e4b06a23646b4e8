import type { Ref, TenantId, Version } from "@loci/domain";
import type { ShownBlock } from "./shown-block.ts";

export interface BlockReadingsOptions {
  /** What is kept of all owners, in UTF-16 units: of each block its text and 300 more. Default 8,000,000. */
  readonly maxLength?: number | undefined;
}

/** An owner's blocks are these as long as the owner is at this version: each change of a block writes it. */
interface Kept {
  readonly ref: Ref;
  readonly version: Version;
  /** By label; `undefined` for one that could not be read. */
  readonly blocks: Map<string, ShownBlock | undefined>;
  size: number;
}

/** What names the state that an owner's blocks are in. */
export interface OwnerReading {
  readonly tenant: TenantId;
  /** Such as `user:alice`. */
  readonly owner: string;
  readonly ref: Ref;
  readonly version: Version;
}

/** Blocks as contexts show them, kept from one assembly to the next: nothing of an owner who has not changed is read again. */
export class BlockReadings {
  readonly #maxLength: number;
  /** By tenant and owner, the longest unused first. */
  readonly #kept = new Map<string, Kept>();
  #size = 0;

  constructor({ maxLength = 8_000_000 }: BlockReadingsOptions = {}) {
    this.#maxLength = maxLength;
  }

  /** The blocks that are known of an owner in this state, by label. */
  of({ tenant, owner, ref, version }: OwnerReading): ReadonlyMap<string, ShownBlock | undefined> {
    const key = keyOf(tenant, owner);
    const kept = this.#kept.get(key);
    if (kept === undefined) return new Map();
    if (kept.ref !== ref || kept.version !== version) {
      // Somebody may have read the owner before it was changed: what is newer stays.
      if (kept.ref !== ref || kept.version < version) this.#forget(key, kept);
      return new Map();
    }
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.blocks;
  }

  /** Keeps what was read of an owner in this state. */
  keep({ tenant, owner, ref, version }: OwnerReading, blocks: ReadonlyMap<string, ShownBlock | undefined>): void {
    const key = keyOf(tenant, owner);
    const known = this.#kept.get(key);
    if (known !== undefined && known.ref === ref && known.version > version) return;
    const isSame = known?.ref === ref && known.version === version;
    if (known !== undefined && !isSame) this.#forget(key, known);
    const kept: Kept = isSame ? known : { ref, version, blocks: new Map(), size: 0 };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    for (const [label, block] of blocks) {
      if (kept.blocks.has(label)) continue;
      kept.blocks.set(label, block);
      const size = 300 + (block?.text.length ?? 0);
      kept.size += size;
      this.#size += size;
    }
    for (const [oldest, unused] of this.#kept) {
      if (this.#size <= this.#maxLength) return;
      this.#forget(oldest, unused);
    }
  }

  /** Forgets an owner that has no blocks, which may be because it was erased. */
  forget(tenant: TenantId, owner: string): void {
    const key = keyOf(tenant, owner);
    const kept = this.#kept.get(key);
    if (kept !== undefined) this.#forget(key, kept);
  }

  #forget(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.#size -= kept.size;
  }
}

function keyOf(tenant: TenantId, owner: string): string {
  return `${tenant}\n${owner}`;
}
