import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectLoci } from "@loci/client";
import {
  findServer,
  type Loci,
  LociError,
  openLoci,
  readDivision,
  restoreBackup,
  shardDirectory,
  tenantShards,
} from "@loci/loci";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { askOperator, type MovedTenant } from "../src/index.ts";
import { allTexts } from "./all-texts.ts";
import { memoriesInShards } from "./memories-in-shards.ts";
import { startWorkerServer, tenantsOfWorkers, type WorkerServer } from "./worker-server.ts";
import { until } from "./test-server.ts";

const scope = "user:crates";
const tenant = tenantsOfWorkers[1];

async function move(dataDirectory: string, name: string, to: number): Promise<MovedTenant> {
  const { operatorSocket = "" } = findServer(dataDirectory) ?? {};
  const answer = await askOperator(operatorSocket, { type: "move", tenant: name, to });
  if (answer.type !== "moved") throw new TypeError(`The server has answered ${answer.type}.`);
  return answer.moved;
}

describe("moving a tenant while it is served", () => {
  let server: WorkerServer;
  const clients: Loci[] = [];
  const lociOf = (worker: number): Loci => clients[worker]!;

  beforeAll(async () => {
    server = await startWorkerServer({ configuration: { index: { use: "embedded" } } });
    clients.push(...server.keys.map((apiKey) => connectLoci({ address: server.address, apiKey })));
  });
  afterAll(async () => {
    for (const loci of clients) await loci.close();
    await server[Symbol.asyncDispose]();
  });

  test("its calls go on to and fro, nothing is lost or there twice, and its index has come along", async () => {
    const load = { isOver: false };
    const acknowledged: string[] = [];
    const failures: unknown[] = [];
    const writing = Promise.all(
      Array.from({ length: 4 }, async (_, writer) => {
        for (let number = 0; !load.isOver; number++) {
          const text = `Crate ${writer}-${number} is ashore.`;
          try {
            // It asks once: no call is refused because of a move.
            await server.client(server.keys[1]).remember(text, scope);
            acknowledged.push(text);
            if (number % 5 === 0) await lociOf(1).recall({ query: `Where is crate ${number}?`, scopes: [scope] });
          } catch (error) {
            failures.push(error);
          }
        }
      }),
    );
    for (const to of [0, 1, 0]) {
      const before = acknowledged.length;
      await until(() => acknowledged.length > before + 40);
      const moved = await move(server.dataDirectory, tenant, to);
      expect(moved).toMatchObject({ tenant, from: 1 - to, to });
      expect(memoriesInShards(server.dataDirectory, tenant)[1 - to]).toBe(0);
      expect(readDivision(server.dataDirectory)?.leftovers).toEqual([]);
    }
    const before = acknowledged.length;
    await until(() => acknowledged.length > before + 40);
    load.isOver = true;
    await writing;
    expect(failures).toEqual([]);
    const found = await allTexts(lociOf(1), scope);
    expect(found.toSorted()).toEqual(acknowledged.toSorted());
    await lociOf(1).settled();
    const report = await lociOf(1).maintenance.run({ type: "verify" });
    expect(report.findings).toEqual([]);
    // The other tenant noticed nothing, and has nothing of it.
    expect(await allTexts(lociOf(0), scope)).toEqual([]);
  });

  test("a watch goes on from its cursor in the other shard, and a page token is taken there", async () => {
    const first = await lociOf(1).memories.list({ scopes: [scope], pageSize: 10 });
    const [from = 0] = [readDivision(server.dataDirectory)?.placed.get(tenant)];
    const seen: string[] = [];
    const { promise: isWatching, resolve: begin } = Promise.withResolvers<void>();
    const end = new AbortController();
    let cursor: string | undefined;
    const watching = (async (): Promise<void> => {
      for (;;)
        try {
          const watch = lociOf(1).memories.watch({ scopes: [scope], since: cursor }, { signal: end.signal });
          for await (const change of watch) {
            cursor = change.cursor;
            if (change.type === "reached") begin();
            if (change.type === "written") seen.push(change.memory.text);
          }
        } catch (error) {
          if (end.signal.aborted) return;
          if (!LociError.is(error) || error.reason !== "SERVER_UNAVAILABLE") throw error;
        }
    })();
    await isWatching;
    await lociOf(1).memories.remember({ text: "Before the move.", scope });
    await until(() => seen.includes("Before the move."));
    const conversation = {
      scope: "user:sailors",
      session: "s1",
      turns: [{ id: "t1", speaker: "alice", content: "The mast creaks.", at: 1_790_000_000_000 }],
    } as const;
    const said = await lociOf(1).memories.rememberConversation(conversation);
    await move(server.dataDirectory, tenant, 1 - from);
    await lociOf(1).memories.remember({ text: "After the move.", scope });
    await until(() => seen.includes("After the move."));
    end.abort();
    await watching;
    // What was said before is known there: its turns have the ids that they got in the former shard.
    expect((await lociOf(1).memories.rememberConversation(conversation)).map(({ id }) => id)).toEqual(
      said.map(({ id }) => id),
    );
    expect(seen.filter((text) => text.endsWith("the move."))).toEqual(["Before the move.", "After the move."]);
    const next = await lociOf(1).memories.list({ scopes: [scope], pageSize: 10, pageToken: first.nextPageToken });
    expect(next.memories).toHaveLength(10);
  });

  test("no byte of a tenant is left in the files of the shard that it has left", async () => {
    const { dataDirectory } = server;
    const canary = "CANARY-7f3a";
    await lociOf(1).memories.remember({ text: `The word is ${canary}.`, scope: `user:${canary}` });
    await lociOf(1).recall({ query: `Which word? ${canary}`, scopes: [`user:${canary}`] });
    await lociOf(1).settled();
    const from = tenantShards(readDivision(dataDirectory)!)(tenant);
    const found = (shard: number): string => {
      const others = shard === 0 ? ["--exclude-dir=shards", "--exclude-dir=backups"] : [];
      const words = ["-rlaF", ...others, canary, shardDirectory(dataDirectory, shard)];
      return spawnSync("grep", words, { encoding: "utf8" }).stdout;
    };
    const indexFiles = (): number =>
      readdirSync(join(shardDirectory(dataDirectory, from), "index"), { recursive: true }).length;
    const filesBefore = indexFiles();
    expect(found(from)).not.toBe("");
    await move(dataDirectory, tenant, 1 - from);
    await until(() => indexFiles() < filesBefore);
    expect(found(from)).toBe("");
    expect(found(1 - from)).not.toBe("");
  });

  test("erasures of another tenant in the shard that it leaves go on beside the move, and leave nothing there", async () => {
    const { dataDirectory } = server;
    await move(dataDirectory, tenant, 0);
    const texts = Array.from({ length: 3_000 }, (_, number) => `Barrel ${number} is full.`);
    for (let start = 0; start < texts.length; start += 500)
      await lociOf(1).memories.rememberMany(
        texts.slice(start, start + 500).map((text) => ({ text, scope: "user:barrels" })),
      );
    await lociOf(1).settled();
    const load = { isOver: false };
    const erasures: string[] = [];
    const words: string[] = [];
    const { promise: hasErased, resolve: erasedOnce } = Promise.withResolvers<void>();
    const erasing = (async () => {
      for (let number = 0; !load.isOver; number++) {
        const word = `ERASED-${number}-2b71`;
        const user = `leaver ${number}`;
        await lociOf(0).memories.remember({ text: `The word is ${word}.`, scope: `user:${user}` });
        const { counts } = await lociOf(0).maintenance.run({ type: "erase", user });
        erasures.push(`${counts["erased"]} erased`);
        words.push(word);
        erasedOnce();
      }
    })();
    await Promise.race([hasErased, erasing]);
    const before = erasures.length;
    for (const to of [1, 0, 1]) expect(await move(dataDirectory, tenant, to)).toMatchObject({ to });
    load.isOver = true;
    await erasing;
    expect(erasures.length).toBeGreaterThan(before + 1);
    expect(new Set(erasures)).toEqual(new Set(["1 erased"]));
    const files = ["ledger.sqlite", "ledger.sqlite-wal"].map((name) => readFileSync(join(dataDirectory, name)));
    for (const word of words) expect(files.some((file) => file.includes(word))).toBe(false);
    const found = await allTexts(lociOf(1), "user:barrels");
    expect(found.toSorted()).toEqual(texts.toSorted());
    await lociOf(1).settled();
    expect((await lociOf(1).maintenance.run({ type: "verify" })).findings).toEqual([]);
  });

  test("whoever asked for it and goes before it is decided has it given up", async () => {
    const { dataDirectory } = server;
    const from = tenantShards(readDivision(dataDirectory)!)(tenant);
    const before = memoriesInShards(dataDirectory, tenant);
    const gone = new AbortController();
    const { operatorSocket = "" } = findServer(dataDirectory) ?? {};
    const asked = askOperator(
      operatorSocket,
      { type: "move", tenant, to: 1 - from },
      { signal: gone.signal, onProgress: () => gone.abort(new Error("Gone.")) },
    );
    await expect(asked).rejects.toThrow("Gone.");
    await until(() => server.log().some(({ event, reason }) => event === "tenant stays" && reason === "CANCELLED"));
    await until(() => readDivision(dataDirectory)!.leftovers.length === 0);
    expect(memoriesInShards(dataDirectory, tenant)).toEqual(before);
    await lociOf(1).memories.remember({ text: "It is written where it was.", scope: "user:others" });
  });

  test("every shard is backed up while they are served, and restored as they were divided", async () => {
    const { dataDirectory } = server;
    await lociOf(0).memories.remember({ text: "Of the other tenant.", scope });
    const { operatorSocket = "" } = findServer(dataDirectory) ?? {};
    const directory = join(dataDirectory, "backups", "first");
    const texts = await Promise.all([0, 1].map((number) => allTexts(lociOf(number), scope)));
    const [answer] = await Promise.all([
      askOperator(operatorSocket, { type: "backup", directory }),
      lociOf(1).memories.remember({ text: "Meanwhile.", scope: "user:others" }),
    ]);
    expect(answer).toEqual({ type: "backedUp", directory, shards: 2 });
    await expect(askOperator(operatorSocket, { type: "backup", directory })).rejects.toMatchObject({
      reason: "INVALID_REQUEST",
    });
    await expect(askOperator(operatorSocket, { type: "backup", directory: "relative" })).rejects.toMatchObject({
      reason: "INVALID_REQUEST",
    });
    const restored = mkdtempSync(join(tmpdir(), "loci-restored-"));
    onTestFinished(() => rmSync(restored, { recursive: true, force: true }));
    await restoreBackup({ from: directory, dataDirectory: restored });
    const division = readDivision(restored)!;
    expect(division.placed).toEqual(readDivision(dataDirectory)?.placed);
    for (const [number, name] of tenantsOfWorkers.entries()) {
      const shard = tenantShards(division)(name);
      const opened = { dataDirectory: shardDirectory(restored, shard), index: "memory", isShard: true } as const;
      await using loci = await openLoci({ ...opened, tenant: name });
      expect((await allTexts(loci, scope)).toSorted()).toEqual(texts[number]!.toSorted());
    }
    // One that was killed is refused, and can be repeated into the same directory.
    const half = join(restored, "half");
    for (const name of ["restoring-shards", "shards/1/restoring"]) mkdirSync(join(half, name), { recursive: true });
    await expect(openLoci({ dataDirectory: half, tenant: "local", index: "memory" })).rejects.toMatchObject({
      reason: "DATA_DIRECTORY_CORRUPT",
    });
    await restoreBackup({ from: directory, dataDirectory: half });
    await expect(restoreBackup({ from: directory, dataDirectory: half })).rejects.toMatchObject({
      reason: "INVALID_REQUEST",
    });
    // What lacks a shard is no backup, and leaves nothing.
    rmSync(join(directory, "1", "manifest.json"));
    const empty = join(restored, "empty");
    await expect(restoreBackup({ from: directory, dataDirectory: empty })).rejects.toMatchObject({
      reason: "FILE_NOT_FOUND",
    });
    expect(readdirSync(empty)).toEqual([]);
  });

  test("where it cannot go it does not go, and what is none of its business stays", async () => {
    const { dataDirectory } = server;
    await expect(move(dataDirectory, tenant, 2)).rejects.toMatchObject({ reason: "INVALID_REQUEST", field: "to" });
    await expect(move(dataDirectory, "local", 1)).rejects.toMatchObject({ reason: "INVALID_REQUEST", field: "tenant" });
    await expect(move(dataDirectory, "", 1)).rejects.toMatchObject({ reason: "INVALID_IDENTIFIER" });
    // One that has nothing yet can be placed beforehand.
    expect(await move(dataDirectory, "newcomer", 0)).toMatchObject({ to: 0 });
    expect(readFileSync(join(dataDirectory, "shards.json"), "utf8")).not.toContain("moving");
  });
});
