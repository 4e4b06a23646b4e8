import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LayeredFilesReader, openLoci, type OpenLociOptions, writeDailyFiles } from "@loci/loci";
import { afterEach, beforeEach, expect, test } from "vitest";

const scope = "user:ann";
const day = 86_400_000;
const noon = Date.UTC(2026, 2, 29, 12);
const until = "2026-03-29";
let directory: string;
let loci: Awaited<ReturnType<typeof openLoci>>;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "loci-daily-"));
  const options: OpenLociOptions = { tenant: "local", dataDirectory: join(directory, "data"), index: "memory" };
  loci = await openLoci(options);
  await say("ferries", [noon - 2 * day, noon - day, noon]);
});
afterEach(async () => {
  await loci.close();
  rmSync(directory, { recursive: true });
});

async function say(id: string, times: readonly number[]): Promise<void> {
  await loci.sessions.create({ scope, id });
  const turns = times.map((at) => ({ role: "user", content: "Hello.", at }) as const);
  await loci.sessions.append({ scope, id }, { expectedLast: 0, turns });
}

const agent = (): string => join(directory, "agent");
const write = (options: Partial<Parameters<typeof writeDailyFiles>[1]> = {}) =>
  writeDailyFiles(loci, { scope, directory: agent(), until, ...options });
const fileOf = (date: string): string => join(agent(), "daily", `${date}.md`);
const read = (date: string): string => readFileSync(fileOf(date), "utf8");
const nothing = { written: [], unchanged: [], removed: [], left: [] };

test("a file a day, which a layered context shows", async () => {
  const dates = ["2026-03-29", "2026-03-28", "2026-03-27"];
  expect(await write()).toEqual({ ...nothing, written: dates });
  expect(dates.map(read)).toEqual(Array.from(dates, () => "- 12:00 ferries: 1 turn\n"));
  expect(statSync(fileOf(until)).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(agent(), "daily"))).toHaveLength(3);
  const files = await new LayeredFilesReader().read({ directory: agent(), now: noon });
  const { text } = await loci.assemble({ layout: "layeredFiles", files, query: "What now?" });
  expect(text).toContain("### 2026-03-29\n- 12:00 ferries: 1 turn\n\n### 2026-03-28\n");
  expect(await write()).toEqual({ ...nothing, unchanged: dates });
});

test("what was deleted or erased is gone from the files once they are written again", async () => {
  await say("trains", [noon - day]);
  await write();
  expect(read("2026-03-28")).toContain("trains");
  await loci.sessions.delete({ scope, id: "trains" });
  expect(await write()).toMatchObject({ written: ["2026-03-28"] });
  expect(read("2026-03-28")).not.toContain("trains");
  await loci.maintenance.erase({ scope });
  expect(await write()).toMatchObject({ removed: ["2026-03-29", "2026-03-28", "2026-03-27"] });
  expect(readdirSync(join(agent(), "daily"))).toEqual([]);
});

test("what people have written stays as it is, and no link leads anywhere", async () => {
  mkdirSync(join(agent(), "daily"), { recursive: true });
  writeFileSync(fileOf(until), "- 12:00 ferries: 1 turn\nIt was a good day.\n");
  const elsewhere = join(directory, "elsewhere");
  writeFileSync(elsewhere, "- 12:00 ferries: 7 turns\n");
  symlinkSync(elsewhere, fileOf("2026-03-28"));
  mkdirSync(fileOf("2026-03-27"));
  expect(await write()).toEqual({ ...nothing, left: ["2026-03-29", "2026-03-28", "2026-03-27"] });
  expect(read(until)).toContain("It was a good day.");
  expect(readFileSync(elsewhere, "utf8")).toBe("- 12:00 ferries: 7 turns\n");
});

test("days are those of the time zone, and as many as are asked for", async () => {
  expect(await write({ days: 1, timeZone: "Pacific/Kiritimati" })).toEqual({ ...nothing, written: [until] });
  // 12:00 in UTC is 02:00 of the next day there.
  expect(read(until)).toBe("- 02:00 ferries: 1 turn\n");
  expect(existsSync(fileOf("2026-03-28"))).toBe(false);
  for (const wrong of [
    { days: 0 },
    { days: 1.5 },
    { days: 367 },
    { until: "29 March" },
    { until: "2026-02-30" },
    { timeZone: "Mars" },
  ])
    await expect(write(wrong)).rejects.toMatchObject({ reason: "INVALID_REQUEST" });
  await expect(write({ signal: AbortSignal.abort() })).rejects.toMatchObject({ reason: "CANCELLED" });
});
