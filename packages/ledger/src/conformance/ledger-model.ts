import type { ContentHash, Instant, MemoryUsage, Ref, Scope, Sequence } from "@loci/domain";
import { formatScope, heldAt, sameScope } from "@loci/domain";
import {
  type Change,
  type CommitBatch,
  type ListQuery,
  type LogEntry,
  memoryEntryOf,
  refOfChange,
  type StoredMemory,
  type UsageEntry,
  versionOfChange,
} from "../index.ts";

/** What a batch of memories comes to. */
export interface ModelBatch extends Pick<CommitBatch, "expect" | "embeddings"> {
  readonly changes: readonly Change[];
}

type ModelVersion = Omit<StoredMemory, "usage">;

/** One tenant of a ledger as the contract says it, by the simplest means: lists, filters and sorting. */
export class LedgerModel {
  readonly log: LogEntry[] = [];
  readonly #versions = new Map<Ref, ModelVersion[]>();
  readonly #usage = new Map<Ref, MemoryUsage>();
  readonly #embedded = new Set<ContentHash>();

  /** False, and nothing changed, when a version does not fit. */
  commit(batch: ModelBatch, now: Instant): boolean {
    if (batch.expect.some(({ ref, version }) => this.versionOf(ref) !== version)) return false;
    if (!fits(batch.changes, (ref) => this.versionOf(ref))) return false;
    const recordedAt = Math.max(now, this.log.at(-1)?.recordedAt ?? now);
    for (const { contentHash } of batch.embeddings ?? []) this.#embedded.add(contentHash);
    for (const change of batch.changes) this.#apply(change, this.log.length + 1, recordedAt);
    return true;
  }

  recordUsage(entries: readonly UsageEntry[]): void {
    for (const { ref, at } of entries) {
      if (!this.#versions.has(ref)) continue;
      const { accessCount, lastAccessedAt = at } = this.#usage.get(ref) ?? { accessCount: 0 };
      this.#usage.set(ref, { accessCount: accessCount + 1, lastAccessedAt: Math.max(lastAccessedAt, at) });
    }
  }

  versionOf(ref: Ref): number {
    return this.#versions.get(ref)?.length ?? 0;
  }

  versions(ref: Ref): StoredMemory[] {
    const usage = this.#usage.get(ref) ?? { accessCount: 0 };
    return (this.#versions.get(ref) ?? []).map((version) => ({ ...version, usage }));
  }

  current(): StoredMemory[] {
    return [...this.#versions.keys()].flatMap((ref) => this.versions(ref).slice(-1));
  }

  active(): StoredMemory[] {
    return this.current().filter(({ memory }) => memory.state === "active");
  }

  list(query: ListQuery, tags?: readonly string[]): StoredMemory[] {
    const { after, states = ["active"], validAt, withUnapproved = false } = query;
    const wanted = tags && new Set(tags.map((tag) => tag.toLowerCase()));
    return this.current()
      .filter(({ memory }) => states.includes(memory.state))
      .filter(({ memory }) => memory.state !== "deleted" || withUnapproved || !this.#waitedBefore(memory.id))
      .filter(({ memory }) => validAt === undefined || heldAt(memory, validAt))
      .filter(({ memory }) => query.scopes.some((scope) => sameScope(scope, memory.scope)))
      .filter(({ memory }) => query.categories?.includes(memory.category) ?? true)
      .filter(({ memory }) => memory.expiresAt === undefined || memory.expiresAt > query.evaluationTime)
      .filter(({ memory }) => wanted === undefined || memory.tags.some((tag) => wanted.has(tag.toLowerCase())))
      .toSorted((left, right) => newestFirst(keyOf(left), keyOf(right)))
      .filter((stored) => after === undefined || newestFirst(after, keyOf(stored)) < 0)
      .slice(0, query.limit);
  }

  #waitedBefore(ref: Ref): boolean {
    return this.versions(ref).at(-2)?.memory.state === "quarantined";
  }

  scopes(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { memory } of this.active()) {
      const name = formatScope(memory.scope);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return counts;
  }

  tags(scopes: readonly Scope[], category: string): ReadonlySet<string> {
    const tagged = this.active().filter(
      ({ memory }) => memory.category === category && scopes.some((scope) => sameScope(scope, memory.scope)),
    );
    return new Set(tagged.flatMap(({ memory }) => memory.tags.map((tag) => tag.toLowerCase())));
  }

  asKnownAt(scopes: readonly Scope[], knownAt: Instant): StoredMemory[] {
    return [...this.#versions.keys()]
      .flatMap((ref) => this.versions(ref).findLast(({ recordedAt }) => recordedAt <= knownAt) ?? [])
      .filter(({ memory }) => memory.state === "active")
      .filter(({ memory }) => scopes.some((scope) => sameScope(scope, memory.scope)))
      .toSorted((left, right) => left.sequence - right.sequence);
  }

  lastPosition(scope: Scope, sourceId: string): number | undefined {
    const positions = this.current()
      .filter(({ memory }) => sameScope(memory.scope, scope) && memory.provenance?.sourceId === sourceId)
      .flatMap(({ memory }) => memory.provenance?.position ?? []);
    return positions.length === 0 ? undefined : Math.max(...positions);
  }

  withoutEmbedding(): StoredMemory[] {
    return this.active()
      .filter(({ contentHash }) => !this.#embedded.has(contentHash))
      .toSorted((left, right) => left.sequence - right.sequence);
  }

  #apply(change: Change, sequence: Sequence, recordedAt: Instant): void {
    this.log.push({ sequence, recordedAt, ...memoryEntryOf(change), author: { subject: "local" } });
    if (change.type === "embeddingRecorded") return;
    const version = this.#versionMadeBy(change, sequence, recordedAt);
    this.#versions.set(version.memory.id, [...(this.#versions.get(version.memory.id) ?? []), version]);
  }

  #versionMadeBy(
    change: Exclude<Change, { type: "embeddingRecorded" }>,
    sequence: Sequence,
    recordedAt: Instant,
  ): ModelVersion {
    if (change.type === "memoryWritten")
      return { memory: change.memory, contentHash: change.contentHash, sequence, recordedAt };
    const before = this.#versions.get(change.ref)?.at(-1);
    if (before === undefined) throw new Error("The model removed what it does not have.");
    const { version, removedAt: updatedAt } = change;
    return { ...before, sequence, recordedAt, memory: { ...before.memory, version, updatedAt, state: "deleted" } };
  }
}

/** Do the changes make the versions that come next, one after the other? */
function fits(changes: readonly Change[], versionOf: (ref: Ref) => number): boolean {
  const versions = new Map<Ref, number>();
  for (const change of changes) {
    const ref = refOfChange(change);
    const current = versions.get(ref) ?? versionOf(ref);
    const version = versionOfChange(change);
    if (change.type === "embeddingRecorded") {
      if (version < 1 || version > current) return false;
      continue;
    }
    if (version !== current + 1 || (change.type === "memoryRemoved" && current === 0)) return false;
    versions.set(ref, version);
  }
  return true;
}

function keyOf({ memory }: StoredMemory): { readonly createdAt: Instant; readonly ref: Ref } {
  return { createdAt: memory.createdAt, ref: memory.id };
}

function newestFirst(
  left: { readonly createdAt: Instant; readonly ref: Ref },
  right: { readonly createdAt: Instant; readonly ref: Ref },
): number {
  if (left.createdAt !== right.createdAt) return right.createdAt - left.createdAt;
  return left.ref === right.ref ? 0 : left.ref < right.ref ? -1 : 1;
}
