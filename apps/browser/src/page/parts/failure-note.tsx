import type { Failure } from "../api/failure.ts";
import { ShownText } from "./shown-text.tsx";

/** What went wrong, what to do, and a way to try again. */
export function FailureNote({
  failure,
  retry,
}: {
  readonly failure: Failure;
  readonly retry?: (() => void) | undefined;
}) {
  return (
    <div class="note failure" role="alert">
      <p>
        <strong>
          <ShownText text={failure.message} />
        </strong>
      </p>
      {failure.advice !== undefined && (
        <p>
          <ShownText text={failure.advice} />
        </p>
      )}
      <p class="reason">
        <ShownText text={failure.reason} />
      </p>
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
