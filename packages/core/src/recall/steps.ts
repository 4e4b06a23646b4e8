/** Work that can be put aside between its steps, so that others have the thread meanwhile. */
export type Steps<Result> = Generator<undefined, Result>;

/** Texts of so many UTF-16 units take long enough for a step of their own. */
export const stepLength = 4_096;

/** Does all steps at once. */
export function allSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
