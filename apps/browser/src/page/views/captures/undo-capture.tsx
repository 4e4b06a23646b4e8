import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { CaptureJob } from "@loci/api-web";
import { captures } from "../../api/calls.ts";
import { type Failure, failureOf } from "../../api/failure.ts";
import { FailureNote } from "../../parts/failure-note.tsx";
import { notice } from "../../state/notice.ts";
import { counted } from "../../text/words.ts";
import { changes } from "../../state/changes.ts";

/** Takes back what a capture did, once somebody has seen how much that is. There is no way back from that, so it asks. */
export function UndoCapture({ capture: { id, outcome } }: { readonly capture: CaptureJob }) {
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<Failure | undefined>(undefined);
  // The focus goes to the answer, and back to where the question was asked.
  const first = useRef<HTMLButtonElement>(null);
  const wasAsked = useRef(false);
  useLayoutEffect(() => {
    if (isAsking || wasAsked.current) first.current?.focus();
    wasAsked.current = isAsking;
  }, [isAsking]);
  const written = (outcome?.candidates ?? []).filter(({ memory }) => memory !== undefined).length;
  const undo = async (): Promise<void> => {
    setFailure(undefined);
    try {
      const { capture } = await captures.undoCapture({ id });
      const { forgotten = [], reopened = [], skipped = [] } = capture?.undone ?? {};
      notice.value = {
        text: `Undone: ${forgotten.length} forgotten, ${reopened.length} hold again, ${skipped.length} left alone.`,
      };
      changes.value++;
    } catch (error) {
      setFailure(failureOf(error));
    }
  };
  if (!isAsking)
    return (
      <button key="question" ref={first} type="button" class="danger" onClick={() => setAsking(true)}>
        Undo…
      </button>
    );
  return (
    <div class="undo-question" role="group" aria-label="Undo this capture">
      <p>
        {counted(written, "memory", "memories")} that it wrote {written === 1 ? "is" : "are"} forgotten, and what it
        closed holds again. What somebody has changed since is left alone.
      </p>
      <div class="undo-answers">
        <button key="answer" ref={first} type="button" class="danger" onClick={() => void undo()}>
          Undo the capture
        </button>
        <button type="button" onClick={() => setAsking(false)}>
          Leave it
        </button>
      </div>
      {failure !== undefined && <FailureNote failure={failure} />}
    </div>
  );
}
