import { Metadata, status } from "@grpc/grpc-js";
import { LociError } from "@loci/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RetryInfo } from "../src/gen/google/rpc/error_details.ts";
import { Status } from "../src/gen/google/rpc/status.ts";
import { errorFromStatus, errorToStatus, failedForTls } from "../src/index.ts";
import { errorOf, reasons } from "./arbitraries/errors.ts";

const address = "localhost:7101";

describe("a LociError crosses unchanged", () => {
  test.each(reasons)("%s", (reason) => {
    fc.assert(
      fc.property(errorOf(reason), (error) => {
        const sent = errorToStatus(error);
        const received = errorFromStatus(Object.assign(new Error("rpc"), sent), address);
        expect(received).toBeInstanceOf(LociError);
        expect(received.toJSON()).toStrictEqual(error.toJSON());
        expect(received.details).toStrictEqual(error.details);
      }),
      { seed: 20_261_122, numRuns: 30 },
    );
  });
});

test.each([
  ["INVALID_TEXT", status.INVALID_ARGUMENT],
  ["MEMORY_NOT_FOUND", status.NOT_FOUND],
  ["MEMORY_EXISTS", status.ALREADY_EXISTS],
  ["VERSION_CONFLICT", status.ABORTED],
  ["WINDOW_TOO_SMALL", status.FAILED_PRECONDITION],
  ["ROLE_REQUIRED", status.PERMISSION_DENIED],
  ["CREDENTIAL_EXPIRED", status.UNAUTHENTICATED],
  ["DISK_FULL", status.RESOURCE_EXHAUSTED],
  ["UNSUPPORTED_OPERATION", status.UNIMPLEMENTED],
  ["STORE_UNAVAILABLE", status.UNAVAILABLE],
  ["DEADLINE_EXCEEDED", status.DEADLINE_EXCEEDED],
  ["CANCELLED", status.CANCELLED],
  ["INTERNAL", status.INTERNAL],
] as const)("%s is status %i", (reason, code) => {
  expect(errorToStatus(new LociError(reason, { message: "message" }))).toMatchObject({ code, details: "message" });
});

test("when to try again stands where libraries of any language look for it", () => {
  const error = new LociError("TOO_MANY_REQUESTS", { message: "later", details: { retryAfterMilliseconds: "1250" } });
  const [packed] = errorToStatus(error).metadata.get("grpc-status-details-bin") as Buffer[];
  const { details } = Status.decode(packed ?? Buffer.alloc(0));
  const found = details.find(({ typeUrl }) => typeUrl === "type.googleapis.com/google.rpc.RetryInfo");
  expect(RetryInfo.decode(found?.value ?? Buffer.alloc(0)).retryDelay).toEqual({ seconds: 1n, nanos: 250_000_000 });
  const plain = errorToStatus(new LociError("TOO_MANY_REQUESTS", { message: "later" }));
  const [other] = plain.metadata.get("grpc-status-details-bin") as Buffer[];
  expect(Status.decode(other ?? Buffer.alloc(0)).details).toHaveLength(1);
});

test("the cause stays in the process", () => {
  const sent = errorToStatus(new LociError("INTERNAL", { message: "message", cause: new Error("secret") }));
  expect(JSON.stringify(sent.metadata.toHttp2Headers())).not.toContain(Buffer.from("secret").toString("base64"));
  expect(Buffer.concat(sent.metadata.get("grpc-status-details-bin") as Buffer[]).toString()).not.toContain("secret");
});

test.each([[new TypeError("secret")], ["secret"], [{ code: 5, details: "secret", message: "secret" }], [undefined]])(
  "what is no LociError becomes INTERNAL and tells nothing: %s",
  (error) => {
    const { code, details, metadata } = errorToStatus(error);
    expect(code).toBe(status.INTERNAL);
    expect(details).not.toContain("secret");
    expect(Buffer.concat(metadata.get("grpc-status-details-bin") as Buffer[]).toString()).not.toContain("secret");
  },
);

test("half a surrogate pair in a message does not break grpc-js, which writes it with encodeURI", () => {
  const sent = errorToStatus(new LociError("INTERNAL", { message: "a\udc00b" }));
  expect(() => encodeURI(sent.details)).not.toThrow();
});

describe("errors of the connection", () => {
  const received = (code: status, details: string): LociError =>
    errorFromStatus(Object.assign(new Error(details), { code, details, metadata: new Metadata() }), address);

  test.each([
    [status.UNAVAILABLE, "No connection established", "SERVER_UNAVAILABLE", "UNAVAILABLE"],
    [status.DEADLINE_EXCEEDED, "Deadline exceeded after 0.1s", "DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED"],
    [status.CANCELLED, "Cancelled on client", "CANCELLED", "CANCELLED"],
    [status.UNAUTHENTICATED, "", "CREDENTIAL_INVALID", "UNAUTHENTICATED"],
    [status.PERMISSION_DENIED, "", "ROLE_REQUIRED", "PERMISSION_DENIED"],
    [
      status.RESOURCE_EXHAUSTED,
      "Received message larger than max (5 vs. 4)",
      "MESSAGE_TOO_LARGE",
      "RESOURCE_EXHAUSTED",
    ],
    [status.RESOURCE_EXHAUSTED, "Bandwidth exhausted", "TOO_MANY_REQUESTS", "RESOURCE_EXHAUSTED"],
    [status.UNIMPLEMENTED, "unknown method", "UNSUPPORTED_OPERATION", "UNSUPPORTED"],
    [status.INTERNAL, "Received RST_STREAM with code 9", "MESSAGE_TOO_LARGE", "RESOURCE_EXHAUSTED"],
    [status.INTERNAL, "Received RST_STREAM with code 2", "INTERNAL", "INTERNAL"],
    [status.INTERNAL, "Protocol error", "INTERNAL", "INTERNAL"],
    [status.UNKNOWN, "Unknown", "INTERNAL", "INTERNAL"],
    [status.DATA_LOSS, "Lost", "INTERNAL", "INTERNAL"],
  ])("%i %s is %s", (code, details, reason, expectedCode) => {
    const error = received(code, details);
    expect(error).toMatchObject({ reason, code: expectedCode, resource: address });
    expect(error.message).toContain(address);
  });

  test("an unreachable server: where it was tried and what to check", () => {
    const error = received(status.UNAVAILABLE, "connect ECONNREFUSED 127.0.0.1:7101");
    expect(error.message).toContain("localhost:7101");
    expect(error.message).toContain("ECONNREFUSED");
    expect(error.advice).toContain("loci serve");
  });

  test.each([
    ["Error: connect ECONNREFUSED 127.0.0.1:7101", "", "connect ECONNREFUSED 127.0.0.1:7101"],
    ["Failed to connect (2026-11-28T11:28:31.968Z)", "", "Failed to connect (2026-11-28T11:28:31.968Z)"],
    ["Error: connect ECONNREFUSED ::1:7101", "only one name", "connect ECONNREFUSED ::1:7101 (only one name)"],
  ])("of a connection that was not made only the cause is said: %s", (last, note, said) => {
    const { message } = received(
      status.UNAVAILABLE,
      `No connection established. Last error: ${last}. Resolution note: ${note}`,
    );
    expect(message).toBe(`No Loci server answered at ${address}: ${said}`);
  });

  test.each([
    [
      "unable to verify the first certificate; if the root CA is installed",
      "an authority that this client does not know",
      "ca",
    ],
    ["self-signed certificate in certificate chain", "an authority that this client does not know", "ca"],
    ["self-signed certificate", "an authority that this client does not know", "ca"],
    ["unable to get local issuer certificate", "an authority that this client does not know", "ca"],
    ["certificate has expired", "not valid today", "clock"],
    ["certificate is not yet valid", "not valid today", "clock"],
    ["Hostname/IP does not match certificate's altnames: Host: a.", "for another name", "name"],
    [
      "SSL routines:ssl3_read_bytes:tlsv13 alert certificate required",
      "asks its callers for a certificate",
      "key in tls",
    ],
    [
      "SSL routines:ssl3_read_bytes:tlsv1 alert unknown ca",
      "does not take the certificate of this client",
      "client_ca_file",
    ],
    ["SSL routines:tls_validate_record_header:wrong version number", "does not speak TLS", "tls: false"],
  ])("%s: what is wrong with TLS, and what to do", (details, said, advice) => {
    const error = received(status.UNAVAILABLE, `No connection established. Last error: Error: ${details}`);
    expect(error).toMatchObject({ reason: "SERVER_UNAVAILABLE", resource: address });
    expect(error.message).toContain(said);
    expect(error.message).toContain(address);
    expect(error.message).toContain(details);
    expect(error.advice).toContain(advice);
    expect(failedForTls(error)).toBe(true);
  });

  test("what a server says of another connection of its own is no trouble with TLS here", () => {
    const said = new LociError("EMBEDDER_UNAVAILABLE", { message: "self-signed certificate" });
    expect(failedForTls(errorFromStatus(errorToStatus(said), address))).toBe(false);
    const refused = received(status.UNAVAILABLE, "connect ECONNREFUSED");
    expect(failedForTls(refused)).toBe(false);
    // Its alert is often lost with the connection.
    expect(refused.advice).toContain("where it asks callers for certificates, yours");
  });

  test("an error that is no status keeps its text", () => {
    expect(errorFromStatus(new TypeError("boom"), address)).toMatchObject({ reason: "INTERNAL" });
    expect(errorFromStatus(new TypeError("boom"), address).message).toContain("boom");
  });

  test("details of another service are passed over", () => {
    const metadata = new Metadata();
    metadata.set("grpc-status-details-bin", Buffer.from([0xff, 0xff]));
    const error = Object.assign(new Error("gone"), { code: status.NOT_FOUND, details: "gone", metadata });
    expect(errorFromStatus(error, address)).toMatchObject({ code: "NOT_FOUND" });
  });

  test("a reason of a later version keeps its name, its kind and its text", () => {
    const later = Object.assign(new LociError("SERVER_UNAVAILABLE", { message: "later", advice: "wait" }), {
      reason: "SERVER_MOVED",
    });
    const sent = errorToStatus(later);
    expect(
      errorFromStatus(Object.assign(new Error("rpc"), { ...sent, code: status.UNAVAILABLE }), address),
    ).toMatchObject({
      reason: "SERVER_MOVED",
      code: "UNAVAILABLE",
      message: "later",
      advice: "wait",
    });
  });
});
