import type { EmbeddingCacheStatus, JobsStatus } from "@loci/api-web";
import { ShownText } from "../../parts/shown-text.tsx";
import { Figure } from "./figure.tsx";

interface WorkFiguresProps {
  readonly jobs: readonly JobsStatus[];
  readonly cache: EmbeddingCacheStatus | undefined;
}

/** Durable work that waits or has failed, and who had the vectors that were asked for. */
export function WorkFigures({ jobs, cache }: WorkFiguresProps) {
  const share = (count: bigint, all: bigint): string =>
    all === 0n ? "0" : ((Number(count) * 100) / Number(all)).toFixed(0);
  return (
    <>
      <section aria-labelledby="jobs-title">
        <h2 id="jobs-title">Work</h2>
        {jobs.length === 0 && <p class="muted">Nothing waits, is under way or has failed.</p>}
        {jobs.map(({ kind, queued, running, dead }) => (
          <dl key={kind} class="figures">
            <Figure name="kind">
              <ShownText text={kind} />
            </Figure>
            <Figure name="waiting">{queued.toLocaleString("en")}</Figure>
            <Figure name="under way">{running.toLocaleString("en")}</Figure>
            <Figure name="failed for good">
              {dead > 0n ? <span class="badge danger">{dead.toLocaleString("en")}</span> : "0"}
            </Figure>
          </dl>
        ))}
      </section>
      {cache !== undefined && (
        <section aria-labelledby="cache-title">
          <h2 id="cache-title">Vectors</h2>
          <dl class="figures">
            <Figure name="asked for">{cache.requested.toLocaleString("en")}</Figure>
            <Figure name="% in memory">{share(cache.memory + cache.shared, cache.requested)}</Figure>
            <Figure name="% in the ledger">{share(cache.ledger, cache.requested)}</Figure>
            <Figure name="% embedded">{share(cache.embedder, cache.requested)}</Figure>
            <Figure name="entries">{cache.entries.toLocaleString("en")}</Figure>
            {cache.failures > 0n && <Figure name="failures">{cache.failures.toLocaleString("en")}</Figure>}
          </dl>
        </section>
      )}
    </>
  );
}
