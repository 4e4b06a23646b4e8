import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { openLoci, type OpenLociOptions } from "@loci/loci";
import { missingNativePostgres, openTestDatabase } from "@loci/test-postgres";
import { describe, expect, test } from "vitest";

/** More in the nightly run. */
const kills = Number(process.env["LOCI_CRASH_CYCLES"] ?? 5);
const owner = "user:ann";

interface Said {
  readonly fact?: string;
  readonly note?: string;
}

type Options = Omit<OpenLociOptions, "tenant">;

/** @returns what was acknowledged before the process was killed */
async function learnUntilKilled(options: Options, cycle: number): Promise<readonly Said[]> {
  const program = join(import.meta.dirname, "programs", "learn-until-killed.ts");
  const child = spawn(process.execPath, ["--no-warnings", "--conditions=@loci/source", program], {
    stdio: ["ignore", "pipe", "inherit"],
    // Not as an argument: there may be a password in it.
    env: { ...process.env, LOCI_TEST_LOAD: JSON.stringify({ options, cycle }) },
  });
  const closed = once(child, "close");
  const said: Said[] = [];
  const wanted = 5 + Math.floor(Math.random() * 20);
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.endsWith("}")) continue;
    said.push(JSON.parse(line) as Said);
    // Whatever is under way then: a commit of block and memories, a rotation behind it.
    if (said.length === wanted) void setTimeout(Math.random() * 20).then(() => child.kill("SIGKILL"));
  }
  await closed;
  return said;
}

/** @returns how often room was made */
async function killAgainAndAgain(options: Options): Promise<number> {
  const said: Said[] = [];
  for (let cycle = 0; cycle < kills; cycle++) said.push(...(await learnUntilKilled(options, cycle)));
  await using loci = await openLoci({ tenant: "local", index: "memory", ...options });
  const { values } = await loci.blocks.get({ owner, label: "human" });
  const inBlock = [values["facts"], values["contextNotes"]].flat().map(String);
  const archived: string[] = [];
  for (let pageToken: string | undefined; ;) {
    const page = await loci.memories.list({ scopes: [owner], pageSize: 1_000, pageToken });
    archived.push(...page.memories.map(({ text }) => text));
    pageToken = page.nextPageToken;
    if (pageToken === undefined) break;
  }
  // Each of them once: in the block, or as the memory that it became in the same commit. A rotation's memory has them all.
  const alone = archived.filter((text) => !text.startsWith("[ARCHIVED "));
  const rotated = archived.filter((text) => text.startsWith("[ARCHIVED "));
  for (const { fact, note } of said) {
    const text = fact ?? note ?? "";
    const places = [...inBlock, ...alone].filter((place) => place.includes(text)).length;
    const isRotatedOut = rotated.some((place) => place.includes(text));
    expect({ text, places: places || (isRotatedOut ? 1 : 0) }).toEqual({ text, places: 1 });
  }
  // A version that made room has its memory, and a memory of a rotation its version.
  let rotations = 0;
  for (let pageToken: string | undefined; ;) {
    const page = await loci.blocks.history({ owner, label: "human", pageSize: 1_000, pageToken });
    rotations += page.versions.filter(({ author }) => author === "rotation").length;
    pageToken = page.nextPageToken;
    if (pageToken === undefined) break;
  }
  expect(rotated).toHaveLength(rotations);
  expect((await loci.maintenance.verify()).findings).toEqual([]);
  return rotations;
}

describe("killed between what leaves a block and the block", () => {
  test(`${kills} kills on files: both are there, or neither`, { timeout: 3_600_000 }, async () => {
    const dataDirectory = await mkdtemp(join(tmpdir(), "loci-block-crash-"));
    expect(await killAgainAndAgain({ dataDirectory })).toBeGreaterThan(0);
    await rm(dataDirectory, { recursive: true });
  });

  test.skipIf(missingNativePostgres() !== undefined)(
    `${kills} kills on PostgreSQL: both are there, or neither`,
    { timeout: 3_600_000 },
    async () => {
      await using database = await openTestDatabase("native");
      const dataDirectory = await mkdtemp(join(tmpdir(), "loci-block-crash-"));
      const role = `service_${database.connectionString.length}_${process.pid}`;
      await database.execute(`CREATE ROLE ${role}`);
      const { connectionString } = database;
      const owned = { connectionString, ownerConnectionString: connectionString, role, maxConnections: 4 };
      const rotations = await killAgainAndAgain({ dataDirectory, ledger: { kind: "postgres", ...owned } });
      expect(rotations).toBeGreaterThan(0);
      await rm(dataDirectory, { recursive: true });
    },
  );
});
