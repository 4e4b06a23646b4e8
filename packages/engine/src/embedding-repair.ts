import { type EmbeddingSpaceId, LociError, type Principal, type TenantId } from "@loci/domain";
import type { Change, Ledger } from "@loci/ledger";
import { pause } from "./pause.ts";
import type { ReportProblem } from "./report-problem.ts";
import type { TextEmbedding } from "./text-embedding.ts";

export interface EmbeddingRepairOptions {
  readonly ledger: Ledger;
  readonly embedding: TextEmbedding;
  readonly space: EmbeddingSpaceId;
  readonly reportProblem: ReportProblem;
}

const batchSize = 64;
const firstRetryDelay = 500;
const longestRetryDelay = 60_000;

/**
 * Embeds what was committed without a vector, one tenant after the other, and records the vectors as changes of their
 * own. Tries again, later each time, while the embedder does not answer.
 */
export class EmbeddingRepair {
  readonly #options: EmbeddingRepairOptions;
  readonly #waiting = new Set<TenantId>();
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: EmbeddingRepairOptions) {
    this.#options = options;
  }

  /** Looks for work left over from before. */
  async start(): Promise<void> {
    const { ledger, space } = this.#options;
    for (const tenant of await ledger.tenantsWithoutEmbeddings(space)) this.wake(tenant);
  }

  wake(tenant: TenantId): void {
    if (this.#stop.signal.aborted) return;
    this.#waiting.add(tenant);
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    let failures = 0;
    for (;;) {
      const [tenant] = this.#waiting;
      if (tenant === undefined || this.#stop.signal.aborted) return;
      this.#waiting.delete(tenant);
      try {
        while (await this.#repairBatch(tenant)) failures = 0;
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        this.#options.reportProblem(error, "embedding memories that were stored without a vector");
        this.#waiting.add(tenant);
        await pause(Math.min(firstRetryDelay * 2 ** failures++, longestRetryDelay), this.#stop.signal);
      }
    }
  }

  /** False when nothing is left. */
  async #repairBatch(tenant: TenantId): Promise<boolean> {
    const { ledger, embedding, space } = this.#options;
    const { signal } = this.#stop;
    const pending = await ledger.withoutEmbedding(tenant, space, batchSize);
    if (pending.length === 0) return false;
    const texts = new Map(pending.map((stored) => [stored.contentHash, stored.memory.text]));
    const vectors = await embedding.embedDocuments(tenant, [...texts.values()], signal);
    const embeddings = [...texts.keys()].map((contentHash, index) => {
      const ofText = vectors[index];
      if (ofText === undefined) throw new LociError("INTERNAL", { message: "A text was left without vectors." });
      return { space, contentHash, vectors: ofText };
    });
    const expect = pending.map(({ memory }) => ({ ref: memory.id, version: memory.version }));
    const changes = pending.map(({ memory, contentHash }): Change => {
      return { type: "embeddingRecorded", ref: memory.id, version: memory.version, space, contentHash };
    });
    try {
      await ledger.commit({ principal: repairPrincipal(tenant), expect, changes, embeddings }, { signal });
    } catch (error) {
      // One of them was changed meanwhile: what is still current and without a vector is read again.
      if (!(LociError.is(error) && error.reason === "VERSION_CONFLICT")) throw error;
    }
    return true;
  }
}

function repairPrincipal(tenant: TenantId): Principal {
  return { tenant, subject: "loci:embedding-repair", roles: ["write"], scopePatterns: ["*"] };
}
