import type { CaptureOutcome } from "@loci/api-web";
import { counted } from "../../text/words.ts";
import { CandidateCard } from "./candidate-card.tsx";
import { compareRuns } from "./compared-runs.ts";

interface CandidateListProps {
  readonly outcome: CaptureOutcome;
  /** What would be made of the same turns now. */
  readonly dryRun: CaptureOutcome | undefined;
}

/** What became of each statement; beside it what would become of it now. */
export function CandidateList({ outcome: { candidates }, dryRun }: CandidateListProps) {
  const compared = compareRuns(candidates, dryRun?.candidates ?? []);
  const same = compared.filter(({ isSame }) => isSame).length;
  return (
    <section aria-labelledby="candidates-title">
      <h3 id="candidates-title">
        {counted(candidates.length, "statement")}
        {dryRun !== undefined && `, of which ${same} would come out the same now`}
      </h3>
      <p class="muted">
        Of all that a statement was compared with, the memory that the decision is about is kept. How near it came is
        not kept.
      </p>
      {dryRun !== undefined && (
        <p class="muted">
          The dry run is judged by what is remembered now, and what this capture has added is part of that. It has
          written nothing.
        </p>
      )}
      {compared.length === 0 && <p class="muted">Nothing in these turns was worth a look.</p>}
      <ol class="candidates">
        {compared.map(({ kept, tried, isSame }, index) => (
          <li key={index} class={dryRun === undefined ? "candidate" : "candidate with-dry-run"}>
            {kept === undefined ? (
              <p class="candidate-side muted">Was not found then.</p>
            ) : (
              <CandidateCard candidate={kept} isDryRun={dryRun === undefined ? undefined : false} />
            )}
            {dryRun !== undefined &&
              (isSame ? (
                <p class="candidate-side muted">The same now.</p>
              ) : tried === undefined ? (
                <p class="candidate-side muted">Would not be found now.</p>
              ) : (
                <CandidateCard candidate={tried} isDryRun />
              ))}
          </li>
        ))}
      </ol>
    </section>
  );
}
