import { type EmbeddingSpaceId, type MemoryRecord, type Ref, type TenantId, type Version } from "@loci/domain";
import type { Change, EmbeddingOfRecord, Ledger, StoredMemory } from "@loci/ledger";
import { authoredByLoci } from "../calls/authored-by.ts";
import { embedStored } from "./embed-stored.ts";
import { isOutdated } from "../calls/version-conflict.ts";
import { keepTrying } from "../calls/keep-trying.ts";
import { backgroundPause } from "../calls/pause.ts";
import type { ReportProblem } from "../calls/report-problem.ts";
import type { TextEmbedding } from "./text-embedding.ts";

export interface EmbeddingRepairOptions {
  readonly ledger: Ledger;
  readonly embedding: TextEmbedding;
  readonly space: EmbeddingSpaceId;
  readonly reportProblem: ReportProblem;
}

/** A version that was committed without a vector. */
type PendingVersion = Pick<MemoryRecord, "id" | "version">;

const batchSize = 64;
const firstRetryDelay = 500;
const longestRetryDelay = 60_000;

/**
 * Embeds what was committed without a vector, one tenant after the other, and records the vectors as changes of their
 * own. Tries again, later each time, while the embedder does not answer.
 */
export class EmbeddingRepair {
  readonly #options: EmbeddingRepairOptions;
  /**
   * Versions known to be without a vector in the indexes. The ledger does not list them any more once an equal text was
   * embedded for another memory, but the indexes still have to be told.
   */
  readonly #waiting = new Map<TenantId, Map<Ref, Version>>();
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;
  #lookingBack: Promise<void> = Promise.resolve();

  constructor(options: EmbeddingRepairOptions) {
    this.#options = options;
  }

  /** Looks for work left over from before, in the background: there may be many tenants. */
  start(): void {
    const { ledger, space, reportProblem } = this.#options;
    const { signal } = this.#stop;
    const lookBack = async (): Promise<void> => {
      for (const tenant of await ledger.tenantsWithoutEmbeddings(space, { signal })) this.add(tenant, []);
    };
    const activity = "looking for memories that were stored without a vector";
    this.#lookingBack = keepTrying(lookBack, { activity, reportProblem, signal });
  }

  add(tenant: TenantId, versions: readonly PendingVersion[]): void {
    if (this.#stop.signal.aborted) return;
    const waiting = this.#waiting.get(tenant) ?? new Map<Ref, Version>();
    for (const { id, version } of versions) waiting.set(id, version);
    this.#waiting.set(tenant, waiting);
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#lookingBack;
    await this.#running;
  }

  async #run(): Promise<void> {
    let failures = 0;
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined || this.#stop.signal.aborted) return;
      const [tenant, noted] = next;
      this.#waiting.delete(tenant);
      try {
        await this.#repair(tenant, noted);
        failures = 0;
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        this.#options.reportProblem(error, "embedding memories that were stored without a vector");
        this.add(
          tenant,
          [...noted].map(([id, version]) => ({ id, version })),
        );
        await backgroundPause(Math.min(firstRetryDelay * 2 ** failures++, longestRetryDelay), this.#stop.signal);
      }
    }
  }

  async #repair(tenant: TenantId, noted: Map<Ref, Version>): Promise<void> {
    const { ledger, space } = this.#options;
    for (;;) {
      const pending = await ledger.withoutEmbedding(tenant, space, batchSize);
      if (pending.length === 0) break;
      if (await this.#record(tenant, pending, await embedStored(this.#options, tenant, pending, this.#stop.signal)))
        for (const { memory } of pending) noted.delete(memory.id);
    }
    const rest = [...(await ledger.memories(tenant, [...noted.keys()])).values()];
    const current = rest.filter(({ memory }) => memory.state === "active" && noted.get(memory.id) === memory.version);
    if (current.length > 0) await this.#record(tenant, current, []);
  }

  /** False when one of the versions was changed or erased meanwhile: what is still without a vector has to be read again. */
  async #record(
    tenant: TenantId,
    versions: readonly StoredMemory[],
    embeddings: readonly EmbeddingOfRecord[],
  ): Promise<boolean> {
    const { ledger, space } = this.#options;
    const expect = versions.map(({ memory }) => ({ ref: memory.id, version: memory.version }));
    const changes = versions.map(({ memory, contentHash }): Change => {
      return { type: "embeddingRecorded", ref: memory.id, version: memory.version, space, contentHash };
    });
    try {
      const batch = { ...authoredByLoci(tenant, "embedding-repair"), expect, changes, embeddings };
      await ledger.commit(batch, { signal: this.#stop.signal });
      return true;
    } catch (error) {
      if (!isOutdated(error)) throw error;
      return false;
    }
  }
}
