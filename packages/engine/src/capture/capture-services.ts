import type { ReportProblem } from "../calls/report-problem.ts";
import type { TurnPriority } from "../calls/thread-turns.ts";
import type { TenantId } from "@loci/domain";
import type { DrainedProjection } from "../projections/drained-projection.ts";
import type { RecallServices } from "../recall/recall-services.ts";
import type { SessionServices } from "../sessions/session-services.ts";
import type { CaptureModel } from "./capture-model.ts";
import type { CaptureRunner } from "./capture-runner.ts";
import type { StatementReader } from "./reading/statement-reader.ts";

/** What it takes to make memories of sessions. */
export interface CaptureServices extends SessionServices, RecallServices {
  readonly captureRunner: CaptureRunner;
  /** Orders the captures of sessions that are closed or have grown. */
  readonly captureOrders: DrainedProjection;
  readonly statementReader: StatementReader;
  /** Finds and judges what is worth remembering. Absent: rules do. */
  readonly captureModel: CaptureModel | undefined;
  readonly reportProblem: ReportProblem;
}

/** For whom something is captured in the background. */
export interface CaptureCall {
  readonly tenant: TenantId;
  readonly signal: AbortSignal;
  /** Whose turn of the thread it takes. Default `background`. */
  readonly priority?: TurnPriority;
}
