import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { divideDirectory, openEngine, openLoci, rendezvousOrder, shardDirectory } from "@loci/loci";
import { defaultConfiguration, type RunningServer, startServer } from "@loci/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runCommand } from "./run-command.ts";

let folder: string;
let data: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-cli-shards-"));
  data = join(folder, "data");
  vi.stubEnv("LOCI_DATA_DIR", data);
  vi.stubEnv("LOCI_API_KEY", undefined);
  vi.stubEnv("LOCI_INDEX_USE", "memory");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

async function serve(): Promise<RunningServer & AsyncDisposable> {
  // Workers are started as this process was.
  process.execArgv = ["--no-warnings", "--conditions=@loci/source"];
  const listen = { address: "127.0.0.1", port: 0 };
  const options = {
    ...defaultConfiguration,
    listen,
    dataDirectory: data,
    index: { use: "memory" as const },
    workers: 2,
  };
  const server = await startServer(options, { writeLog: () => undefined });
  return { ...server, [Symbol.asyncDispose]: () => server.close(0) };
}

test("shards are told, tenants moved, all of them backed up, and a stopped directory is divided anew", async () => {
  const [from = 0] = rendezvousOrder("acme", 2);
  const backup = join(folder, "backup");
  await runCommand(["remember", "The pier is long."]);
  expect((await runCommand(["shards"])).out).toBe(`${data} is one whole.\n`);
  {
    await using _server = await serve();
    expect((await runCommand(["shards"])).out).toBe(`${data} is divided into 2 shards.\n`);
    expect((await runCommand(["shards", "where", "acme"])).out).toBe(`${from}\n`);
    const moved = await runCommand(["shards", "move", "acme", "--to", String(1 - from)]);
    expect(moved).toMatchObject({
      code: 0,
      error: expect.stringMatching(/loci: switching: its calls wait[^]*acme has stored nothing yet/u) as unknown,
    });
    expect(moved.out).toMatch(new RegExp(`^acme is in shard ${1 - from} now\\. Its calls waited \\d+ ms\\.\\n$`));
    const again = await runCommand(["shards", "move", "acme", "--to", String(1 - from), "--json"]);
    expect(JSON.parse(again.out)).toMatchObject({ tenant: "acme", from: 1 - from, to: 1 - from, heldMilliseconds: 0 });
    expect(JSON.parse((await runCommand(["shards", "--json"])).out)).toEqual({
      dataDirectory: data,
      shards: 2,
      placed: { acme: 1 - from },
      leftovers: [],
    });
    const local = await runCommand(["shards", "move", "local", "--to", "1"]);
    expect(local).toMatchObject({ code: 2, error: expect.stringContaining("stays in shard 0") as unknown });
    expect((await runCommand(["shards", "divide", "3"])).error).toContain("DATA_DIRECTORY_LOCKED");
    expect((await runCommand(["backup", backup])).out).toBe(`${backup} has a backup of 2 shards.\n`);
    expect((await runCommand(["recall", "long pier"])).out).toContain("The pier is long.");
  }
  expect((await runCommand(["shards", "move", "acme", "--to", "1"])).error).toContain("loci serve --workers N");
  const second = join(folder, "second");
  expect((await runCommand(["backup", second])).out).toBe(`${second} has a backup of 2 shards.\n`);
  expect((await runCommand(["backup", second])).error).toContain("is not empty");
  const all = await runCommand(["verify"]);
  expect(all).toMatchObject({ code: 0 });
  expect(all.out).toContain(`Shard 0 of 2, ${data}: 1 tenant\nlocal:\nverify`);
  expect(all.out).toContain(`Shard 1 of 2, ${join(data, "shards", "1")}: 0 tenants`);
  expect((await runCommand(["shards", "divide", "1"])).out).toContain(`${data} is one whole.`);
  expect((await runCommand(["recall", "long pier"])).out).toContain("The pier is long.");
  for (const made of [backup, second]) {
    const restored = `${made}-restored`;
    expect(await runCommand(["restore", made, "--data", restored])).toMatchObject({ code: 0 });
    expect((await runCommand(["shards", "where", "acme", "--data", restored])).out).toBe(`${1 - from}\n`);
    expect((await runCommand(["recall", "long pier", "--data", restored])).out).toContain("The pier is long.");
  }
});

test("a divided directory that nobody serves is verified shard after shard, or where a tenant is", async () => {
  await divideDirectory(data, 2);
  const [, other] = [0, 1].map((shard) => shardDirectory(data, shard));
  const acme = ["acme", "globex", "initech", "umbrella"].find((name) => rendezvousOrder(name, 2)[0] === 1)!;
  for (const [tenant, dataDirectory] of [
    ["local", data],
    [acme, other!],
  ] as const) {
    await using loci = await openLoci({ tenant, dataDirectory, index: "embedded", isShard: true });
    await loci.memories.remember({ text: `The pier of ${tenant} is long.`, scope: "global" });
    await loci.settled();
  }
  vi.stubEnv("LOCI_INDEX_USE", undefined);
  const rows = /^verify [^:]+: 2 rows, 0 missing/u;
  const whole = await runCommand(["verify"]);
  expect(whole).toMatchObject({ code: 0, error: "" });
  expect(whole.out.split("\n").filter((line) => /^Shard|:$/u.test(line))).toEqual([
    `Shard 0 of 2, ${data}: 1 tenant`,
    "local:",
    `Shard 1 of 2, ${other}: 1 tenant`,
    `${acme}:`,
  ]);
  const alone = await runCommand(["verify", "--data", other!, "--json"]);
  expect(JSON.parse(alone.out)).toMatchObject({
    dataDirectory: data,
    shards: 2,
    verified: [{ shard: 1, tenant: acme, report: { job: "verify", counts: { rows: 2 } } }],
  });
  for (const named of [data, other!]) {
    const one = await runCommand(["verify", "--as-tenant", acme, "--data", named]);
    expect(one).toMatchObject({ code: 0, error: `loci: the tenant ${acme} is in shard 1 of 2, ${other}.\n` });
    expect(one.out).toMatch(rows);
  }
  expect(await runCommand(["verify", "--as-tenant", "local", "--data", other!])).toMatchObject({
    code: 2,
    error: expect.stringContaining(`--data ${data}.`) as unknown,
  });
  // What works on one tenant otherwise says where it is.
  expect((await runCommand(["recall", "pier", "--as-tenant", acme])).error).toContain(
    `the tenant ${acme} is in shard 1, ${other}.`,
  );
  rmSync(join(other!, "index"), { recursive: true });
  {
    await using _other = await openEngine({ dataDirectory: other!, isShard: true, index: "memory" });
    expect(await runCommand(["verify"])).toMatchObject({
      error: expect.stringContaining(other!) as unknown,
      out: expect.stringContaining("local:") as unknown,
    });
  }
});
