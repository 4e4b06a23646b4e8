import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { connect } from "node:tls";
import { createApiKey, printApiKey } from "@loci/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildMissingPage } from "./built-page.ts";

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
const missing = hasOpenssl ? "" : " (SKIPPED: there is no openssl to make certificates with)";
const folder = mkdtempSync(join(tmpdir(), "loci-serve-beside-"));
const { key, entry } = createApiKey({ id: "ann", tenant: "acme", roles: ["read", "write"], scopes: ["*"] });

/** One that nobody signed, for a name that this machine does not have. */
function makeCertificate(): X509Certificate {
  const names = ["-subj", "/CN=memory.example", "-addext", "subjectAltName=DNS:memory.example"];
  const ec = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  execFileSync("openssl", ["req", "-x509", ...ec, ...names, "-keyout", "server.key", "-out", "server.crt"], {
    cwd: folder,
    stdio: "pipe",
  });
  return new X509Certificate(readFileSync(join(folder, "server.crt")));
}

async function shownAt(port: number): Promise<X509Certificate | undefined> {
  const socket = connect({ host: "127.0.0.1", port, servername: "memory.example", rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const { raw } = socket.getPeerCertificate();
  socket.destroy();
  return new X509Certificate(raw);
}

function post(port: number, path: string, body: object, headers: Record<string, string> = {}): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const ca = readFileSync(join(folder, "server.crt"));
  const sent = { host: "127.0.0.1", port, path, method: "POST", ca, servername: "memory.example", agent: false };
  request({ ...sent, headers: { host: "memory.example", ...headers } }, (response) => {
    response.resume().once("end", () => resolve(response.statusCode ?? 0));
  })
    .on("error", reject)
    .end(JSON.stringify(body));
  return promise;
}

describe.skipIf(!hasOpenssl)(`loci serve with a browser and MCP beside it${missing}`, () => {
  let child: ChildProcess;
  const ports: Record<string, number> = {};
  let errors = "";

  beforeAll(async () => {
    buildMissingPage();
    makeCertificate();
    writeFileSync(
      join(folder, "loci.toml"),
      `data_directory = "data"
listen = { address = "0.0.0.0", port = 0 }
tls = { certificate_file = "server.crt", private_key_file = "server.key" }
browser = { listen = "0.0.0.0:0", names = ["memory.example"] }
mcp = { listen = "0.0.0.0:0", names = ["memory.example"] }
${printApiKey(entry)}`,
    );
    const flags = ["--conditions=@loci/source", "--disable-warning=ExperimentalWarning"];
    const program = join(import.meta.dirname, "../src/main.ts");
    child = spawn(process.execPath, [...flags, program, "serve", "--config", join(folder, "loci.toml")]);
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (errors += text));
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    for await (const line of lines) {
      const [, what = "", port = ""] =
        /^Serving (the memory browser|MCP|\S+) on \S+?:(\d+)(?:\/mcp)?$/.exec(line) ?? [];
      ports[what.startsWith("/") ? "calls" : what] = Number(port);
      if (ports["calls"] !== undefined) break;
    }
  }, 60_000);
  afterAll(() => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  const works = () =>
    Promise.all([
      post(ports["the memory browser"] ?? 0, "/session", { key }),
      post(ports["MCP"] ?? 0, "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" }, mcpHeaders),
    ]);
  const mcpHeaders = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };

  test("both are there with the certificate of the server, which nobody has signed", async () => {
    expect(Object.keys(ports).toSorted()).toEqual(["MCP", "calls", "the memory browser"]);
    expect(await works()).toEqual([200, 200]);
  });

  test("a renewed certificate is shown by all, and calls go on", async () => {
    const renewed = makeCertificate();
    child.kill("SIGHUP");
    for (const port of Object.values(ports))
      await expect.poll(async () => (await shownAt(port))?.fingerprint256).toBe(renewed.fingerprint256);
    expect(await works()).toEqual([200, 200]);
  });

  test("they end with the server, and nothing but JSON was logged", async () => {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    for (const port of Object.values(ports))
      await expect(shownAt(port)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    const lines = errors.trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toContain("stopped");
    expect(errors).not.toContain(key);
  });
});
