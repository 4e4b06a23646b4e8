import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Loci } from "@loci/domain";
import { announceServer } from "@loci/served-directory";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { connectLocalLoci, type ConnectLocalOptions } from "../src/index.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

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
