/**
 * Told of what went wrong in the background, where no caller waits for an answer: it is tried again.
 *
 * @param activity what was being done, such as `recording usage`
 */
export type ReportProblem = (error: unknown, activity: string) => void;

/** Reports in the same way, and as a warning of the process what cannot be reported: the work in the background goes on. */
export function reportingSurely(reportProblem: ReportProblem): ReportProblem {
  return (error, activity) => {
    try {
      reportProblem(error, activity);
    } catch (failure) {
      warnOfProblem(error, activity);
      warnOfProblem(failure, "reporting a problem");
    }
  };
}

/** Prints a warning of the process. Holds the error's own message, which never holds memory text. */
export const warnOfProblem: ReportProblem = (error, activity) => {
  const cause = error instanceof Error ? error.message : String(error);
  process.emitWarning(`Loci failed while ${activity} and will try again: ${cause}`, { type: "LociWarning" });
};
