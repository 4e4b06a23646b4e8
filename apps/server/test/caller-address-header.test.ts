import type { IncomingHttpHeaders } from "node:http2";
import { Metadata } from "@grpc/grpc-js";
import { describe, expect, test } from "vitest";
import { CallerAddressHeader, callerAddressHeaderName } from "../src/security/caller-address-header.ts";
import { createFrontSecret } from "../src/security/front-header.ts";

describe("the header that tells a worker where a call came from", () => {
  const secret = createFrontSecret();
  const header = new CallerAddressHeader(secret);

  function written(address: string | undefined, sent: IncomingHttpHeaders = {}): IncomingHttpHeaders {
    const headers = { te: "trailers", ...sent };
    header.write(headers, address);
    return headers;
  }
  function metadataWith(...values: readonly string[]): Metadata {
    const metadata = new Metadata();
    for (const value of values) metadata.add(callerAddressHeaderName, value);
    return metadata;
  }

  test.each(["127.0.0.1:50000", "[2001:db8::7]:1"])("says %s as it is, and is gone once it is taken", (address) => {
    const metadata = metadataWith(String(written(address)[callerAddressHeaderName]));
    metadata.set("user-agent", "test");
    const told = header.take(metadata);
    expect(metadata.getMap()).toEqual({ "user-agent": "test" });
    expect(told()).toBe(address);
    expect(header.take(metadata)()).toBeUndefined();
  });

  test("is all that is left of what a caller wrote in its place", () => {
    const forged = `${secret} 10.0.0.1:1`;
    const sent = { [callerAddressHeaderName]: forged, "Loci-Caller-Address": forged };
    expect(written(undefined, sent)).toEqual({ te: "trailers" });
    expect(written("10.0.0.2:2", sent)).toEqual(written("10.0.0.2:2"));
  });

  test.each([
    ["another front", [`${createFrontSecret()} 10.0.0.1:1`]],
    ["nobody", ["10.0.0.1:1"]],
    ["the front, twice", [`${secret} 10.0.0.1:1`, `${secret} 10.0.0.1:1`]],
  ])("says nothing when it is of %s", (_, values) => {
    const metadata = metadataWith(...values);
    expect(header.take(metadata)()).toBeUndefined();
    expect(metadata.getMap()).toEqual({});
  });
});
