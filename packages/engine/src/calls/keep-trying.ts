import { backgroundPause } from "./pause.ts";
import type { ReportProblem } from "./report-problem.ts";

const firstRetryDelay = 500;
const longestRetryDelay = 60_000;

/**
 * Does work in the background until it succeeds or the signal aborts: after a failure, which is reported, once more, later each
 * time. Never rejects.
 *
 * @param activity what is being done, for reports
 */
export async function keepTrying(
  work: () => Promise<void>,
  { activity, reportProblem, signal }: { activity: string; reportProblem: ReportProblem; signal: AbortSignal },
): Promise<void> {
  for (let failures = 0; !signal.aborted; failures++)
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) return undefined;
      reportProblem(error, activity);
      await backgroundPause(Math.min(firstRetryDelay * 2 ** failures, longestRetryDelay), signal);
    }
  return undefined;
}
