import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rendezvousOrder } from "@loci/loci";
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
  expect((await runCommand(["shards", "divide", "1"])).out).toContain(`${data} is one whole.`);
  expect((await runCommand(["recall", "long pier"])).out).toContain("The pier is long.");
  for (const made of [backup, second]) {
    const restored = `${made}-restored`;
    expect(await runCommand(["restore", made, "--data", restored])).toMatchObject({ code: 0 });
    expect((await runCommand(["shards", "where", "acme", "--data", restored])).out).toBe(`${1 - from}\n`);
    expect((await runCommand(["recall", "long pier", "--data", restored])).out).toContain("The pier is long.");
  }
});
