import { useRef } from "preact/hooks";
import { status } from "../../api/calls.ts";
import { useLoaded } from "../../api/use-loaded.ts";
import { useVisibleInterval } from "../../api/use-visible-interval.ts";
import { FailureNote } from "../../parts/failure-note.tsx";
import { WaitingNote } from "../../parts/waiting-note.tsx";
import { CallerFacts } from "./caller-facts.tsx";
import { noteLags } from "./lag-history.ts";
import { LedgerFigures } from "./ledger-figures.tsx";
import { ProjectionTable } from "./projection-table.tsx";
import { WorkFigures } from "./work-figures.tsx";

const lookMilliseconds = 2_000;

/** Whether the server is well, looked at every two seconds. */
export function HealthView() {
  const isAsking = useRef(false);
  const loaded = useLoaded("status", async (signal) => {
    isAsking.current = true;
    try {
      const answer = await status.getStatus({}, { signal });
      noteLags(answer.status?.projections ?? []);
      return answer.status;
    } finally {
      isAsking.current = false;
    }
  });
  // A server that takes longer is not asked again meanwhile.
  useVisibleInterval(() => isAsking.current || loaded.reload(), lookMilliseconds);
  const { value, failure, isLoading } = loaded;
  return (
    <div class="sheet">
      <h1 id="find" tabIndex={-1}>
        Is the server well?
      </h1>
      {failure !== undefined && <FailureNote failure={failure} />}
      {isLoading && <WaitingNote what="Asking the server" />}
      {value !== undefined && (
        <>
          {value.ledger !== undefined && <LedgerFigures ledger={value.ledger} />}
          <ProjectionTable projections={value.projections} />
          <WorkFigures jobs={value.jobs} cache={value.embeddingCache} />
        </>
      )}
      <CallerFacts />
    </div>
  );
}
