import type { RecallMemoriesResponse } from "@loci/api-web";
import { EmptyNote } from "../../parts/empty-note.tsx";
import { fragmentOf } from "../../state/route.ts";
import { segmentNames } from "../../text/score-segments.ts";
import { counted } from "../../text/words.ts";
import { DroppedCandidates } from "./dropped-candidates.tsx";
import { ExpectedMemories } from "./expected-memories.tsx";
import { pinned } from "./pinned-recall.ts";
import { RecallHitItem } from "./recall-hit.tsx";

interface RecallResultProps {
  readonly answer: RecallMemoriesResponse;
  readonly question: string;
}

/** What was recalled, what was not, and how that differs from the recall that is pinned. */
export function RecallResult({ answer, question }: RecallResultProps) {
  const { hits, dropped, profile, degraded, accounts, usedFallback } = answer;
  const most = Math.max(...hits.map(({ score }) => score), 0);
  const ids = hits.map(({ memory }) => memory?.id ?? "");
  return (
    <>
      {degraded.length > 0 && (
        <p class="banner" role="alert">
          This answer is less than it could be: {degraded.join(", ")}
        </p>
      )}
      <ExpectedMemories accounts={accounts} />
      <section aria-labelledby="hits-title">
        <header class="section-header">
          <h2 id="hits-title">
            Recalled: {hits.length}
            {usedFallback && " of the newest, since nothing is relevant"}
          </h2>
          {hits.length > 0 && (
            <button type="button" onClick={() => (pinned.value = { question, ids })}>
              Pin this run
            </button>
          )}
        </header>
        <PinnedNote ids={ids} />
        {hits.length === 0 ? (
          <EmptyNote title="Nothing is recalled.">
            <p>What came nearest, and why it was left out, is below.</p>
          </EmptyNote>
        ) : (
          <>
            <ul class="legend">
              {segmentNames.map((name) => (
                <li key={name}>
                  <svg width="12" height="12" aria-hidden="true">
                    <rect class={`of-${name}`} width="12" height="12" rx="3" />
                  </svg>
                  {name}
                </li>
              ))}
            </ul>
            <ol class="hits">
              {hits.map((hit, rank) => (
                <RecallHitItem key={ids[rank]} hit={hit} rank={rank} profile={profile} most={most} />
              ))}
            </ol>
          </>
        )}
      </section>
      <DroppedCandidates dropped={dropped} />
    </>
  );
}

/** What is compared with, and what it had that is not here. */
function PinnedNote({ ids }: { readonly ids: readonly string[] }) {
  const run = pinned.value;
  if (run === undefined) return null;
  const gone = run.ids.filter((id) => !ids.includes(id));
  return (
    <div class="pinned">
      <p>
        Compared with <q>{run.question}</q>: {counted(gone.length, "memory", "memories")} of it not here.{" "}
        {gone.map((id, index) => (
          <a key={id} href={fragmentOf("memories", { id })}>
            {index + 1}
          </a>
        ))}
      </p>
      <button type="button" class="small" onClick={() => (pinned.value = undefined)}>
        Unpin
      </button>
    </div>
  );
}
