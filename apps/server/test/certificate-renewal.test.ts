import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { proto } from "@loci/api";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ca, clientFile, serverFile } from "./certificate-files.ts";
import { shownCertificate } from "./shown-certificate.ts";
import { failureOf, scopeOf, startTestServer, TestClient, testKey, type TestServer, until } from "./test-server.ts";

/** Longer than any test. */
const never = 3_600_000;
const key = testKey();

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-certificate-renewal-"));
  put("server.crt", serverFile("server.crt"));
  put("server.key", serverFile("server.key"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Puts a file in the place of another one in one step. */
function put(name: string, from: string): void {
  copyFileSync(from, join(folder, "new"));
  renameSync(join(folder, "new"), join(folder, name));
}

function start(keyFileInterval: number, clientCaFile?: string): Promise<TestServer> {
  const tls = { certificateFile: join(folder, "server.crt"), privateKeyFile: join(folder, "server.key"), clientCaFile };
  return startTestServer({ configuration: { tls, apiKeys: [key.entry] }, keyFileInterval });
}

function clientOf({ port }: TestServer, own?: readonly [key: Buffer, certificate: Buffer]): TestClient {
  return new TestClient(`localhost:${port}`, key.key, credentials.createSsl(ca, own?.[0], own?.[1]));
}

function told(server: TestServer, event: string): readonly Readonly<Record<string, unknown>>[] {
  return server.log().filter((line) => line.event === event);
}

test("a renewed certificate is shown to new connections by itself, and open ones go on", async () => {
  await using server = await start(20);
  using before = clientOf(server);
  const watched: unknown[] = [];
  const request = proto.WatchMemoriesRequest.create({ scopes: [scopeOf("global")] });
  const watch = before.stream("/loci.v1.MemoryService/WatchMemories", request);
  watch.on("data", (answer) => watched.push(answer));
  let failure: unknown;
  watch.on("error", (error) => (failure = error));
  await before.remember("The door is blue.");
  expect(await shownCertificate(server.port)).toBe("server");

  put("server.key", serverFile("client.key"));
  put("server.crt", serverFile("client.crt"));
  await until(async () => (await shownCertificate(server.port)) === "client");
  expect(told(server, "certificate reloaded")).toMatchObject([{ level: "info", subject: "CN=client" }]);

  const seen = watched.length;
  await before.remember("The roof is red.");
  await until(() => watched.length > seen);
  expect(failure).toBeUndefined();
  watch.on("error", () => undefined).cancel();
  using after = clientOf(server);
  expect(await after.texts()).toHaveLength(2);
});

test.each([
  ["a key of another certificate", () => put("server.key", serverFile("client.key")), "does not belong to"],
  [
    "a file that is cut off",
    () => writeFileSync(join(folder, "server.crt"), "-----BEGIN CERT"),
    "no certificate in PEM",
  ],
  ["no file", () => rmSync(join(folder, "server.key")), "cannot be read"],
  [
    "a certificate that has ended",
    () => {
      put("server.crt", clientFile("expired.crt"));
      put("server.key", clientFile("expired.key"));
    },
    "and not now",
  ],
])("%s changes nothing, and the log says so and what to do", async (_, change, problem) => {
  await using server = await start(never);
  change();
  server.reload();
  expect(told(server, "certificate not reloaded")).toMatchObject([
    { level: "error", reason: "INVALID_CONFIGURATION", problem: expect.stringContaining(problem) as string },
  ]);
  expect(told(server, "certificate not reloaded")[0]).toHaveProperty("advice");
  expect(await shownCertificate(server.port)).toBe("server");
  put("server.crt", serverFile("client.crt"));
  put("server.key", serverFile("client.key"));
  server.reload();
  expect(await shownCertificate(server.port)).toBe("client");
});

test("a renewed certificate that lacks a name of the one before is shown, and the log warns of the name", async () => {
  await using server = await start(never);
  put("server.crt", clientFile("unbound.crt"));
  put("server.key", clientFile("unbound.key"));
  server.reload();
  expect(told(server, "certificate reloaded")).toMatchObject([
    {
      level: "warn",
      namesGone: "DNS:localhost, IP Address:127.0.0.1",
      advice: expect.stringContaining("names") as string,
    },
  ]);
});

test("files that are as they were are not told of", async () => {
  await using server = await start(never);
  put("server.crt", serverFile("server.crt"));
  server.reload();
  expect(server.log().filter(({ event }) => event.startsWith("certificate"))).toEqual([]);
});

test("another authority of the callers counts for new connections", async () => {
  put("clients.crt", serverFile("stranger.crt"));
  await using server = await start(never, join(folder, "clients.crt"));
  const own = [readFileSync(clientFile("agents.key")), readFileSync(clientFile("agents.crt"))] as const;
  using refused = clientOf(server, own);
  expect((await failureOf(refused.texts())).code).toBe("UNAVAILABLE");
  put("clients.crt", clientFile("authority.crt"));
  server.reload();
  using taken = clientOf(server, own);
  expect(await taken.texts()).toEqual([]);
});
