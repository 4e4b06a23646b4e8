import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLoci, type OpenLociOptions } from "@loci/loci";
import { missingNativePostgres, openTestDatabase } from "@loci/test-postgres";
import { describe, expect, test } from "vitest";
import { runUntilKilled } from "./run-until-killed.ts";
import { serviceLedger } from "./service-ledger.ts";

/** More in the nightly run. */
const kills = Number(process.env["LOCI_CRASH_CYCLES"] ?? 5);
const owner = "user:ann";

interface Said {
  readonly fact?: string;
  readonly note?: string;
}

type Options = Omit<OpenLociOptions, "tenant">;

/** @returns what was acknowledged before the process was killed */
function learnUntilKilled(options: Options, cycle: number): Promise<readonly Said[]> {
  // Whatever is under way then: a commit of block and memories, a rotation behind it.
  const kill = { afterLines: 5 + Math.floor(Math.random() * 20), withinMilliseconds: 20 };
  return runUntilKilled("learn-until-killed.ts", { options, cycle }, kill);
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
      const ledger = await serviceLedger(database, 4);
      const rotations = await killAgainAndAgain({ dataDirectory, ledger });
      expect(rotations).toBeGreaterThan(0);
      await rm(dataDirectory, { recursive: true });
    },
  );
});
