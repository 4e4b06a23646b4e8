import type { RotationStrategy } from "@loci/core";
import type { KeyedLock } from "../calls/keyed-lock.ts";
import type { MemoryServices } from "../memories/memory-services.ts";
import type { RecallServices } from "../recall/recall-services.ts";

/** How long blocks may be, and when human blocks are rotated. */
export interface BlockSettings {
  /** Most UTF-16 units of a block's text form in a context; documents have caps of their own. */
  readonly maxChars: number;
  readonly rotation: RotationStrategy;
  /** Where the adaptive threshold of every owner begins. */
  readonly threshold: number;
}

/** What it takes to keep blocks, and to make memories of what leaves them. */
export interface BlockServices extends MemoryServices, RecallServices {
  readonly blockSettings: BlockSettings;
  /** One writer at a time for each owner. */
  readonly blockOwners: KeyedLock;
}
