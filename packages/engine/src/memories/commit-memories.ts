import {
  type CallOptions,
  type ContentHash,
  type Memory,
  type MemoryRecord,
  type MemoryUsage,
  memoryView,
  type NonEmpty,
  type Ref,
  type TenantId,
  type Version,
} from "@loci/domain";
import type {
  CommitBatch,
  Committed,
  EmbeddingOfRecord,
  Expectation,
  Idempotency,
  StoredMemory,
  TextExpectation,
} from "@loci/ledger";
import { authoredBy } from "../calls/authored-by.ts";
import type { Call } from "../calls/call.ts";
import { checkPinned } from "./check-pinned.ts";
import { contentHashOf } from "../calls/content-hash.ts";
import type { MemoryServices } from "./memory-services.ts";
import { StepTimings } from "../calls/step-timings.ts";
import { memoryViews } from "./memory-views.ts";

/** A version to be written, and how often the memory was used so far. */
export interface MemoryWrite {
  readonly memory: MemoryRecord;
  readonly usage: MemoryUsage;
}

export const unused: MemoryUsage = { accessCount: 0 };

/** What a commit depends on besides the versions it follows. */
export interface CommitConditions {
  readonly idempotency?: Idempotency | undefined;
  /** Which memories may have these texts already. */
  readonly expectTexts?: readonly TextExpectation[] | undefined;
}

/**
 * Embeds and commits versions, in one transaction. Each one expects the version before it to be current.
 *
 * Without an answer from the embedder within the time limit they are committed without vectors, which a repair records
 * later. When the idempotency key was used before, nothing is written and the first answer comes back.
 *
 * @throws LociError `VERSION_CONFLICT`, `REQUEST_ID_REUSED`, and what ends the call; nothing is written then
 */
export async function commitMemories(
  services: MemoryServices,
  call: Call,
  writes: readonly MemoryWrite[],
  conditions: Omit<CommitContent, "writes"> = {},
): Promise<readonly Memory[]> {
  const { tenant } = call.principal;
  const { committed, memories } = await commitWithMemories(services, call, { writes, ...conditions });
  return memories ?? memoriesOfResults(services, tenant, committed.results);
}

/** What goes into one transaction: memories, and resources of other families. */
export interface CommitContent extends CommitConditions {
  readonly writes: readonly MemoryWrite[];
  /** They stand behind the memories in the log, and in the results. Default none. */
  readonly resources?: Pick<CommitBatch, "expect" | "changes"> | undefined;
  /** What of Loci has decided it at the caller's order. Default: the caller has. */
  readonly activity?: string | undefined;
}

/**
 * Commits memories together with changes of other resources, as {@link commitMemories} does.
 *
 * @returns no memories when the idempotency key was used before: `committed.results` are the first time's
 */
export async function commitWithMemories(
  services: MemoryServices,
  { principal, signal }: Call,
  { writes, resources, activity, idempotency, expectTexts }: CommitContent,
): Promise<{ readonly committed: Committed; readonly memories: readonly Memory[] | undefined }> {
  const { tenant } = principal;
  await checkPinned(
    services,
    tenant,
    writes.map(({ memory }) => memory),
    signal,
  );
  const hashes = writes.map(({ memory }) => contentHashOf(memory.text));
  const texts = new Map(writes.map(({ memory }, index) => [hashes[index] as ContentHash, memory.text]));
  const timings = new StepTimings("remember");
  const { nextSpace, ledger } = services;
  const known = hashes.filter((_, index) => (writes[index] as MemoryWrite).memory.version > 1);
  const [embeddings, further] = await timings.measure("embed", () =>
    Promise.all([
      embeddingsOfRecord(services, tenant, { texts, known }, signal),
      nextSpace && embeddingsOfRecord({ ...nextSpace, ledger }, tenant, { texts, known }, signal),
    ]),
  );

  const batch: CommitBatch = {
    ...authoredBy(principal, activity),
    idempotency,
    expect: [
      ...writes.map(({ memory }): Expectation => ({ ref: memory.id, version: memory.version - 1 })),
      ...(resources?.expect ?? []),
    ],
    expectTexts,
    changes: [
      ...writes.map(({ memory }, index) => ({
        type: "memoryWritten" as const,
        memory,
        contentHash: hashes[index] as ContentHash,
      })),
      ...(resources?.changes ?? []),
    ],
    embeddings: [...(embeddings ?? []), ...(further ?? [])],
  };
  const committed = await timings.measure("commit", () => ledger.commit(batch, { signal }));
  if (committed.replayed) return { committed, memories: undefined };
  if (writes.length === 0) return { committed, memories: [] };

  const embedded =
    embeddings === undefined ? await ledger.embedded(tenant, services.space, [...texts.keys()]) : new Set(texts.keys());
  const pending = writes.filter((_, index) => !embedded.has(hashes[index] as ContentHash));
  if (pending.length > 0)
    services.repair.add(
      tenant,
      pending.map(({ memory }) => memory),
    );
  if (nextSpace !== undefined && further === undefined)
    nextSpace.repair.add(
      tenant,
      writes.map(({ memory }) => memory),
    );
  const memories = writes.map(({ memory, usage }, index) => {
    const contentHash = hashes[index] as ContentHash;
    const stored = { memory, usage, contentHash, recordedAt: committed.recordedAt, sequence: committed.sequence };
    return memoryView(stored, embedded.has(contentHash));
  });
  return { committed, memories };
}

/**
 * Finds out whether a call that can no longer be carried out had been, under the same idempotency key.
 *
 * @returns the first time's results, or `undefined` when the key is new
 * @throws LociError `REQUEST_ID_REUSED`, `MEMORY_ERASED`
 */
export async function replayedResults(
  { ledger }: MemoryServices,
  { principal: { tenant, subject }, signal }: Call,
  idempotency: Idempotency | undefined,
): Promise<Committed["results"] | undefined> {
  if (idempotency === undefined) return undefined;
  return (await ledger.answered(tenant, { subject, ...idempotency }, { signal }))?.results;
}

/** The versions a commit made, as they were then. */
export async function memoriesOfResults(
  services: MemoryServices,
  tenant: TenantId,
  results: Committed["results"],
): Promise<readonly Memory[]> {
  const { ledger, space } = services;
  const current = await ledger.memories(
    tenant,
    results.map(({ ref }) => ref),
  );
  const stored = await Promise.all(
    results.map(async ({ ref, version }) => {
      const found = current.get(ref);
      return found?.memory.version === version ? found : storedVersion(services, tenant, { ref, version });
    }),
  );
  return memoryViews(
    ledger,
    tenant,
    space,
    stored.filter((version) => version !== undefined),
  );
}

export async function storedVersion(
  services: MemoryServices,
  tenant: TenantId,
  { ref, version }: { readonly ref: Ref; readonly version: Version },
  call?: CallOptions,
): Promise<StoredMemory | undefined> {
  const versions = await services.ledger.versions(tenant, ref, call);
  return versions.find((stored) => stored.memory.version === version);
}

interface CommittedTexts {
  readonly texts: ReadonlyMap<ContentHash, string>;
  /** Those of memories that have a version already. */
  readonly known: readonly ContentHash[];
}

/**
 * The embeddings to be recorded. A new version whose text has one in the ledger, such as one with other tags, needs none:
 * the version it replaces keeps it there.
 */
export async function embeddingsOfRecord(
  { ledger, embedding, space }: Pick<MemoryServices, "ledger" | "embedding" | "space">,
  tenant: TenantId,
  { texts, known }: CommittedTexts,
  signal: AbortSignal,
): Promise<readonly EmbeddingOfRecord[] | undefined> {
  const recorded = known.length === 0 ? new Set<ContentHash>() : await ledger.embedded(tenant, space, known);
  const missing = [...texts].filter(([contentHash]) => !recorded.has(contentHash));
  if (missing.length === 0) return [];
  const vectors = await embedding.documents(
    tenant,
    missing.map(([, text]) => text),
    signal,
  );
  return (
    vectors &&
    missing.map(([contentHash], index) => ({
      space,
      contentHash,
      vectors: vectors[index] as NonEmpty<Float32Array>,
    }))
  );
}
