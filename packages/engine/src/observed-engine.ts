import { engineInstruments } from "./calls/engine-metrics.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { DrainedProjection } from "./projections/drained-projection.ts";
import type { TenantEmbedder } from "./embedding/text-embedding.ts";

/** How long a ledger may take to count jobs, in milliseconds: the other figures do not wait longer for one that hangs. */
const ledgerTimeLimit = 2_000;

/** What is looked up of an engine. It may be another one from one time to the next. */
export interface ObservedParts {
  readonly jobs: Jobs;
  readonly projections: () => readonly DrainedProjection[];
  readonly embedder: () => TenantEmbedder;
}

/** Tells of how far indexes are behind, of jobs, and of the embedding cache, whenever metrics are collected, until the answer is called. */
export function observeEngine({ jobs, projections, embedder }: ObservedParts): () => void {
  return engineInstruments.observe(
    ["loci.index.lag", "loci.index.lagging_tenants", "loci.jobs.unfinished", "loci.embedding.texts"],
    async (observe) => {
      for (const { label, drainer } of projections()) {
        const { changes, tenants } = drainer.lag();
        observe("loci.index.lag", changes, { "loci.index": label });
        observe("loci.index.lagging_tenants", tenants, { "loci.index": label });
      }
      const statistics = embedder().statistics?.();
      if (statistics !== undefined) {
        const { firstLayer, shared, secondLayer, embedded } = statistics;
        const sources = { memory: firstLayer, shared, ledger: secondLayer, embedder: embedded };
        for (const [source, texts] of Object.entries(sources))
          observe("loci.embedding.texts", texts, { "loci.embedding.source": source });
      }
      const call = { signal: AbortSignal.timeout(ledgerTimeLimit) };
      for (const { kind, queued, running } of await jobs.unfinished(call))
        for (const [state, amount] of Object.entries({ queued, running }))
          observe("loci.jobs.unfinished", amount, { "loci.job.kind": kind, "loci.job.state": state });
    },
  );
}
