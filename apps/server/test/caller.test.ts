import { delegatedToken, type proto } from "@loci/api";
import { contractServices, lociVersion } from "@loci/loci";
import { afterAll, beforeAll, expect, test } from "vitest";
import { methodRules } from "../src/calls/method-rules.ts";
import { startTestServer, testKey, type TestServer } from "./test-server.ts";

const path = "/loci.v1.StatusService/GetCaller";
const key = testKey({ id: "ci", tenant: "acme", scopes: ["user:*"], roles: ["read", "write"] });
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ configuration: { apiKeys: [key.entry] } });
});
afterAll(() => server[Symbol.asyncDispose]());

async function callerBy(credential: string): Promise<proto.Caller | undefined> {
  return ((await server.client(credential).call(path, {})) as proto.GetCallerResponse).caller;
}

test("a key is told its tenant, roles and scopes, and which server it has before it", async () => {
  expect(await callerBy(key.key)).toEqual({
    tenant: "acme",
    subject: "api-key:ci",
    roles: ["read", "write"],
    scopePatterns: ["user:*"],
    version: lociVersion,
    services: contractServices,
  });
});

test("a delegated token is told its own, narrower rights", async () => {
  const token = delegatedToken({ apiKey: key.key, scopes: ["user:alice"], roles: ["read"], expiresInSeconds: 60 });
  expect(await callerBy(token)).toMatchObject({ tenant: "acme", roles: ["read"], scopePatterns: ["user:alice"] });
});

test("the services that it names are those that are served", () => {
  const paths = Object.keys(methodRules).map((path) => path.split("/")[1] ?? "");
  expect([...new Set(paths)].toSorted((left, right) => (left < right ? -1 : 1))).toEqual(contractServices);
});
