import type { Instant, LociError, MaintenanceProgress, MaintenanceReport } from "@loci/domain";
import { type Operation as ProtoOperation, OperationState as ProtoOperationState } from "../gen/loci/v1/operation.ts";
import { errorFromRpcStatus, errorToRpcStatus } from "../error-status.ts";
import { Enumeration } from "./enumeration.ts";
import { instantFromProto, instantToProto, optionalInstantFromProto, optionalInstantToProto } from "./instant.ts";
import { maintenanceReportFromProto, maintenanceReportToProto } from "./maintenance-report.ts";
import { required, withoutUndefined } from "./read-value.ts";

/** How far an operation is. */
export type OperationState = "running" | "succeeded" | "failed" | "cancelled";

/** What came of an operation that has succeeded, by its kind. */
export type OperationResult =
  | { readonly type: "settle" }
  | { readonly type: "maintenance"; readonly report: MaintenanceReport };

/** Work that outlives the call that started it. It exists only between server and client: in process it is a promise. */
export interface Operation {
  readonly id: string;
  /** Such as `settle`. */
  readonly kind: string;
  readonly state: OperationState;
  readonly createdAt: Instant;
  /** Absent while it runs. */
  readonly endedAt?: Instant | undefined;
  /** Why it failed. */
  readonly error?: LociError | undefined;
  /** How far it has come. Absent for work that has no steps. */
  readonly progress?: MaintenanceProgress | undefined;
  /** What came of it, when it has succeeded. */
  readonly result?: OperationResult | undefined;
}

const states = new Enumeration<OperationState, ProtoOperationState>({
  running: ProtoOperationState.RUNNING,
  succeeded: ProtoOperationState.SUCCEEDED,
  failed: ProtoOperationState.FAILED,
  cancelled: ProtoOperationState.CANCELLED,
});

export function operationToProto(operation: Operation): ProtoOperation {
  return {
    id: operation.id,
    kind: operation.kind,
    state: states.toProto(operation.state, "state"),
    createTime: instantToProto(operation.createdAt, "createdAt"),
    endTime: optionalInstantToProto(operation.endedAt, "endedAt"),
    error: operation.error === undefined ? undefined : errorToRpcStatus(operation.error),
    progress: operation.progress,
    ...resultToProto(operation.result),
  };
}

/** The report twice: clients of the version before do not know of other results. */
function resultToProto(result: OperationResult | undefined): Pick<ProtoOperation, "report" | "result"> {
  if (result === undefined) return { report: undefined, result: undefined };
  if (result.type === "settle") return { report: undefined, result: { $case: "settle", value: {} } };
  const report = maintenanceReportToProto(result.report);
  return { report, result: { $case: "maintenance", value: report } };
}

/** Servers of the version before give a report, and nothing else. */
function resultFromProto({ report, result }: ProtoOperation): OperationResult | undefined {
  if (result?.$case === "settle") return { type: "settle" };
  const given = result?.value ?? report;
  return given === undefined ? undefined : { type: "maintenance", report: maintenanceReportFromProto(given) };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function operationFromProto(message: ProtoOperation | undefined): Operation {
  const operation = required(message, "operation");
  return withoutUndefined({
    id: operation.id,
    kind: operation.kind,
    state: states.fromProto(operation.state, "operation.state"),
    createdAt: instantFromProto(operation.createTime, "operation.createdAt"),
    endedAt: optionalInstantFromProto(operation.endTime, "operation.endedAt"),
    error: operation.error === undefined ? undefined : errorFromRpcStatus(operation.error),
    progress: operation.progress === undefined ? undefined : withoutUndefined(operation.progress),
    result: resultFromProto(operation),
  });
}
