import { useState } from "preact/hooks";
import type { MemoryReview } from "@loci/api-web";
import { Origin, Trust } from "@loci/api-web";
import { memories } from "../../api/calls.ts";
import { type Failure, failureOf } from "../../api/failure.ts";
import { session } from "../../api/session.ts";
import { useLoaded } from "../../api/use-loaded.ts";
import { FailureNote } from "../../parts/failure-note.tsx";
import { ShownText } from "../../parts/shown-text.tsx";
import { WordDifference } from "../../parts/word-difference.tsx";
import { fragmentOf } from "../../state/route.ts";
import { scopeText } from "../../text/scopes.ts";
import { wordOf } from "../../text/words.ts";
import { decideMemory } from "./decide.ts";
import { useReviewKeys } from "./use-review-keys.ts";

/** Why memories wait, by the names that programs get. */
const whyWords: Readonly<Record<string, string>> = {
  UNTRUSTED: "Its words come from a tool or the web.",
  CONFLICT: "It contradicts what is remembered.",
  APPROVAL_REQUIRED: "Everything of its kind waits.",
};

/** One memory that waits: what it says, where it comes from, and what it would replace. */
export function MemoryReviewCard({ review }: { readonly review: MemoryReview }) {
  const { memory, reason, replaces } = review;
  const [failure, setFailure] = useState<Failure | undefined>(undefined);
  const replaced = useLoaded(replaces, async (signal) => {
    const answer = await memories.getMemory({ id: replaces ?? "" }, { signal });
    return answer.memory?.text;
  });
  const decide = (isApproved: boolean) => async (): Promise<void> => {
    setFailure(undefined);
    try {
      await decideMemory(review, isApproved);
    } catch (error) {
      setFailure(failureOf(error));
    }
  };
  const mayDecide = session.value?.readOnly !== true;
  const [approve, reject] = [decide(true), decide(false)].map((action) => () => void action());
  useReviewKeys(mayDecide ? { a: approve, r: reject } : {});
  const why = Object.hasOwn(whyWords, reason) ? whyWords[reason] : undefined;
  return (
    <article class="review" aria-labelledby="review-title">
      <h2 id="review-title">
        A memory for <ShownText text={scopeText(memory?.scope)} />
      </h2>
      <p class="muted">
        {why ?? ""} <ShownText text={reason} />
      </p>
      {memory !== undefined && (
        <>
          {replaced.value === undefined ? (
            <p class="text review-text">
              <ShownText text={memory.text} />
            </p>
          ) : (
            <WordDifference before={replaced.value} after={memory.text} />
          )}
          <p class="muted">
            <ShownText text={memory.category ?? "fact"} />, {wordOf(Origin, memory.origin)},{" "}
            {wordOf(Trust, memory.trust)}
            {memory.provenance !== undefined && (
              <>
                , from <ShownText text={memory.provenance.sourceId} />
              </>
            )}
            . <a href={fragmentOf("memories", { id: memory.id })}>All of it</a>
          </p>
        </>
      )}
      {failure !== undefined && <FailureNote failure={failure} />}
      {mayDecide && (
        <div class="actions">
          <button type="button" class="primary" onClick={approve}>
            Approve
          </button>
          <button type="button" class="danger" onClick={reject}>
            Reject
          </button>
        </div>
      )}
    </article>
  );
}
