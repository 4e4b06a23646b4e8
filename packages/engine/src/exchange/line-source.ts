import type { ExportedType, MemoryId, Ref, Scope, TenantId } from "@loci/domain";
import type { Ledger, LogEntry, StoredMemory, StoredResource } from "@loci/ledger";

/** What a line says besides its format and place. */
export interface LineContent {
  readonly type: ExportedType;
  readonly fields: object;
}

/** What it takes to make lines of entries. */
export interface LineSource {
  readonly ledger: Ledger;
  readonly tenant: TenantId;
  /** Whether the export may tell of a scope. */
  readonly permits: (scope: Scope) => boolean;
  readonly signal: AbortSignal;
  /** The memories that evidence among the entries rests on, as they are now. */
  readonly cited: ReadonlyMap<MemoryId, StoredMemory>;
  /** The last version of each block that a line was made of, so that the next one need not look it up. */
  readonly lastCommits: Map<Ref, { readonly version: number; readonly commitId: string }>;
}

/** The lines of an entry, of a resource as it is now. None: what it says is said by a later entry, or is not exported. */
export type LinesOf = (
  source: LineSource,
  entry: LogEntry,
  resource: StoredResource,
) => readonly LineContent[] | Promise<readonly LineContent[]>;
