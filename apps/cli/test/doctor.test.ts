import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configurationOf, type Finding, loadSettings, type RunningServer, startServer } from "@loci/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runCommand } from "./run-command.ts";

const tls = join(import.meta.dirname, "../../server/test/fixtures/tls");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-cli-doctor-"));
  vi.stubEnv("LOCI_DATA_DIR", join(folder, "data"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  process.exitCode = undefined;
  rmSync(folder, { recursive: true });
});

/** A server of the directory, in this process. */
function serve(environment: Readonly<Record<string, string>> = {}): Promise<RunningServer> {
  const wanted = {
    LOCI_LISTEN_PORT: "0",
    LOCI_INDEX_USE: "memory",
    LOCI_DATA_DIR: join(folder, "data"),
    ...environment,
  };
  return startServer(configurationOf(loadSettings({ environment: wanted })), { writeLog: () => undefined });
}

test("doctor says a line for each check, what to do where something is wrong, and fails when something does", async () => {
  await runCommand(["remember", "The door is blue."]);
  const well = await runCommand(["doctor"]);
  expect(well.out).toMatch(/^ok {3}node/m);
  expect(well.out).toMatch(/^ok {3}ledger {8}Schema version \d+, 1 tenant/m);
  expect(well.out).toMatch(/\d+ ok, 0 to know about, 0 that fail\.\n$/);
  expect(process.exitCode ?? 0).toBe(0);
  const ledger = join(folder, "data/ledger.sqlite");
  chmodSync(ledger, 0o644);
  const ill = await runCommand(["doctor"]);
  expect(ill.out).toMatch(/^fail permissions .*\n +chmod 600 /m);
  expect(process.exitCode).toBe(1);
  const { findings, failed } = JSON.parse((await runCommand(["doctor", "--json"])).out) as {
    findings: readonly Finding[];
    failed: number;
  };
  expect(failed).toBe(1);
  expect(findings.find(({ state }) => state === "fail")).toMatchObject({ check: "permissions" });
});

test("health ends with 0 when the directory's server serves, and with 5 when none does", async () => {
  expect(await runCommand(["health"])).toMatchObject({
    code: 5,
    error: expect.stringContaining("loci serve") as string,
  });
  const server = await serve();
  expect(await runCommand(["health"])).toEqual({ code: 0, out: "SERVING\n", error: "" });
  const asked = await runCommand(["health", "--connect", server.address, "--part", "index", "--json"]);
  expect(JSON.parse(asked.out)).toEqual({ address: server.address, status: "SERVING" });
  await server.close(0);
  const gone = await runCommand(["health", "--connect", server.address, "--timeout", "2"]);
  expect(gone).toMatchObject({ code: 5, error: expect.stringContaining(server.address) as string });
});

test("health reaches a server with TLS on this machine without its authority, and checks it when told one", async () => {
  const files = {
    LOCI_TLS_CERTIFICATE_FILE: join(tls, "server.crt"),
    LOCI_TLS_PRIVATE_KEY_FILE: join(tls, "server.key"),
  };
  const server = await serve(files);
  expect((await runCommand(["health"])).out).toBe("SERVING\n");
  const port = `localhost:${server.port}`;
  const known = await runCommand(["health", "--connect", port, "--tls-ca", join(tls, "authority.crt")]);
  expect(known.out).toBe("SERVING\n");
  const other = await runCommand(["health", "--connect", port, "--tls-ca", join(tls, "stranger.crt")]);
  expect(other.code).toBe(5);
  await server.close(0);
});

test("health shows a certificate to a server that asks for one", async () => {
  const server = await serve({
    LOCI_TLS_CERTIFICATE_FILE: join(tls, "server.crt"),
    LOCI_TLS_PRIVATE_KEY_FILE: join(tls, "server.key"),
    LOCI_TLS_CLIENT_CA_FILE: join(tls, "authority.crt"),
  });
  expect((await runCommand(["health", "--timeout", "2"])).code).toBe(5);
  const own = ["--tls-certificate", join(tls, "client.crt"), "--tls-key", join(tls, "client.key")];
  expect((await runCommand(["health", ...own])).out).toBe("SERVING\n");
  await server.close(0);
});

test("doctor asks the server of the directory how far all that follows its ledger is", async () => {
  const server = await serve();
  await runCommand(["remember", "The door is blue."]);
  const { out } = await runCommand(["doctor"]);
  await server.close(0);
  expect(out).toMatch(/^ok {3}status {8}All that follows the ledger has kept up/mu);
});
