import type { IncomingHttpHeaders } from "node:http2";
import { Metadata } from "@grpc/grpc-js";
import { describe, expect, test } from "vitest";
import { CertificateHeader, certificateHeaderName } from "../src/security/certificate-header.ts";
import { createFrontSecret } from "../src/security/front-header.ts";
import type { PresentedCertificate } from "../src/security/presented-certificate.ts";
import { TenantRoutes } from "../src/workers/tenant-routes.ts";

const certificate: PresentedCertificate = { names: ["DNS:agents.example"], expiresAt: Date.UTC(2030, 0) };
const other: PresentedCertificate = { names: ["DNS:others.example"], expiresAt: Date.UTC(2030, 0) };

describe("the header that tells a worker of a certificate", () => {
  const secret = createFrontSecret();
  const header = new CertificateHeader(secret);

  function written(told: PresentedCertificate | undefined, sent: IncomingHttpHeaders = {}): IncomingHttpHeaders {
    const headers = { ":path": "/loci.v1.MemoryService/ListMemories", te: "trailers", ...sent };
    header.write(headers, told);
    return headers;
  }
  function metadataWith(...values: readonly unknown[]): Metadata {
    const metadata = new Metadata();
    for (const value of values) metadata.add(certificateHeaderName, String(value));
    return metadata;
  }

  test.each([
    certificate,
    { ...certificate, names: [] },
    { ...certificate, names: ["URI:https://bücher.example/雪", "CN:a"] },
    { ...certificate, expiresAt: Number.NaN },
  ])("says %j as it is, and is gone once it is read", (told) => {
    const metadata = metadataWith(written(told)[certificateHeaderName]);
    metadata.set("user-agent", "test");
    expect(header.take(metadata)).toEqual(told);
    expect(metadata.getMap()).toEqual({ "user-agent": "test" });
    expect(header.take(metadata)).toBeUndefined();
  });

  test("is all that is left of what a caller wrote in its place, however spelt and with whatever secret", () => {
    const forged = String(written(other)[certificateHeaderName]);
    const spellings = { [certificateHeaderName]: forged, "Loci-Client-Certificate": forged };
    expect(written(undefined, spellings)).toEqual(written(undefined));
    expect(written(certificate, spellings)).toEqual(written(certificate));
  });

  test.each([
    ["another front", () => [headerOf(createFrontSecret())]],
    ["nobody's secret", () => [headerOf("")]],
    ["the front, twice", () => [headerOf(secret), headerOf(secret)]],
    ["somebody else besides", () => ["x", headerOf(secret)]],
    ["nobody", () => [""]],
  ])("says nothing when it is of %s", (_, values) => {
    const metadata = metadataWith(...values());
    expect(header.take(metadata)).toBeUndefined();
    expect(metadata.getMap()).toEqual({});
  });

  function headerOf(with_: string): string {
    const headers: IncomingHttpHeaders = {};
    new CertificateHeader(with_).write(headers, certificate);
    return String(headers[certificateHeaderName]);
  }
});

describe("routes of certificates", () => {
  const rights = { roles: ["read"], scopes: ["*"] } as const;
  const bound = [
    { ...rights, name: "DNS:agents.example", tenant: "here" },
    { ...rights, name: "CN:others", tenant: "there" },
  ];
  const places = new Map([
    ["here", 0],
    ["there", 1],
  ]);
  const routesWith = (clientCertificates: typeof bound): TenantRoutes =>
    new TenantRoutes((tenant) => [places.get(tenant) ?? 0], { apiKeys: [], clientCertificates });
  const { expiresAt } = certificate;

  test("go to the tenant of the first name that is bound, and say no other name", () => {
    const names = ["SHA256:AB", "CN:others", "DNS:agents.example"];
    expect(routesWith(bound).routeOf(undefined, { names, expiresAt })).toEqual({
      tenant: "there",
      workers: [1],
      certificate: { names: ["CN:others"], expiresAt },
    });
  });

  test("say that there is a certificate that opens nothing, but only where some do", () => {
    const unknown = { names: ["DNS:nobody.example"], expiresAt };
    const route = { tenant: undefined, workers: [0] };
    expect(routesWith(bound).routeOf(undefined, unknown)).toEqual({ ...route, certificate: { names: [], expiresAt } });
    expect(routesWith([]).routeOf(undefined, unknown)).toEqual(route);
  });

  test("are not asked for a call with a credential, also one that is none", () => {
    for (const authorization of ["", "Bearer x"])
      expect(routesWith(bound).routeOf(authorization, certificate)).toEqual({ tenant: undefined, workers: [0] });
  });

  test("each worker knows the names of its own tenants, and they move with them", () => {
    const routes = routesWith(bound);
    const namesOf = (worker: number): readonly string[] =>
      routes.entriesFor(worker).clientCertificates.map(({ name }) => name);
    expect([namesOf(0), namesOf(1)]).toEqual([["DNS:agents.example"], ["CN:others"]]);
    places.set("there", 0);
    routes.update();
    expect([namesOf(0), namesOf(1)]).toEqual([["DNS:agents.example", "CN:others"], []]);
    expect(routes.routeOf(undefined, { names: ["CN:others"], expiresAt }).workers).toEqual([0]);
  });
});
