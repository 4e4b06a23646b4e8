import type { CaptureCandidate } from "@loci/api-web";
import { memories } from "../../api/calls.ts";
import { useLoaded } from "../../api/use-loaded.ts";
import { ShownText } from "../../parts/shown-text.tsx";
import { TimeShown } from "../../parts/time-shown.tsx";
import { fragmentOf } from "../../state/route.ts";
import { missingWords, verdictOf } from "./capture-words.ts";

interface CandidateCardProps {
  readonly candidate: CaptureCandidate;
  /** It is of a dry run, which has written nothing. Undefined: there is no dry run beside it. */
  readonly isDryRun: boolean | undefined;
}

/** What became of one statement, and the words that it rests on. */
export function CandidateCard({ candidate, isDryRun }: CandidateCardProps) {
  const { category, text, slot, value, scope, evidence, memory, target, tags, isInstinct, validFrom, validTo } =
    candidate;
  const { name, says, look } = verdictOf(candidate);
  const about = [
    category,
    scope,
    isInstinct ? "how to behave" : "what is so",
    ...(slot === undefined ? [] : [value === undefined ? slot : `${slot} = ${value}`]),
    `importance ${candidate.importance.toFixed(2)}`,
    ...(candidate.isStatic ? ["never fades"] : []),
    ...(candidate.isCorrection ? ["a correction"] : []),
    ...(tags.length === 0 ? [] : [`tags ${tags.join(" ")}`]),
  ];
  return (
    <div class="candidate-side">
      <p>
        {isDryRun !== undefined && <span class="muted">{isDryRun ? "As it would be now" : "As it was"}: </span>}
        <span class={`badge ${look}`}>
          <ShownText text={name} />
        </span>{" "}
        <span class="muted">{says}</span>
      </p>
      {text === "" ? (
        <p class="muted">{missingWords(candidate)}</p>
      ) : (
        <p class="text">
          <ShownText text={text} />
        </p>
      )}
      <p class="muted">
        <ShownText text={about.join(", ")} />
        {validFrom !== undefined && (
          <>
            , from <TimeShown time={validFrom} />
          </>
        )}
        {validTo !== undefined && (
          <>
            , until <TimeShown time={validTo} />
          </>
        )}
        {memory !== undefined && isDryRun !== true && (
          <>
            . <a href={fragmentOf("memories", { id: memory })}>The memory</a>
          </>
        )}
      </p>
      {target !== undefined && <TargetMemory id={target} />}
      {evidence.map(({ turn, start, quote }) => (
        <blockquote key={`${turn} ${start}`} class="evidence">
          <span class="muted">turn {turn}</span>{" "}
          {quote === "" ? <span class="muted">its words are not there</span> : <ShownText text={quote} />}
        </blockquote>
      ))}
    </div>
  );
}

/** The memory that the decision is about, as it is now. */
function TargetMemory({ id }: { readonly id: string }) {
  const target = useLoaded(id, async (signal) => {
    const { memory } = await memories.getMemory({ id }, { signal });
    return memory?.text ?? "";
  });
  return (
    <p class="candidate-target">
      <span class="muted">compared with </span>
      <a href={fragmentOf("memories", { id })}>
        {target.failure === undefined ? <ShownText text={target.value || id} /> : "a memory that is not there any more"}
      </a>
    </p>
  );
}
