import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Loci, LociError } from "@loci/domain";
import { announceServer } from "@loci/served-directory";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { connectLocalLoci, type ConnectLocalOptions } from "../src/index.ts";
import { errorOf } from "./fixture.ts";
import { type Handler, startTestServer, type TestServer } from "./test-server.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "loci-connect-local-"));
  vi.stubEnv("LOCI_DATA_DIR", directory);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

async function served(apiKey?: string): Promise<TestServer> {
  const server = await startTestServer(() => ({ tokens: 1 }));
  onTestFinished(server.stop);
  announceServer(directory, { address: server.address, pid: process.pid, tls: false, apiKey });
  return server;
}

function local(options?: ConnectLocalOptions): Loci {
  const loci = connectLocalLoci(options);
  onTestFinished(() => loci.close());
  return loci;
}

test("the server of the directory is called, with the key that it keeps there", async () => {
  const server = await served("loci_local_x");
  for (const options of [undefined, { dataDirectory: directory }, { apiKey: "own" }])
    await local(options).tokens.count({ text: "one" });
  const keys = server.calls.map(({ authorization }) => authorization);
  expect(keys).toEqual(["Bearer loci_local_x", "Bearer loci_local_x", "Bearer own"]);
});

test("a server with keys of its own keeps none there", async () => {
  const server = await served();
  await local().tokens.count({ text: "one" });
  expect(server.calls[0]?.authorization).toBeUndefined();
});

test("a directory that nobody serves is an error that names it", () => {
  expect(() => connectLocalLoci()).toThrow(
    expect.objectContaining({
      reason: "SERVER_UNAVAILABLE",
      resource: directory,
      advice: expect.stringContaining("loci serve") as string,
    }),
  );
});

/** A server with a key, noted in the directory, as `loci serve` is. */
async function servedWith(apiKey: string, options: { port?: number; handler?: Handler } = {}): Promise<TestServer> {
  const { handler = (): unknown => ({ tokens: 1 }), port } = options;
  const checked: Handler = (call) => {
    if (call.authorization !== `Bearer ${apiKey}`)
      throw new LociError("CREDENTIAL_INVALID", { message: "The API key is not one of this server's." });
    return handler(call);
  };
  const server = await startTestServer(checked, port === undefined ? {} : { port });
  onTestFinished(server.stop);
  announceServer(directory, { address: server.address, pid: process.pid, tls: false, apiKey });
  return server;
}

test.each([
  ["on the same port", true],
  ["on another port", false],
])("a server that was restarted with another key %s is found by the next call", async (_, isSamePort) => {
  const first = await servedWith("loci_local_first");
  const loci = local();
  await loci.tokens.count({ text: "one" });
  first.stop();
  const second = await servedWith("loci_local_second", isSamePort ? { port: first.port } : {});
  await Promise.all([1, 2, 3].map(() => loci.tokens.count({ text: "two" })));
  expect(second.calls.slice(-3).map(({ authorization }) => authorization)).toEqual(
    Array.from({ length: 3 }, () => "Bearer loci_local_second"),
  );
});

test("a refused key costs no call, not even one without a key of its own: it has not begun", async () => {
  const server = await servedWith("loci_local_right");
  announceServer(directory, { address: server.address, pid: process.pid, tls: false, apiKey: "loci_local_stale" });
  const loci = local();
  announceServer(directory, { address: server.address, pid: process.pid, tls: false, apiKey: "loci_local_right" });
  await loci.memories.markUsed(["01890000-0000-7000-8000-000000000000" as never]);
  expect(server.calls.map(({ authorization }) => authorization)).toEqual([
    "Bearer loci_local_stale",
    "Bearer loci_local_right",
  ]);
});

test("a server that comes up while a call is repeated is found, at its new port and with its new key", async () => {
  const first = await servedWith("loci_local_first");
  const loci = local();
  await loci.tokens.count({ text: "one" });
  first.stop();
  const counting = loci.tokens.count({ text: "two" });
  counting.catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 150));
  await servedWith("loci_local_second");
  expect(await counting).toMatchObject({ tokens: 1 });
});

test("a watch goes on at the server that was restarted", async () => {
  async function* changes(): AsyncGenerator {
    yield { cursor: "1.0123456789abcdef" };
    await new Promise(() => {});
  }
  const first = await servedWith("loci_local_first", { handler: changes });
  const loci = local();
  const watch = loci.memories.watch({ scopes: "*" })[Symbol.asyncIterator]();
  await watch.next();
  const next = watch.next();
  first.stop();
  const second = await servedWith("loci_local_second", { handler: changes });
  expect((await next).value).toMatchObject({ type: "reached" });
  expect(second.calls).toHaveLength(1);
  await watch.return?.();
});

test("a key that the note's server refuses is tried once more at most", async () => {
  const server = await servedWith("loci_local_right");
  announceServer(directory, { address: server.address, pid: process.pid, tls: false, apiKey: "loci_local_stale" });
  const loci = local();
  expect((await errorOf(loci.tokens.count({ text: "one" }))).reason).toBe("CREDENTIAL_INVALID");
  expect(server.calls).toHaveLength(1);
  announceServer(directory, { address: server.address, pid: process.pid, tls: false, apiKey: "loci_local_other" });
  expect((await errorOf(loci.tokens.count({ text: "one" }))).reason).toBe("CREDENTIAL_INVALID");
  expect(server.calls).toHaveLength(3);
});

test("a key of the caller's own stays, whatever the note says", async () => {
  const server = await servedWith("loci_local_right");
  const loci = local({ apiKey: "own" });
  expect((await errorOf(loci.tokens.count({ text: "one" }))).reason).toBe("CREDENTIAL_INVALID");
  expect(server.calls.map(({ authorization }) => authorization)).toEqual(["Bearer own"]);
});

test.each([
  [{ dataDir: "x" }, "dataDir", "dataDirectory"],
  [{ address: "localhost:1" }, "address", ""],
  [{ tls: { cert: "x" } }, "cert", ""],
])("the unknown option in %j is refused", async (options, field, meant) => {
  await servedWith("loci_local_right");
  expect(() => connectLocalLoci(options as never)).toThrow(
    expect.objectContaining({
      reason: "INVALID_CONFIGURATION",
      field,
      message: expect.stringContaining(meant) as string,
    }),
  );
});
