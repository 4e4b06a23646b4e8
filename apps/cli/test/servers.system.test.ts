import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { announceServer, findServer, type Memory, openLoci } from "@loci/loci";
import { defaultConfiguration, type RunningServer, type ServerConfiguration, startServer } from "@loci/server";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runCommand } from "./run-command.ts";

const nothingStored = "loci: nothing is stored in user:a. `loci scopes` lists the scopes that hold something.\n";

const bin = join(import.meta.dirname, "../bin/loci.js");
const certificates = join(import.meta.dirname, "../../server/test/fixtures/tls");
/** An address that refuses. A port that was bound and let go of may be somebody else's soon. */
const nobody = "127.0.0.1:1";
let folder: string;
let data: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-cli-servers-"));
  data = join(folder, "data");
  vi.stubEnv("LOCI_DATA_DIR", data);
  vi.stubEnv("LOCI_API_KEY", undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

async function serve(configuration: Partial<ServerConfiguration> = {}): Promise<RunningServer & AsyncDisposable> {
  const listen = { address: "127.0.0.1", port: 0 };
  const options = { ...defaultConfiguration, listen, dataDirectory: data, ...configuration };
  const server = await startServer(options, { writeLog: () => undefined });
  return { ...server, [Symbol.asyncDispose]: () => server.close(0) };
}

describe("a directory that is being served", () => {
  // Needs no thread. What is tested is the same with every index.
  beforeEach(() => void vi.stubEnv("LOCI_INDEX_USE", "memory"));

  test("is watched and exported through its server, and gone on with where it was", async () => {
    await using server = await serve();
    const remember = async (text: string): Promise<Memory> =>
      JSON.parse((await runCommand(["remember", text, "--json"])).out) as Memory;
    const first = await remember("First.");
    const watch = async (...words: string[]): Promise<string> => (await runCommand(["watch", "--once", ...words])).out;
    const seen = await watch("--since", "beginning");
    expect(seen).toContain(`written  ${first.id}`);
    const cursor = /reached +(\S+)/u.exec(seen)?.[1] ?? "";
    expect(await watch()).toMatch(/^reached +\S+\n$/u);
    await remember("Second.");
    await runCommand(["memories", "forget", first.id]);
    const lines = (await watch("--since", cursor, "--all-scopes", "--json")).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { type: "written", memory: { text: "Second." } },
      { type: "removed", id: first.id },
      { type: "reached" },
    ]);
    expect(await runCommand(["watch", "--since", "x"])).toMatchObject({
      code: 2,
      error: expect.stringContaining("cursor"),
    });
    const file = join(folder, "all.jsonl");
    expect((await runCommand(["export", file])).out).toBe(`1 memory into ${file}.\n`);
    expect(server.address).toBeTruthy();
  });

  test("is watched over a restart of its server, which has another key and another port then", async () => {
    const first = await serve();
    const watching = spawn(process.execPath, [bin, "watch"], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      let told = "";
      watching.stdout.on("data", (bytes) => void (told += String(bytes)));
      await vi.waitFor(() => expect(told).toContain("reached"), { timeout: 60_000 });
      await first.close(0);
      await using second = await serve();
      expect(second.apiKey).not.toBe(first.apiKey);
      await runCommand(["remember", "After the restart."]);
      await vi.waitFor(() => expect(told).toContain("After the restart."), { timeout: 60_000 });
    } finally {
      watching.kill();
    }
  });

  test("is worked on through its server, and in process before and after", async () => {
    const before = await runCommand(["remember", "Before.", "--verbose"]);
    expect(before).toMatchObject({ code: 0, error: `loci: opened ${data} in process\n` });
    {
      await using server = await serve();
      const during = await runCommand(["remember", "During.", "--verbose", "--json"]);
      expect(during).toMatchObject({ code: 0, error: `loci: using the server at ${server.address}\n` });
      const listed = await runCommand(["memories", "list"]);
      expect(listed).toMatchObject({ code: 0, error: "", out: expect.stringMatching(/During\.[^]*Before\./) });
      const shown = await runCommand(["memories", "show", (JSON.parse(during.out) as Memory).id]);
      expect(shown.out).toContain("During.");
      expect(await runCommand(["memories", "show", "00000000-0000-7000-8000-000000000000"])).toMatchObject({ code: 3 });
      // The server decides where backups go, and the caller what they are called.
      expect(await runCommand(["backup", "first"])).toMatchObject({ code: 0 });
      expect(existsSync(join(data, "backups/first/manifest.json"))).toBe(true);
      expect(await runCommand(["backup", join(folder, "elsewhere")])).toMatchObject({
        code: 2,
        error: expect.stringContaining("backup_directory"),
      });
    }
    expect(await runCommand(["backup", join(folder, "elsewhere")])).toMatchObject({ code: 0 });
    const after = await runCommand(["recall", "during", "--verbose"]);
    expect(after).toMatchObject({ code: 0, error: `loci: opened ${data} in process\n` });
    expect(after.out).toContain("During.");
  });

  test("what a dead server left does not matter, whoever has its process id or port now", async () => {
    expect(await runCommand(["remember", "Kept."])).toMatchObject({ code: 0 });
    for (const pid of [process.pid, 2 ** 22 + 1]) {
      announceServer(data, { address: nobody, pid, tls: false });
      const listed = await runCommand(["memories", "list", "--verbose"]);
      expect(listed).toMatchObject({ code: 0, error: `loci: opened ${data} in process\n` });
      expect(listed.out).toContain("Kept.");
    }
  });

  test("a directory that is in use and not served is refused, with its owner", async () => {
    await using _owner = await openLoci({ tenant: "local", dataDirectory: data });
    const refused = await runCommand(["memories", "list"]);
    expect(refused).toMatchObject({ code: 4, out: "" });
    expect(refused.error).toMatch(/in use by this process[^]*DATA_DIRECTORY_LOCKED[^]*Open it once/);
    announceServer(data, { address: nobody, pid: process.pid, tls: false });
    expect((await runCommand(["memories", "list"])).error).toBe(refused.error);
  });
});

test("a directory that another command has for a moment is waited for", async () => {
  const other = await openLoci({ tenant: "local", dataDirectory: data });
  const [ended] = await Promise.all([runCommand(["remember", "After it."]), sleep(200).then(() => other.close())]);
  expect(ended).toMatchObject({ code: 0, error: "" });
});

describe("--connect", () => {
  test("an address where nobody answers is an error that says where it tried and what to check", async () => {
    const ended = await runCommand(["memories", "list", "--connect", nobody]);
    expect(ended).toMatchObject({ code: 5, out: "" });
    expect(ended.error).toMatch(new RegExp(`answered at ${nobody}[^]*SERVER_UNAVAILABLE[^]*loci serve`));
    expect(await runCommand(["recall", "x", "--connect", "nowhere"])).toMatchObject({
      code: 2,
      error: expect.stringContaining("host:port"),
    });
    expect(await runCommand(["recall", "x", "--connect", nobody, "--data", data])).toMatchObject({ code: 2 });
  });

  test("key and authority are sent and checked", async () => {
    const words = "key create --tenant acme --scope-pattern user:* --role read --expires 2100-01-01 --id ci --json";
    const made = await runCommand(words.split(" "));
    const { key, entry } = JSON.parse(made.out) as { key: string; entry: ServerConfiguration["apiKeys"][number] };
    const tls = {
      certificateFile: join(certificates, "server.crt"),
      privateKeyFile: join(certificates, "server.key"),
    };
    await using server = await serve({ apiKeys: [entry], tls });
    const authority = ["--tls-ca", join(certificates, "authority.crt")];
    const list = ["memories", "list", "--scope", "user:a", "--connect", `localhost:${server.port}`];

    const listed = { code: 0, error: nothingStored };
    expect(await runCommand([...list, ...authority, "--api-key", key])).toMatchObject(listed);
    vi.stubEnv("LOCI_API_KEY", key);
    expect(await runCommand([...list, ...authority])).toMatchObject(listed);
    expect(await runCommand([...list, ...authority, "--scope", "team:b"])).toMatchObject({
      code: 6,
      error: expect.stringContaining("SCOPE_NOT_PERMITTED"),
    });
    vi.stubEnv("LOCI_API_KEY", "");
    expect(await runCommand([...list, ...authority])).toMatchObject({
      code: 6,
      error: expect.stringContaining("CREDENTIAL_MISSING"),
    });
    expect(await runCommand([...list, "--tls-ca", join(folder, "none")])).toMatchObject({
      code: 3,
      error: expect.stringContaining("FILE_NOT_FOUND"),
    });
  });
});

test("a certificate is sent to a server that knows its clients by theirs", async () => {
  const mutual = join(certificates, "../mutual-tls");
  await using server = await serve({
    tls: {
      certificateFile: join(certificates, "server.crt"),
      privateKeyFile: join(certificates, "server.key"),
      clientCaFile: join(mutual, "authority.crt"),
    },
    clientCertificates: [{ name: "CN:agents", tenant: "acme", roles: ["read"], scopes: ["user:a"] }],
    index: { use: "memory" },
  });
  const authority = ["--tls-ca", join(certificates, "authority.crt")];
  const own = ["--tls-certificate", join(mutual, "agents.crt"), "--tls-key", join(mutual, "agents.key")];
  const list = ["memories", "list", "--scope", "user:a", "--connect", `localhost:${server.port}`, ...authority];
  expect(await runCommand([...list, ...own])).toMatchObject({ code: 0, error: nothingStored });
  expect(await runCommand([...list, ...own.slice(2)])).toMatchObject({
    code: 2,
    error: expect.stringContaining("--tls-key is there without the other"),
  });
  expect(await runCommand([...list, "--tls-certificate", join(folder, "none"), ...own.slice(2)])).toMatchObject({
    code: 3,
  });
});

test("the scopes of a command may come from the environment", async () => {
  vi.stubEnv("LOCI_SCOPES", "user:a, team:b");
  expect(await runCommand(["remember", "Alice's."])).toMatchObject({ out: expect.stringContaining("user:a") });
  expect(await runCommand(["memories", "list"])).toMatchObject({ out: expect.stringContaining("Alice's.") });
  expect((await runCommand(["memories", "list", "--scope", "team:b"])).out).toContain("Nothing in team:b");
});

describe("loci key create", () => {
  test("shows the key once, and an entry that does not hold it", async () => {
    const words = [
      "key",
      "create",
      "--tenant",
      "acme",
      "--scope-pattern",
      "user:*",
      "global",
      "--role",
      "read",
      "write",
    ];
    const { code, out } = await runCommand(words);
    expect(code).toBe(0);
    const [key = ""] = /^loci_[0-9a-f]{8}_[\w-]{43}$/m.exec(out) ?? [];
    expect(out.split(key)).toHaveLength(2);
    expect(out).toMatch(/\[\[api_keys\]\][^]*tenant = "acme"[^]*\[ "read", "write" \][^]*\[ "user:\*", "global" \]/);
  });

  test.each([
    [["--tenant", "acme", "--scope-pattern", "planet:*", "--role", "read"], "not a scope pattern"],
    [["--tenant", "acme", "--scope-pattern", "*", "--role", "owner"], "Allowed choices"],
    [["--tenant", "acme", "--scope-pattern", "*"], "--role"],
    [["--tenant", "", "--scope-pattern", "*", "--role", "read"], "tenant"],
    [["--tenant", "a", "--scope-pattern", "*", "--role", "read", "--expires", "2020-01-01"], "which is over"],
    [["--tenant", "a", "--scope-pattern", "*", "--role", "read", "--id", "A B"], "INVALID_IDENTIFIER"],
  ])("%j is refused", async (words, problem) => {
    expect(await runCommand(["key", "create", ...words])).toMatchObject({
      code: 2,
      out: "",
      error: expect.stringContaining(problem),
    });
  });
});

describe("loci serve", () => {
  test("what is said on the command line wins over the environment, and that over the file", async () => {
    vi.stubEnv("LOCI_LOG_LEVEL", "error");
    const file = join(folder, "loci.toml");
    writeFileSync(file, 'log_level = "debug"\n[listen]\nport = 1\n[limits]\nmax_running_calls = 7\n');
    const words = ["serve", "--config", file, "--listen", "[::1]:7000", "--data", folder, "--print-config"];
    const { code, out } = await runCommand(words);
    expect(code).toBe(0);
    for (const line of ['log_level = "error"', 'address = "::1"', "port = 7000", "max_running_calls = 7"])
      expect(out).toContain(line);
    expect(out).toContain(`data_directory = "${folder}"`);
    const { out: json } = await runCommand([...words, "--json"]);
    const settings = { log_level: "error", data_directory: folder, listen: { address: "::1", port: 7000 } };
    expect(JSON.parse(json)).toMatchObject({ ...settings, limits: { max_running_calls: 7 } });
  });

  test.each([
    [["--listen", "5624"], "host:port"],
    [["--listen", "127.0.0.1:99999"], "host:port"],
    [["--listen", "0.0.0.0:0"], "no TLS"],
    [["--config", "/nowhere.toml"], "cannot be read"],
    [["--stop-when-idle", "0"], "more than 0"],
  ])("%j is refused", async (words, problem) => {
    expect(await runCommand(["serve", ...words])).toMatchObject({ code: 2, error: expect.stringContaining(problem) });
  });

  test("a port that is in use is named", async () => {
    await using server = await serve();
    const other = join(folder, "other");
    const ended = await runCommand(["serve", "--listen", `127.0.0.1:${server.port}`, "--data", other]);
    expect(ended).toMatchObject({
      code: 2,
      error: expect.stringContaining(`cannot listen on 127.0.0.1:${server.port}`),
    });
  });

  test("serves until it is told to stop, or until nobody calls", async () => {
    const told = await serving();
    const remembered = await runCommand(["remember", "Through the command.", "--verbose"]);
    expect(remembered).toMatchObject({
      code: 0,
      error: expect.stringContaining(`using the server at ${told.address}`),
    });
    told.child.kill("SIGTERM");
    expect(await told.ended).toBe(0);
    expect(findServer(data)).toBeUndefined();

    const idle = await serving("--stop-when-idle", "0.01");
    expect(await idle.ended).toBe(0);
    expect((await runCommand(["memories", "list"])).out).toContain("Through the command.");
  });
});

/** `loci serve` as a process of its own, once it takes calls. */
async function serving(...words: readonly string[]): Promise<{
  readonly child: ChildProcess;
  readonly address: string;
  readonly ended: Promise<number | null>;
}> {
  const child = spawn(process.execPath, [bin, "serve", "--listen", "127.0.0.1:0", ...words], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").once("data", resolve);
    child.once("exit", (code) => reject(new Error(`loci serve ended with ${code}`)));
  });
  const [, address = ""] = /^Serving .* on (\S+)\n$/.exec(line) ?? [];
  return { child, address, ended };
}
