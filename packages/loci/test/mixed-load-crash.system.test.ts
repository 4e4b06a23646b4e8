import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { memoryId } from "@loci/domain";
import { type Erasure, type Loci, openLoci, type OpenLociOptions, parseErasure, restoreBackup } from "@loci/loci";
import { missingNativePostgres, openTestDatabase } from "@loci/test-postgres";
import { describe, expect, test } from "vitest";
import { Acknowledged } from "./acknowledged.ts";
import { type MixedLoad, type MixedLoadLine, runMixedLoad } from "./mixed-load.ts";
import { serviceLedger } from "./service-ledger.ts";

/** More when attacks are tried at length. */
const kills = Number(process.env["LOCI_MIXED_KILLS"] ?? 4);
/** Of what was acknowledged or erased last, looked for by the next process; everything is read at the end. */
const checkedByNext = 10;
/** Of each kind, what is also looked for then. */
const soughtAtEnd = 300;
const scopes = ["user:alice", "user:mallory"] as const;

/** A backup that was acknowledged, and what it must hold. */
interface Backup {
  readonly directory: string;
  /** Words by id: what was there when it began and was not touched until it was acknowledged. */
  readonly held: ReadonlyMap<string, string>;
  /** Words that had been erased when it began. */
  readonly gone: ReadonlySet<string>;
}

interface Installation {
  readonly options: MixedLoad["options"];
  readonly places: readonly string[];
  readonly backups?: string | undefined;
}

/** Kills one process after the other on one installation, and looks at what is left. @returns what was acknowledged */
async function killAgainAndAgain({ options, places, backups }: Installation): Promise<number> {
  const acknowledged = new Acknowledged();
  const gone = new Set<string>();
  const done = { erasures: 0, moves: 0, backups: 0, restores: 0 };
  let previous: Backup | undefined;
  for (let cycle = 0; cycle < kills; cycle++) {
    const known = acknowledged.last(checkedByNext);
    const lines = await runMixedLoad({
      options,
      places,
      backups,
      cycle,
      known,
      gone: [...gone].slice(-checkedByNext),
    });
    expect(lines.filter(({ missing, returned }) => missing !== undefined || returned !== undefined)).toEqual([]);
    expect(lines.find(({ checked }) => checked !== undefined)?.findings).toEqual([]);
    const newest = backupsOf(lines, acknowledged, gone).at(-1);
    acknowledged.take(lines);
    for (const { erased = [], moved, backup } of lines) {
      for (const word of erased) gone.add(word);
      done.erasures += erased.length > 0 ? 1 : 0;
      done.moves += moved === undefined ? 0 : 1;
      done.backups += backup === undefined ? 0 : 1;
    }
    if (newest !== undefined && previous !== undefined) {
      await expectRestored(previous, newest, join(options.dataDirectory as string, "..", "restored"));
      done.restores++;
    }
    previous = newest ?? previous;
  }
  await expectAll({ tenant: "local", ...options }, acknowledged, gone);
  console.log(`${kills} kills beside ${JSON.stringify(done)}: ${acknowledged.count} acknowledged changes, none lost`);
  const { erasures, moves, restores } = done;
  // A few kills may all come too early.
  const least = kills < 20 ? 0 : 1;
  expect(Math.min(erasures, moves, backups === undefined ? Infinity : restores)).toBeGreaterThanOrEqual(least);
  return acknowledged.count;
}

/** The backups that one process acknowledged. */
function backupsOf(lines: readonly MixedLoadLine[], before: Acknowledged, gone: ReadonlySet<string>): Backup[] {
  const begun = new Map<string, number>();
  return lines.flatMap(({ backupBegun, backup }, end) => {
    if (backupBegun !== undefined) begun.set(backupBegun, end);
    const start = backup === undefined ? undefined : begun.get(backup);
    if (backup === undefined || start === undefined) return [];
    const state = new Acknowledged();
    for (const [id, word] of before.words) state.words.set(id, word);
    state.take(lines.slice(0, start));
    for (const { id, changing } of lines.slice(start, end)) state.words.delete(id ?? changing ?? "");
    const erased = lines.slice(0, start).flatMap((line) => line.erased ?? []);
    return { directory: backup, held: state.words, gone: new Set([...gone, ...erased]) };
  });
}

/** Restores a backup with the erasures of a newer one: nothing that was erased by then is back, everything else is. */
async function expectRestored(older: Backup, newer: Backup, dataDirectory: string): Promise<void> {
  await restoreBackup({ from: older.directory, dataDirectory, erasures: erasuresOf(newer) });
  const loci = await openLoci({ tenant: "local", dataDirectory, index: "memory" });
  const texts = await textsOf(loci);
  const all = [...texts.values()].join("\n");
  expect([...newer.gone].filter((word) => all.includes(`${word}.`))).toEqual([]);
  // What was forgotten or changed between the two is told by neither.
  const kept = [...older.held].filter(([id, word]) => newer.held.get(id) === word);
  expect(kept.filter(([id, word]) => texts.get(id)?.includes(`${word},`) !== true)).toEqual([]);
  expect((await loci.maintenance.verify()).findings).toEqual([]);
  await loci.close();
  await rm(dataDirectory, { recursive: true });
}

async function* erasuresOf({ directory }: Backup): AsyncGenerator<Erasure> {
  const input = createReadStream(join(directory, "erasures.jsonl"), "utf8");
  for await (const line of createInterface({ input })) yield parseErasure(line, "erasures.jsonl");
}

async function expectAll(options: OpenLociOptions, { words, forgotten }: Acknowledged, gone: Iterable<string>) {
  const loci = await openLoci(options);
  const texts = await textsOf(loci);
  const told = (word: string): string => `The key is under ${word}, as everybody knows.`;
  expect([...words].filter(([id, word]) => texts.get(id) !== told(word))).toEqual([]);
  expect([...forgotten].filter((id) => texts.has(id))).toEqual([]);
  const all = [...texts.values()].join("\n");
  expect([...gone].filter((word) => all.includes(`${word}.`))).toEqual([]);
  // That the indexes say the same is for `verify`; of them all so many are looked for as anybody would.
  for (const [id, word] of [...words].slice(-soughtAtEnd)) {
    const { hits } = await loci.recall({ query: `Where is ${word}?`, scopes });
    expect(hits[0]?.memory).toMatchObject({ id, text: told(word) });
  }
  for (const id of [...forgotten].slice(-soughtAtEnd))
    await expect(loci.memories.get(memoryId(id))).rejects.toMatchObject({ reason: "MEMORY_NOT_FOUND" });
  for (const word of [...gone].slice(-soughtAtEnd)) {
    const { hits } = await loci.recall({ query: `Where is ${word}?`, scopes });
    expect(hits.filter(({ memory }) => memory.text.includes(`${word}.`))).toEqual([]);
  }
  expect((await loci.maintenance.verify()).findings).toEqual([]);
  await loci.close();
}

/** Every text there is, by id. */
async function textsOf(loci: Loci): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (let pageToken: string | undefined; ;) {
    const page = await loci.memories.list({ scopes, pageSize: 1_000, pageToken });
    for (const { id, text } of page.memories) texts.set(id, text);
    pageToken = page.nextPageToken;
    if (pageToken === undefined) return texts;
  }
}

async function inDirectory<Result>(work: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), "loci-mixed-"));
  const result = await work(directory);
  await rm(directory, { recursive: true });
  return result;
}

describe("killed while it writes, erases, moves its indexes and makes backups", () => {
  test(`${kills} kills on files, with indexes of files, of LanceDB and in memory`, async () => {
    const acknowledged = await inDirectory((directory) =>
      killAgainAndAgain({
        options: { dataDirectory: join(directory, "data"), index: "embedded" },
        places: ["lancedb", "memory", "embedded"],
        backups: join(directory, "backups"),
      }),
    );
    expect(acknowledged).toBeGreaterThan(kills);
  }, 3_600_000);

  test.skipIf(missingNativePostgres() !== undefined)(
    `${kills} kills on PostgreSQL, with indexes of files and in its own database`,
    async () => {
      await using database = await openTestDatabase("native");
      const ledger = await serviceLedger(database, 6);
      const acknowledged = await inDirectory((directory) =>
        killAgainAndAgain({
          options: {
            dataDirectory: join(directory, "data"),
            ledger,
            index: "embedded",
            indexes: [{ kind: "pgvector", connectionString: database.connectionString, maxConnections: 4 }],
          },
          places: ["pgvector", "embedded"],
        }),
      );
      expect(acknowledged).toBeGreaterThan(kills);
    },
    3_600_000,
  );
});
