import { useRef, useState } from "preact/hooks";
import { CaptureExtractor, CaptureState } from "@loci/api-web";
import { captures } from "../../api/calls.ts";
import { session } from "../../api/session.ts";
import { useLoaded } from "../../api/use-loaded.ts";
import { useVisibleInterval } from "../../api/use-visible-interval.ts";
import { DetailPanel } from "../../parts/detail-panel.tsx";
import { FailureNote } from "../../parts/failure-note.tsx";
import { WaitingNote } from "../../parts/waiting-note.tsx";
import { changes } from "../../state/changes.ts";
import { CandidateList } from "./candidate-list.tsx";
import { CaptureFacts } from "./capture-facts.tsx";
import { isGoingOn } from "./capture-settings.ts";
import { DryRunForm } from "./dry-run-form.tsx";
import { UndoCapture } from "./undo-capture.tsx";
import { UndoneMemories } from "./undone-memories.tsx";

const lookAgainMilliseconds = 2_000;
/** A model may be asked twice and more. */
const dryRunMilliseconds = 300_000;

/** One capture: what it read, who found what, what became of each statement, and what it would make of the same turns now. */
export function CaptureDetail({ id }: { readonly id: string }) {
  const loaded = useLoaded(`${id} ${changes.value}`, async (signal) => {
    const { capture } = await captures.getCapture({ id }, { signal });
    return capture;
  });
  const [dryRun, setDryRun] = useState<{ readonly extractor: CaptureExtractor; readonly turn: number } | undefined>(
    undefined,
  );
  const tried = useLoaded(dryRun && `${id} ${dryRun.extractor} ${dryRun.turn}`, async (signal) => {
    const request = { id, extractor: dryRun?.extractor ?? CaptureExtractor.UNSPECIFIED };
    const { capture } = await captures.replayCapture(request, { signal, timeoutMs: dryRunMilliseconds });
    return capture?.outcome;
  });
  const heading = useRef<HTMLHeadingElement>(null);
  const capture = loaded.value;
  useVisibleInterval(() => capture !== undefined && isGoingOn(capture) && loaded.reload(), lookAgainMilliseconds);
  return (
    <DetailPanel title="Capture" heading={heading}>
      {loaded.isLoading && <WaitingNote what="Loading the capture" />}
      {loaded.failure !== undefined && <FailureNote failure={loaded.failure} retry={loaded.reload} />}
      {capture !== undefined && (
        <>
          <CaptureFacts capture={capture} />
          {capture.undone !== undefined && <UndoneMemories undone={capture.undone} />}
          {capture.outcome !== undefined && (
            <>
              <div class="capture-actions">
                <DryRunForm
                  isRunning={tried.isLoading}
                  onRun={(extractor) => setDryRun((before) => ({ extractor, turn: (before?.turn ?? 0) + 1 }))}
                />
                {capture.state === CaptureState.SUCCEEDED && session.value?.readOnly !== true && (
                  <UndoCapture capture={capture} />
                )}
              </div>
              {tried.isLoading && <WaitingNote what="Reading the turns again" />}
              {tried.failure !== undefined && <FailureNote failure={tried.failure} retry={tried.reload} />}
              <CandidateList outcome={capture.outcome} dryRun={tried.value} />
            </>
          )}
        </>
      )}
    </DetailPanel>
  );
}
