import { type ServiceError, type StatusObject, status } from "@grpc/grpc-js";
import { statusDetailsKey } from "@loci/api";

/** What grpc-js says of a call whose connection the other side has ended with an error, as a server does that has had enough of it. */
const sessionClosed = /Session closed with error code \d+|^Received RST_STREAM with code 2 /u;

/**
 * A server that is forced to stop cancels its calls: to grpc-js that looks as if the caller had. Of a connection that is ended with an
 * error, as after very many calls that were given up, it says that something is wrong with the call.
 *
 * @returns the error as it is to be told
 */
export function lostConnection(error: ServiceError): ServiceError | Pick<StatusObject, "code" | "details"> {
  const isOver =
    error.code === status.CANCELLED || (error.code === status.INTERNAL && sessionClosed.test(error.details));
  const isLost = isOver && error.metadata.get(statusDetailsKey).length === 0;
  return isLost ? { code: status.UNAVAILABLE, details: "The connection was dropped." } : error;
}
