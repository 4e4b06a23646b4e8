import { X509Certificate } from "node:crypto";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  announceStart,
  divideDirectory,
  type OpenedEngine,
  openEngine,
  type OpenEngineOptions,
  openLoci,
  readDivision,
  roles,
  shardDirectory,
  tenantId,
  writeDivision,
} from "@loci/loci";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Check, createApiKey, examine, type ExamineOptions, type Finding, printApiKey } from "../src/index.ts";
import { askHealth } from "../src/health/ask-health.ts";
import { startTestServer, until } from "./test-server.ts";

const tls = join(import.meta.dirname, "fixtures/tls");
const fixtures = join(import.meta.dirname, "../../../packages/ledger-sqlite/test/fixtures");

// A directory that was used, made once: the tests break copies of it.
let used: string;
let directory: string;
beforeAll(async () => {
  used = mkdtempSync(join(tmpdir(), "loci-doctor-used-"));
  await using loci = await openLoci({ tenant: "local", dataDirectory: used, index: "memory" });
  for (let number = 0; number < 40; number++)
    await loci.memories.remember({ scope: "global", text: `Door ${number} is blue.` });
});
afterAll(() => rmSync(used, { recursive: true, force: true }));
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "loci-doctor-"));
  cpSync(used, directory, { recursive: true });
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function findingsOf(options: ExamineOptions = {}): Promise<ReadonlyMap<Check, Finding>> {
  const found = new Map<Check, Finding>();
  for await (const finding of examine({ dataDirectory: directory, environment: {}, ...options })) {
    found.set(finding.check, finding);
    expect(finding.state === "ok").toBe(finding.advice === undefined);
    expect(finding.message).not.toContain("blue");
  }
  return found;
}

/** Of a configuration with these lines. */
async function configured(toml: string): Promise<ReadonlyMap<Check, Finding>> {
  const configurationFile = join(directory, "loci.toml");
  writeFileSync(configurationFile, toml);
  return findingsOf({ configurationFile });
}

/** When a certificate of the fixtures ends, in milliseconds since 1970. */
const endOf = (name: string): number => Date.parse(new X509Certificate(readFileSync(join(tls, name))).validTo);

const ledgerFile = (): string => join(directory, "ledger.sqlite");

/** Overwrites the cells of a page that nothing but reading all of the file finds: a leaf below the root of its table. */
function damageLeaf(): void {
  const pageSize = 4_096;
  const leafOfTable = 0x0d;
  const database = new DatabaseSync(ledgerFile(), { readOnly: true });
  const roots = database
    .prepare("SELECT rootpage FROM sqlite_schema")
    .all()
    .map((row) => Number(row["rootpage"]));
  database.close();
  const bytes = readFileSync(ledgerFile());
  const pages = Array.from({ length: bytes.length / pageSize }, (_, index) => index + 1);
  const leaf = pages.findLast(
    (page) => bytes[(page - 1) * pageSize] === leafOfTable && page > 1 && !roots.includes(page),
  );
  if (leaf === undefined) throw new Error("the ledger has no leaf that is no root");
  bytes.fill(0xff, (leaf - 1) * pageSize + 8, leaf * pageSize);
  writeFileSync(ledgerFile(), bytes);
}

/** Gives the directory another ledger's file. */
function replaceLedger(change: (database: DatabaseSync) => void): void {
  rmSync(ledgerFile());
  const database = new DatabaseSync(ledgerFile());
  change(database);
  database.close();
  chmodSync(ledgerFile(), 0o600);
}

test("a directory that is in order gets no advice", async () => {
  const found = await findingsOf();
  expect([...found.values()].filter(({ state }) => state === "fail")).toEqual([]);
  for (const check of [
    "node",
    "configuration",
    "directory",
    "permissions",
    "owner",
    "ledger",
    "indexes",
    "clock",
  ] as const)
    expect(found.get(check)?.state).toBe("ok");
  expect(found.get("ledger")?.message).toContain(
    "1 tenant; pages and indexes are in order, and every memory has the text",
  );
  expect(found.get("embedder")?.message).toContain("answers with 256 numbers");
});

test.runIf(process.platform === "linux")(
  "git mirrors that cannot be written, or lack what happened to blocks, are told of where they are kept",
  async () => {
    const toml = '[blocks]\ngit_mirrors = "on"\n';
    const later = (): number => Date.now() + 600_000;
    const mirrorsOf = async (clock = Date.now): Promise<Finding | undefined> => {
      const configurationFile = join(directory, "loci.toml");
      writeFileSync(configurationFile, toml);
      return (await findingsOf({ configurationFile, clock })).get("mirrors");
    };
    expect((await findingsOf()).get("mirrors")).toBeUndefined();
    expect(await mirrorsOf(later)).toMatchObject({ state: "ok" });
    // Where nobody may make a file, whoever it is.
    symlinkSync("/sys", join(directory, "git-mirrors"));
    const problems: unknown[] = [];
    const open = (): Promise<OpenedEngine> =>
      openEngine({ dataDirectory: directory, gitMirrors: true, reportProblem: (error) => void problems.push(error) });
    {
      await using engine = await open();
      const loci = engine.for({ tenant: tenantId("acme"), subject: "test", roles, scopePatterns: ["*"] });
      await loci.blocks.create({
        owner: "user:alice",
        label: "core_memory",
        values: { text: "## Rules\n- Be brief.\n" },
      });
      await expect.poll(() => problems.length).toBeGreaterThan(0);
    }
    // A moment ago it may be on its way.
    expect(await mirrorsOf()).toMatchObject({ state: "ok" });
    expect(await mirrorsOf(later)).toMatchObject({
      state: "warn",
      message: expect.stringContaining("Git mirrors lack 1 change of blocks since") as string,
      advice: expect.stringContaining("look for gitMirrors in its log") as string,
    });
    rmSync(join(directory, "git-mirrors"));
    {
      await using engine = await open();
      await engine.for({ tenant: tenantId("acme"), subject: "test", roles, scopePatterns: ["*"] }).settled();
    }
    expect(await mirrorsOf(later)).toMatchObject({ state: "ok" });
  },
);

test.skipIf(process.platform === "win32")(
  "a directory that is a link to what is not there says where it leads",
  async () => {
    const link = join(directory, "link");
    symlinkSync("gone", link);
    for (const dataDirectory of [link, join(link, "data")])
      expect((await findingsOf({ dataDirectory })).get("directory")).toMatchObject({
        state: "fail",
        message: `${link} is a link to ${join(directory, "gone")}, which is not there.`,
      });
  },
);

test("a directory that is not there, or is a file, is told apart from one that is", async () => {
  const missing = await findingsOf({ dataDirectory: join(directory, "a/b") });
  expect(missing.get("directory")).toMatchObject({ state: "warn" });
  expect(missing.has("ledger")).toBe(false);
  const file = await findingsOf({ dataDirectory: ledgerFile() });
  expect(file.get("directory")).toMatchObject({
    state: "fail",
    message: expect.stringContaining("is a file") as string,
  });
});

test("a file in the place of the indexes, and a lock that is damaged, are told with what to do", async () => {
  rmSync(join(directory, "index"), { recursive: true, force: true });
  writeFileSync(join(directory, "index"), "");
  writeFileSync(join(directory, "lock.sqlite"), "not a database, and long enough to be read as one".repeat(100));
  const found = await findingsOf();
  expect(found.get("indexes")).toMatchObject({
    state: "fail",
    advice: expect.stringContaining("made again from the ledger") as string,
  });
  expect(found.get("owner")).toMatchObject({
    state: "fail",
    advice: expect.stringContaining("Nothing is lost") as string,
  });
});

test("a damaged ledger is found, wherever the damage is", async () => {
  damageLeaf();
  expect((await findingsOf()).get("ledger")).toMatchObject({
    state: "fail",
    message: expect.stringContaining("DATA_DIRECTORY_CORRUPT") as string,
    advice: expect.stringContaining("restore the last backup") as string,
  });
  writeFileSync(ledgerFile(), "not a database, and long enough to be read as one".repeat(100));
  expect((await findingsOf()).get("ledger")).toMatchObject({ state: "fail" });
});

test("a bit that was flipped in a text or in an entry of an index is found, though every page can be read", async () => {
  const whole = readFileSync(ledgerFile());
  const flipped = async (at: number): Promise<Finding | undefined> => {
    const bytes = Buffer.from(whole);
    bytes[at] = (bytes[at] as number) ^ 1;
    writeFileSync(ledgerFile(), bytes);
    return (await findingsOf()).get("ledger");
  };
  expect(await flipped(whole.indexOf("Door 7"))).toMatchObject({
    state: "fail",
    message: expect.stringContaining("does not have the text that was written") as string,
  });
  const pageSize = 4_096;
  const database = new DatabaseSync(ledgerFile(), { readOnly: true });
  const index = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'memories_newest_first'").get();
  database.close();
  const page = (Number(index?.["rootpage"]) - 1) * pageSize;
  const inPage = whole.subarray(page, page + pageSize).toString("latin1");
  const id = /[0-9a-f]{8}-[0-9a-f]{4}-7/.exec(inPage)?.index ?? -1;
  expect(id).toBeGreaterThan(0);
  expect(await flipped(page + id)).toMatchObject({
    state: "fail",
    message: expect.stringContaining("DATA_DIRECTORY_CORRUPT") as string,
  });
});

test("a ledger of a newer version, of another program and of an older version are told apart", async () => {
  replaceLedger((database) => database.exec("CREATE TABLE songs (name TEXT)"));
  expect((await findingsOf()).get("ledger")?.message).toContain("not a ledger of Loci");
  cpSync(join(used, "ledger.sqlite"), ledgerFile());
  const database = new DatabaseSync(ledgerFile());
  database.exec("PRAGMA user_version = 999");
  database.close();
  expect((await findingsOf()).get("ledger")).toMatchObject({
    state: "fail",
    message: expect.stringContaining("schema version 999") as string,
    advice: expect.stringContaining("the Loci version that wrote it") as string,
  });
  replaceLedger((older) => older.exec(readFileSync(join(fixtures, "version-5.sql"), "utf8")));
  expect((await findingsOf()).get("ledger")).toMatchObject({
    state: "warn",
    message: expect.stringContaining("schema version 5") as string,
    advice: expect.stringContaining("backup") as string,
  });
});

test("a ledger that was lost beside its indexes is no empty directory", async () => {
  rmSync(ledgerFile());
  expect((await findingsOf()).get("ledger")?.state).toBe("warn");
  mkdirSync(join(directory, "index"));
  expect((await findingsOf()).get("ledger")).toMatchObject({
    state: "fail",
    message: expect.stringContaining("probably lost") as string,
  });
  // As after a disk that was full, or a copy that was cut off: no start takes it.
  writeFileSync(ledgerFile(), "");
  expect((await findingsOf()).get("ledger")).toMatchObject({
    state: "fail",
    message: `${ledgerFile()} is empty, but indexes are there: the ledger was probably lost.`,
  });
});

test("a file of the indexes that is not there is named, and the next start makes it again", async () => {
  rmSync(directory, { recursive: true });
  {
    await using loci = await openLoci({ tenant: "local", dataDirectory: directory });
    // Of as few changes as elsewhere in this file no files are made.
    await loci.memories.rememberMany(
      Array.from({ length: 200 }, (_, number) => ({ scope: "global", text: `Door ${number} is blue.` }) as const),
    );
    await loci.maintenance.run({ type: "verify" });
  }
  expect((await findingsOf()).get("indexes")?.state).toBe("ok");
  const logs = readdirSync(join(directory, "index"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /log-\d+$/.test(name),
  );
  const log = join(directory, "index", logs.find((name) => name.includes("text")) ?? "");
  rmSync(log);
  expect((await findingsOf()).get("indexes")).toMatchObject({
    state: "warn",
    message: `${log} is missing or damaged.`,
  });
  for (const name of logs) rmSync(join(directory, "index", name), { force: true });
  expect((await findingsOf()).get("indexes")?.message).toContain("and 1 more are missing or damaged");

  {
    await using loci = await openLoci({ tenant: "local", dataDirectory: directory, reportProblem: () => undefined });
    await loci.maintenance.run({ type: "verify" });
  }
  expect((await findingsOf()).get("indexes")?.state).toBe("ok");
});

test("a directory without indexes misses none of their files", async () => {
  rmSync(join(directory, "index"), { recursive: true, force: true });
  expect((await findingsOf()).get("indexes")?.message).not.toContain("missing");
});

test.skipIf(process.platform === "win32")(
  "files that others may read are named, with the command that mends it",
  async () => {
    chmodSync(ledgerFile(), 0o644);
    expect((await findingsOf()).get("permissions")).toMatchObject({
      state: "fail",
      message: expect.stringContaining("ledger.sqlite") as string,
      advice: `chmod 600 ${ledgerFile()}`,
    });
  },
);

test("who has the directory open is told, and whether it is a server", async () => {
  {
    await using _ = await openLoci({ tenant: "local", dataDirectory: directory, index: "memory" });
    const found = await findingsOf();
    expect(found.get("owner")).toMatchObject({
      state: "warn",
      message: expect.stringContaining(`process ${process.pid}`) as string,
    });
    // Looking has not let go of the lock.
    await expect(openLoci({ tenant: "local", dataDirectory: directory })).rejects.toMatchObject({
      reason: "DATA_DIRECTORY_LOCKED",
    });
  }
  await using server = await startTestServer({ configuration: { dataDirectory: directory } });
  const found = await findingsOf();
  expect(found.get("owner")).toMatchObject({ state: "ok", message: expect.stringContaining(server.address) as string });
  expect(found.get("server")).toEqual({
    check: "server",
    state: "ok",
    message: `${server.address} answers and serves.`,
  });
});

test("a server that is starting is told from a program that has the directory open", async () => {
  const starting = {
    state: "ok",
    message: expect.stringContaining(`is starting in it: process ${process.pid}`) as string,
  };
  const seen: Finding[] = [];
  const opening = async (options: OpenEngineOptions): Promise<OpenedEngine> => {
    const engine = await openEngine(options);
    for (const finding of (await findingsOf()).values()) seen.push(finding);
    return engine;
  };
  {
    await using _server = await startTestServer({ openEngine: opening, configuration: { dataDirectory: directory } });
    expect(seen.find(({ check }) => check === "owner")).toMatchObject(starting);
    expect(seen.find(({ check }) => check === "server")?.message).toContain("One is starting");
    expect((await findingsOf()).get("server")?.message).toContain("answers and serves");
    expect(readdirSync(directory)).not.toContain("starting.json");
  }
  // Workers have the shards open, and the front says that they start.
  await divideDirectory(directory, 2);
  await using _worker = await openEngine({
    dataDirectory: shardDirectory(directory, 1),
    index: "memory",
    isShard: true,
  });
  const started = announceStart(directory);
  expect((await findingsOf()).get("owner")).toMatchObject(starting);
  started();
  expect((await findingsOf()).get("owner")).toMatchObject({ state: "warn" });
});

test("a ledger that was moved or replaced under its server is not taken for the one that is served", async () => {
  await using server = await startTestServer({ healthInterval: 20, configuration: { dataDirectory: directory } });
  const opened = `${ledgerFile()}.opened`;
  const becomes = (health: string): Promise<void> =>
    until(async () => (await askHealth({ address: server.address, part: "ledger" })) === health);
  renameSync(ledgerFile(), opened);
  await becomes("NOT_SERVING");
  const told = {
    state: "fail",
    message: expect.stringMatching(/serves .* may be another than it has open/) as string,
    advice: expect.stringContaining("DATA_DIRECTORY_MOVED") as string,
  };
  const gone = await findingsOf();
  expect(gone.get("ledger")).toMatchObject(told);
  expect(gone.get("server")).toMatchObject({ state: "fail" });
  cpSync(join(used, "ledger.sqlite"), ledgerFile());
  const replaced = await findingsOf();
  expect(replaced.get("ledger")).toMatchObject(told);
  expect(replaced.has("indexes")).toBe(false);
  renameSync(opened, ledgerFile());
  await becomes("SERVING");
  expect((await findingsOf()).get("ledger")).toMatchObject({ state: "ok" });
});

test("indexes that are behind are told, and by how much", async () => {
  rmSync(directory, { recursive: true });
  {
    await using loci = await openLoci({ tenant: "local", dataDirectory: directory });
    await loci.memories.remember({ scope: "global", text: "The first." });
    await loci.maintenance.run({ type: "verify" });
  }
  const database = new DatabaseSync(ledgerFile());
  database.exec("UPDATE projections SET acknowledged = 0");
  database.close();
  expect((await findingsOf()).get("indexes")?.message).toMatch(
    /: \d+ by text in embedded, \d+ by vectors in embedded\./,
  );
});

test("a clock that is behind what was recorded is told", async () => {
  expect((await findingsOf({ clock: () => Date.now() - 3_600_000 })).get("clock")?.state).toBe("warn");
});

test("a configuration that cannot be used is told, and the rest is looked at all the same", async () => {
  const found = await configured("[limits]\nmax_running_calls = 0\n");
  expect(found.get("configuration")).toMatchObject({
    state: "fail",
    message: expect.stringContaining("limits.max_running_calls") as string,
  });
  expect(found.get("ledger")?.state).toBe("ok");
});

test("keys that expire, keys that have expired and an address without any are told", async () => {
  const entry = (id: string, days?: number): string => {
    const expiresAt = days === undefined ? undefined : Date.now() + days * 86_400_000;
    return printApiKey(createApiKey({ id, tenant: "acme", roles: ["read"], scopes: ["*"], expiresAt }).entry);
  };
  expect((await configured(entry("stays"))).get("keys")?.state).toBe("ok");
  const some = (await configured(entry("stays") + entry("ends", 3))).get("keys");
  expect(some).toMatchObject({ state: "warn", message: expect.stringContaining("ends (") as string });
  const twin = entry("twin");
  const twins = (await configured(twin + twin.replace('"twin"', '"other"'))).get("keys");
  expect(twins).toMatchObject({
    state: "warn",
    message: expect.stringContaining("twin and other have one hash") as string,
  });
  expect((await configured(entry("gone", -1))).get("keys")?.state).toBe("fail");
  expect((await configured('[listen]\naddress = "0.0.0.0"\n')).get("keys")).toMatchObject({ state: "fail" });
});

test("a configuration file that every user may write is told, since it says who is let in", async () => {
  const configurationFile = join(directory, "loci.toml");
  expect((await configured("")).get("configuration")?.state).toBe("ok");
  chmodSync(configurationFile, 0o666);
  const open = (await findingsOf({ configurationFile })).get("configuration");
  expect(open).toMatchObject({ state: "fail", advice: `chmod o-w ${configurationFile}` });
});

test("TLS files that are missing, expired or open to everybody are told", async () => {
  const files = (certificate: string, key: string): string =>
    `[tls]\ncertificate_file = "${join(tls, certificate)}"\nprivate_key_file = "${key}"\n`;
  expect((await configured(files("none.crt", join(tls, "server.key")))).get("tls")?.state).toBe("fail");
  const key = join(directory, "server.key");
  cpSync(join(tls, "server.key"), key);
  chmodSync(key, 0o600);
  expect((await configured(files("server.crt", key))).get("tls")?.state).toBe("ok");
  const configurationFile = join(directory, "loci.toml");
  const later = await findingsOf({ configurationFile, clock: () => Date.parse("2200-01-01") });
  expect(later.get("tls")).toMatchObject({ state: "fail", message: expect.stringContaining("valid from") as string });
  const callers = join(tls, "../mutual-tls/expired.crt");
  const withCallers = `${files("server.crt", key)}client_ca_file = "${callers}"\n`;
  expect((await configured(withCallers)).get("tls")).toMatchObject({
    state: "fail",
    message: expect.stringContaining(`${callers} (CN=agents) is valid from`) as string,
  });
  await configured(files("server.crt", key));
  const soon = await findingsOf({ configurationFile, clock: () => endOf("server.crt") - 86_400_000 });
  expect(soon.get("tls")).toMatchObject({ state: "warn", advice: expect.not.stringContaining("restart") as string });
  chmodSync(key, 0o644);
  // Which is worse than an end that is near.
  const both = await findingsOf({ configurationFile, clock: () => endOf("server.crt") - 86_400_000 });
  expect(both.get("tls")?.state).toBe("fail");
  expect((await configured(files("server.crt", key))).get("tls")?.advice).toBe(`chmod 640 ${key}`);
});

test("an embedder and a server that do not answer are told", async () => {
  const found = await configured(
    '[embedder]\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "tiny"\ndimensions = 16\n[summary_model]\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "short"\napi_key_variable = "LOCI_NOT_THERE"\n',
  );
  expect(found.get("embedder")?.message).toContain("EMBEDDER_UNAVAILABLE");
  expect(found.get("models")).toMatchObject({
    state: "fail",
    message: expect.stringContaining("LOCI_NOT_THERE") as string,
  });
  const server = await findingsOf({ server: { address: "127.0.0.1:9", timeoutMilliseconds: 2_000 } });
  expect(server.get("server")).toMatchObject({
    state: "fail",
    message: expect.stringContaining("127.0.0.1:9 does not answer") as string,
  });
});

test("every shard of a divided directory is looked at, and whether each tenant is in one of them", async () => {
  await divideDirectory(directory, 2);
  const shard = shardDirectory(directory, 1);
  cpSync(used, shard, { recursive: true });
  const all = async (): Promise<readonly Finding[]> => {
    const found: Finding[] = [];
    for await (const finding of examine({ dataDirectory: directory, environment: {} })) found.push(finding);
    return found;
  };
  const strays = (await all()).find(({ check }) => check === "shards");
  expect(strays).toMatchObject({
    state: "fail",
    message: expect.stringContaining("1 tenant has memories") as unknown,
  });
  const note = join(directory, "shards.json");
  const division = readDivision(directory)!;
  writeDivision(directory, { ...division, leftovers: [{ tenant: "local", shard: 1 }] });
  const known = await all();
  expect(known.find(({ check }) => check === "shards")).toMatchObject({ state: "warn" });
  expect(known.filter(({ check }) => check === "ledger").map(({ message }) => message)).toEqual([
    expect.stringMatching(/^Schema version/),
    expect.stringMatching(/^Shard 1: Schema version/),
  ]);
  writeDivision(directory, division);
  rmSync(shard, { recursive: true });
  const missing = (await all()).filter(({ message }) => message.startsWith("Shard 1: "));
  expect(missing).toMatchObject([{ check: "directory", state: "fail" }]);
  writeFileSync(note, "{");
  expect((await all()).find(({ check }) => check === "shards")).toMatchObject({ state: "fail" });
});
