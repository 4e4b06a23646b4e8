import { useState } from "preact/hooks";
import type { BlockEdit } from "@loci/api-web";
import { blocks } from "../../api/calls.ts";
import { type Failure, failureOf } from "../../api/failure.ts";
import { session } from "../../api/session.ts";
import { useLoaded } from "../../api/use-loaded.ts";
import { FailureNote } from "../../parts/failure-note.tsx";
import { ShownText } from "../../parts/shown-text.tsx";
import { millisecondsOf, shownAge } from "../../text/times.ts";
import { scopeText } from "../../text/scopes.ts";
import { approveEdit, rejectEdit } from "./decide.ts";
import { EditPreview } from "./edit-preview.tsx";
import { HunkChoice } from "./hunk-choice.tsx";
import { useReviewKeys } from "./use-review-keys.ts";

/** So long an edit waits. */
const waitingMilliseconds = 14 * 86_400_000;

/** One change of a block: which of its parts are to be, and what the block would say then. */
export function EditReview({ edit }: { readonly edit: BlockEdit }) {
  const { id, owner, label, proposer, reason, operations, baseVersion, proposeTime } = edit;
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [failure, setFailure] = useState<Failure | undefined>(undefined);
  const preview = useLoaded(chosen.length === 0 ? undefined : `${id} ${chosen.join(",")}`, (signal) =>
    blocks.getBlockEdit({ id, hunks: { positions: [...chosen] } }, { signal }),
  );
  const shown = chosen.length === 0 ? undefined : preview.value;
  const mayDecide = session.value?.readOnly !== true;
  const decide = async (action: () => Promise<void>): Promise<void> => {
    setFailure(undefined);
    try {
      await action();
    } catch (error) {
      setFailure(failureOf(error));
      // What is on the screen is not what the block would become: it is shown as it would be now.
      preview.reload();
    }
  };
  const approved = shown?.preview;
  const approve =
    approved === undefined || !mayDecide ? undefined : () => void decide(() => approveEdit(edit, approved, chosen));
  const reject = mayDecide ? () => void decide(() => rejectEdit(edit)) : undefined;
  useReviewKeys({ a: approve, r: reject });
  return (
    <article class="review" aria-labelledby="review-title">
      <h2 id="review-title">
        <ShownText text={`${scopeText(owner)} / ${label}`} />
      </h2>
      <p class="muted">
        by <ShownText text={proposer} />, for version {String(baseVersion)}
        {proposeTime !== undefined && <>, ends {shownAge(millisecondsOf(proposeTime) + waitingMilliseconds)}</>}
      </p>
      {reason !== undefined && (
        <p class="text reason-given">
          <ShownText text={reason} />
        </p>
      )}
      <HunkChoice operations={operations} chosen={chosen} onChange={setChosen} />
      {failure !== undefined && <FailureNote failure={failure} />}
      {preview.failure !== undefined && <FailureNote failure={preview.failure} retry={preview.reload} />}
      {shown !== undefined && <EditPreview answer={shown} isMoved={shown.preview?.baseVersion !== baseVersion} />}
      {mayDecide && (
        <div class="actions">
          <button type="button" class="primary" disabled={approve === undefined} onClick={approve}>
            Approve {chosen.length > 0 && `${chosen.length} of ${operations.length}`}
          </button>
          <button type="button" class="danger" onClick={reject}>
            Reject all
          </button>
        </div>
      )}
    </article>
  );
}
