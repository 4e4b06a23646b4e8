import type { ContentHash, Instant, Sequence, TenantId } from "@loci/domain";
import { type Committed, type Family, memoriesFamily } from "@loci/ledger";
import type { EncodedChange, EncodedCommit, EntryRow } from "@loci/ledger/sql";

/** UTF-16 units of records in the commits that are kept, together. */
const maxUnits = 4_194_304;
/** Of the commits that are kept, together. */
const maxEntries = 16_384;

/** A removal's record is made of the version before it, by the writer. */
type KeptChange = Exclude<EncodedChange, { readonly type: "memoryRemoved" }>;

/** A commit that was acknowledged. */
interface KeptCommit {
  readonly tenant: TenantId;
  /** Of its first entry. Each change has one, in order. */
  readonly first: Sequence;
  readonly last: Sequence;
  readonly recordedAt: Instant;
  readonly changes: readonly KeptChange[];
  readonly author: EncodedCommit["author"];
  readonly reason: EncodedCommit["reason"];
  readonly units: number;
}

/** Where a reader of the log is, and how far it wants to go. */
export interface WantedEntries {
  readonly tenant: TenantId;
  readonly after: Sequence;
  /** As far as the log goes. */
  readonly head: Sequence;
  readonly limit: number;
  readonly families: readonly Family[] | undefined;
}

export interface WrittenRows {
  readonly rows: readonly EntryRow[];
  /** There is no other entry of the families up to here. */
  readonly through: Sequence;
}

/**
 * What was committed last, as rows of the log: who follows it reads what was just written, and need not get it from the file again.
 * The oldest commits go first.
 */
export class WrittenEntries {
  readonly #byTenant = new Map<TenantId, KeptCommit[]>();
  #inOrder: KeptCommit[] = [];
  #units = 0;
  #entries = 0;

  /** To be called in the order of the acknowledgements. */
  keep({ tenant, changes, author, reason }: EncodedCommit, { sequence, recordedAt }: Committed): void {
    if (changes.length === 0 || changes.length > maxEntries || !changes.every(isKept)) return;
    const units = changes.reduce((sum, change) => sum + (recordOf(change)?.length ?? 0), 0);
    if (units > maxUnits) return;
    const first = sequence - changes.length + 1;
    const kept: KeptCommit = { tenant, first, last: sequence, recordedAt, changes, author, reason, units };
    const ofTenant = this.#byTenant.get(tenant);
    if (ofTenant === undefined) this.#byTenant.set(tenant, [kept]);
    else ofTenant.push(kept);
    this.#inOrder.push(kept);
    this.#units += units;
    this.#entries += changes.length;
    while (this.#units > maxUnits || this.#entries > maxEntries) this.#dropOldest();
  }

  /** The entries right behind a place, as far as they are known. */
  read({ tenant, after, head, limit, families }: WantedEntries): WrittenRows {
    const rows: EntryRow[] = [];
    let through = after;
    const commits = this.#byTenant.get(tenant) ?? [];
    for (let at = placeBehind(commits, after); at < commits.length; at++) {
      const kept = commits[at] as KeptCommit;
      if (kept.first > through + 1) break;
      while (through < kept.last && through < head && rows.length < limit) {
        const row = rowOf(kept, ++through);
        if (families === undefined || families.includes(row.family)) rows.push(row);
      }
    }
    return { rows, through };
  }

  /** Forgets everything. */
  forget(): void {
    this.#byTenant.clear();
    this.#inOrder = [];
    this.#units = 0;
    this.#entries = 0;
  }

  #dropOldest(): void {
    const oldest = this.#inOrder.shift();
    if (oldest === undefined) return;
    this.#units -= oldest.units;
    this.#entries -= oldest.changes.length;
    const ofTenant = this.#byTenant.get(oldest.tenant);
    ofTenant?.shift();
    if (ofTenant?.length === 0) this.#byTenant.delete(oldest.tenant);
  }
}

/** The place of the first commit that reaches beyond a sequence. */
function placeBehind(commits: readonly KeptCommit[], sequence: Sequence): number {
  let from = 0;
  let to = commits.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((commits[middle] as KeptCommit).last <= sequence) from = middle + 1;
    else to = middle;
  }
  return from;
}

function isKept(change: EncodedChange): change is KeptChange {
  return change.type !== "memoryRemoved";
}

function recordOf(change: KeptChange): string | null {
  if (change.type === "memoryWritten") return change.record;
  return change.type === "resource" ? (change.written?.payload ?? null) : null;
}

function rowOf({ first, recordedAt, changes, author, reason }: KeptCommit, sequence: Sequence): EntryRow {
  const change = changes[sequence - first] as KeptChange;
  const { ref, version } = change;
  const isResource = change.type === "resource";
  return {
    sequence,
    recorded_at: recordedAt,
    family: isResource ? change.family : memoriesFamily,
    type: isResource ? change.kind : change.type,
    ref,
    version,
    subject: author.subject ?? null,
    activity: author.activity ?? null,
    reason: reason ?? null,
    content_hash: isResource ? ("" as ContentHash) : change.contentHash,
    record: recordOf(change),
    space: change.type === "embeddingRecorded" ? change.space : null,
  };
}
