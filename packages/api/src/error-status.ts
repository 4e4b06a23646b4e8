import { Metadata, type StatusObject, status } from "@grpc/grpc-js";
import { type ErrorCode, type ErrorReason, errorReasons, LociError } from "@loci/domain";
import type { Any } from "./gen/google/protobuf/any.ts";
import { BadRequest, ErrorInfo, RetryInfo } from "./gen/google/rpc/error_details.ts";
import { Status } from "./gen/google/rpc/status.ts";
import { type ErrorWords, inContractWords, inInterfaceWords } from "./contract-words.ts";
import { connectionTrouble } from "./connection-trouble.ts";
import { tlsTroubleIn } from "./tls-trouble.ts";

/** The `domain` of every `google.rpc.ErrorInfo` of Loci. A name, not a host. */
export const errorDomain = "loci";

/** Where a status carries its details. What has none does not come from a handler of Loci. */
export const statusDetailsKey = "grpc-status-details-bin";
const errorInfoType = "type.googleapis.com/google.rpc.ErrorInfo";
const badRequestType = "type.googleapis.com/google.rpc.BadRequest";
const retryInfoType = "type.googleapis.com/google.rpc.RetryInfo";

/** The detail of an error that says after how many milliseconds the same call is worth trying again. */
export const retryAfterDetail = "retryAfterMilliseconds";

const statusOfCode: Readonly<Record<ErrorCode, status>> = {
  INVALID_ARGUMENT: status.INVALID_ARGUMENT,
  NOT_FOUND: status.NOT_FOUND,
  ALREADY_EXISTS: status.ALREADY_EXISTS,
  CONFLICT: status.ABORTED,
  FAILED_PRECONDITION: status.FAILED_PRECONDITION,
  PERMISSION_DENIED: status.PERMISSION_DENIED,
  UNAUTHENTICATED: status.UNAUTHENTICATED,
  RESOURCE_EXHAUSTED: status.RESOURCE_EXHAUSTED,
  UNSUPPORTED: status.UNIMPLEMENTED,
  UNAVAILABLE: status.UNAVAILABLE,
  DEADLINE_EXCEEDED: status.DEADLINE_EXCEEDED,
  CANCELLED: status.CANCELLED,
  INTERNAL: status.INTERNAL,
};

const codeOfStatus: ReadonlyMap<number, ErrorCode> = new Map(
  Object.entries(statusOfCode).map(([code, number]) => [number, code as ErrorCode]),
);

/** What is known of an error that says no more than its status. The rest is `INTERNAL`. */
const reasonOfStatus: ReadonlyMap<number, ErrorReason> = new Map<number, ErrorReason>([
  [status.INVALID_ARGUMENT, "INVALID_REQUEST"],
  [status.OUT_OF_RANGE, "INVALID_REQUEST"],
  [status.NOT_FOUND, "MEMORY_NOT_FOUND"],
  [status.ALREADY_EXISTS, "MEMORY_EXISTS"],
  [status.ABORTED, "VERSION_CONFLICT"],
  [status.PERMISSION_DENIED, "ROLE_REQUIRED"],
  [status.UNAUTHENTICATED, "CREDENTIAL_INVALID"],
  [status.RESOURCE_EXHAUSTED, "TOO_MANY_REQUESTS"],
  [status.UNIMPLEMENTED, "UNSUPPORTED_OPERATION"],
  [status.UNAVAILABLE, "SERVER_UNAVAILABLE"],
  [status.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED"],
  [status.CANCELLED, "CANCELLED"],
]);

/**
 * The status to end a call with.
 *
 * A `LociError` crosses whole, except for its cause. Anything else becomes `INTERNAL` and tells nothing: its text may
 * hold what nobody meant to send.
 *
 * @param call the path of the call, where the error says something of its request
 */
export function errorToStatus(error: unknown, call?: string): StatusObject {
  const known = knownError(error);
  const rpcStatus = errorToRpcStatus(known, call);
  const metadata = new Metadata();
  metadata.set(statusDetailsKey, Buffer.from(Status.encode(rpcStatus).finish()));
  return { code: statusOf(known), details: rpcStatus.message, metadata };
}

/** The same as `google.rpc.Status`, as operations carry it. */
export function errorToRpcStatus(error: unknown, call?: string): Status {
  const known = knownError(error);
  const there = inContractWords(known, call);
  const { message: said, advice, field } = there ?? known;
  // grpc-js writes the message with encodeURI, which throws at half of a surrogate pair.
  const message = said.toWellFormed();
  const here = there === undefined ? undefined : known.field;
  const metadata = metadataOf({ advice, field: here, resource: known.resource, details: known.details });
  const info: ErrorInfo = { reason: known.reason, domain: errorDomain, metadata };
  const details: Any[] = [{ typeUrl: errorInfoType, value: Buffer.from(ErrorInfo.encode(info).finish()) }];
  if (field !== undefined)
    details.push({
      typeUrl: badRequestType,
      value: Buffer.from(BadRequest.encode(badRequest(field, message)).finish()),
    });
  const retryInfo = retryInfoOf(known);
  if (retryInfo !== undefined)
    details.push({ typeUrl: retryInfoType, value: Buffer.from(RetryInfo.encode(retryInfo).finish()) });
  return { code: statusOf(known), message, details };
}

/**
 * The `LociError` in what a call was rejected with, equal in every field but the cause to the one the server threw.
 *
 * @param address what was called, for the message of errors that come from the connection and not from Loci
 */
export function errorFromStatus(error: unknown, address: string): LociError {
  if (LociError.is(error)) return error;
  const { code, details, metadata } = plainStatusOf(error);
  const packed = metadata?.get(statusDetailsKey)[0];
  const known = packed instanceof Buffer ? errorFromBytes(packed, error) : undefined;
  return known ?? transportError(code, details, address, error);
}

/** The `LociError` that {@link errorToRpcStatus} packed, or `undefined` for a status that is not from Loci. */
export function errorFromRpcStatus(rpcStatus: Status, cause?: unknown): LociError | undefined {
  let info: ErrorInfo | undefined;
  let field: string | undefined;
  for (const { typeUrl, value } of rpcStatus.details) {
    if (typeUrl === errorInfoType) info = ErrorInfo.decode(value);
    else if (typeUrl === badRequestType) field = BadRequest.decode(value).fieldViolations[0]?.field;
  }
  if (info?.domain !== errorDomain) return undefined;
  const { field: here, advice: advised, resource, details } = readMetadata(info.metadata);
  const there: ErrorWords = { message: rpcStatus.message, advice: advised, field };
  const { message, advice, field: named } = here === undefined ? there : inInterfaceWords(there, here);
  const isKnown = Object.hasOwn(errorReasons, info.reason);
  return new LociError(info.reason as ErrorReason, {
    // A reason of a later version keeps its name, and is of the kind that its status says.
    code: isKnown ? undefined : (codeOfStatus.get(rpcStatus.code) ?? "INTERNAL"),
    message,
    advice,
    field: named,
    resource,
    details,
    cause,
  });
}

function errorFromBytes(bytes: Uint8Array, cause: unknown): LociError | undefined {
  try {
    return errorFromRpcStatus(Status.decode(bytes), cause);
  } catch {
    // Details of another service: the plain status is all there is.
    return undefined;
  }
}

/** HTTP/2's COMPRESSION_ERROR: how Node's server ends a call whose headers are too large to be read. */
const headersRefused = /^Received RST_STREAM with code 9\b/;

/** An error of the connection, or of something at the address that is not Loci. */
function transportError(code: number, details: string, address: string, cause: unknown): LociError {
  if (headersRefused.test(details))
    return new LociError("MESSAGE_TOO_LARGE", {
      message: `The call to ${address} carries more metadata than the connection takes: ${details}`,
      resource: address,
      advice: "Pass the API key as it was issued, and no other long metadata: all of it together may have some 16 KB.",
      cause,
    });
  const known = reasonOfStatus.get(code) ?? "INTERNAL";
  const trouble = known === "SERVER_UNAVAILABLE" ? tlsTroubleIn(details) : undefined;
  if (trouble !== undefined)
    return new LociError("SERVER_UNAVAILABLE", {
      message: `${address} ${trouble.problem}: ${connectionTrouble(details)}`,
      resource: address,
      advice: trouble.advice,
      cause,
    });
  const reason = known === "TOO_MANY_REQUESTS" && /larger than/i.test(details) ? "MESSAGE_TOO_LARGE" : known;
  const said = details === "" ? "" : `: ${details}`;
  switch (reason) {
    case "SERVER_UNAVAILABLE":
      return new LociError(reason, {
        message: `No Loci server answered at ${address}${said === "" ? "" : `: ${connectionTrouble(details)}`}`,
        resource: address,
        advice:
          "Check the address and that the server runs there (`loci serve`). A server with TLS is reached by TLS only: its certificate has to name that host, its authority has to be given, and where it asks callers for certificates, yours.",
        cause,
      });
    case "DEADLINE_EXCEEDED":
      return new LociError(reason, {
        message: `${address} did not answer before the call's deadline.`,
        resource: address,
        advice: "Give it more time, or ask for less.",
        cause,
      });
    case "CANCELLED":
      return new LociError(reason, { message: `The call to ${address} was cancelled.`, resource: address, cause });
    case "CREDENTIAL_INVALID":
      return new LociError(reason, {
        message: `${address} did not accept the credential${said}`,
        resource: address,
        advice: "Pass an API key of that server.",
        cause,
      });
    case "MESSAGE_TOO_LARGE":
      return new LociError(reason, {
        message: `A message of the call to ${address} is too large${said}`,
        resource: address,
        advice: "Send or ask for less at once, or raise the limit on both sides.",
        cause,
      });
    case "UNSUPPORTED_OPERATION":
      return new LociError(reason, {
        message: `${address} does not offer this call${said}`,
        resource: address,
        advice: "Check that a Loci server runs there and is not older than this client.",
        cause,
      });
    default:
      return new LociError(reason, {
        message: `The call to ${address} failed with ${status[code] ?? "UNKNOWN"}${said}`,
        resource: address,
        advice: "Look into the server's log, and check that a Loci server runs there.",
        cause,
      });
  }
}

function statusOf(error: LociError): status {
  // By its own code, not by its reason: another copy of the domain may know reasons that this one does not.
  return statusOfCode[error.code];
}

function knownError(error: unknown): LociError {
  if (LociError.is(error)) return error;
  return new LociError("INTERNAL", {
    message: "The server failed unexpectedly.",
    advice: "Look into the server's log.",
    cause: error,
  });
}

function badRequest(field: string, description: string): BadRequest {
  return { fieldViolations: [{ field, description, reason: "", localizedMessage: undefined }] };
}

/** For callers of any language, whose libraries know it. Loci's own client reads the detail itself. */
function retryInfoOf({ details }: LociError): RetryInfo | undefined {
  const milliseconds = Number(details[retryAfterDetail]);
  if (!Number.isSafeInteger(milliseconds) || milliseconds < 0) return undefined;
  const seconds = Math.floor(milliseconds / 1_000);
  return { retryDelay: { seconds: BigInt(seconds), nanos: (milliseconds - seconds * 1_000) * 1_000_000 } };
}

/** What stands beside the details in the metadata; `field` is the one of the interface, where the contract's is another. */
type BesideDetails = Pick<LociError, "advice" | "field" | "resource">;

/** Details beside the others; a detail of one of their names, with or without _ behind it, gets one _ more. */
function metadataOf({
  advice,
  field,
  resource,
  details,
}: BesideDetails & Pick<LociError, "details">): Map<string, string> {
  const metadata = new Map<string, string>();
  if (advice !== undefined) metadata.set("advice", advice);
  if (resource !== undefined) metadata.set("resource", resource);
  if (field !== undefined) metadata.set("field", field);
  for (const [name, value] of Object.entries(details)) metadata.set(reservedName.test(name) ? `${name}_` : name, value);
  return metadata;
}

function readMetadata(metadata: ReadonlyMap<string, string>): BesideDetails & Pick<LociError, "details"> {
  const details: [string, string][] = [];
  for (const [name, value] of metadata)
    if (name !== "advice" && name !== "resource" && name !== "field")
      details.push([reservedName.test(name) ? name.slice(0, -1) : name, value]);
  return {
    advice: metadata.get("advice"),
    field: metadata.get("field"),
    resource: metadata.get("resource"),
    details: Object.fromEntries(details),
  };
}

const reservedName = /^(advice|field|resource)_*$/;

interface PlainStatus {
  readonly code: number;
  readonly details: string;
  readonly metadata: Metadata | undefined;
}

function plainStatusOf(error: unknown): PlainStatus {
  const { code, details, metadata } = (
    typeof error === "object" && error !== null ? error : {}
  ) as Partial<StatusObject>;
  if (typeof code === "number") return { code, details: details ?? "", metadata };
  return { code: status.UNKNOWN, details: error instanceof Error ? error.message : "", metadata: undefined };
}
