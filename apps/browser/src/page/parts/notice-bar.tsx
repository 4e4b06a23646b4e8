import { useState } from "preact/hooks";
import { type Failure, failureOf } from "../api/failure.ts";
import { notice } from "../state/notice.ts";
import { FailureNote } from "./failure-note.tsx";

/** What was done last, and the way back. It stays until it is closed: nobody has to be quick. */
export function NoticeBar() {
  const [failure, setFailure] = useState<Failure | undefined>(undefined);
  const { text, undo } = notice.value ?? {};
  const run = async (): Promise<void> => {
    setFailure(undefined);
    try {
      await undo?.();
    } catch (error) {
      setFailure(failureOf(error));
    }
  };
  return (
    <div class="notice-place" role="status">
      {text !== undefined && (
        <div class="notice">
          <span>{text}</span>
          {undo !== undefined && (
            <button type="button" onClick={() => void run()}>
              Undo
            </button>
          )}
          <button type="button" class="quiet" aria-label="Close" onClick={() => (notice.value = undefined)}>
            ✕
          </button>
          {failure !== undefined && <FailureNote failure={failure} />}
        </div>
      )}
    </div>
  );
}
