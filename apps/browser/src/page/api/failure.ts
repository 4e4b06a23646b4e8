import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema } from "@loci/api-web";

/** Why a call did not work, for people. */
export interface Failure {
  /** In UPPER_SNAKE, such as `VERSION_CONFLICT`. */
  readonly reason: string;
  readonly message: string;
  readonly advice: string | undefined;
  readonly field: string | undefined;
}

const reasons: Readonly<Partial<Record<Code, string>>> = {
  [Code.Unavailable]: "SERVER_UNAVAILABLE",
  [Code.DeadlineExceeded]: "DEADLINE_EXCEEDED",
  [Code.Unauthenticated]: "SESSION_OVER",
  [Code.PermissionDenied]: "ROLE_REQUIRED",
  [Code.Unimplemented]: "UNSUPPORTED_OPERATION",
};

export function failureOf(error: unknown): Failure {
  const known = ConnectError.from(error);
  const [info] = known.findDetails(ErrorInfoSchema);
  const [request] = known.findDetails(BadRequestSchema);
  const isNetwork = info === undefined && (known.code === Code.Unknown || known.code === Code.Unavailable);
  return {
    reason: info?.reason ?? (isNetwork ? "SERVER_UNAVAILABLE" : (reasons[known.code] ?? "INTERNAL")),
    message: info === undefined && isNetwork ? "The server does not answer." : known.rawMessage,
    advice: info?.metadata["advice"],
    field: request?.fieldViolations[0]?.field,
  };
}

/** Whether a call was given up because nobody wants its answer any more. */
export function isCancelled(error: unknown): boolean {
  return ConnectError.from(error).code === Code.Canceled;
}

export function isAway({ reason }: Failure): boolean {
  return reason === "SERVER_UNAVAILABLE";
}
