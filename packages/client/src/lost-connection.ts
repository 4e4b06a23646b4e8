import { type ServiceError, type StatusObject, status } from "@grpc/grpc-js";
import { statusDetailsKey } from "@loci/api";

/**
 * A server that is forced to stop cancels its calls: to grpc-js that looks as if the caller had.
 *
 * @returns the error as it is to be told
 */
export function lostConnection(error: ServiceError): ServiceError | Pick<StatusObject, "code" | "details"> {
  const isLost = error.code === status.CANCELLED && error.metadata.get(statusDetailsKey).length === 0;
  return isLost ? { code: status.UNAVAILABLE, details: "The connection was dropped." } : error;
}
