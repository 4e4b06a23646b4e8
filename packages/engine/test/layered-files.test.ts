import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { layeredFiles } from "@loci/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dayNames } from "../src/sessions/day-names.ts";
import { LayeredFilesReader, type ReadLayeredFilesOptions } from "../src/assembly/layered-files/read-layered-files.ts";

const now = Date.parse("2026-03-14T23:30:00Z");
let folder: string;
let reader: LayeredFilesReader;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-layered-"));
  reader = new LayeredFilesReader();
  await mkdir(join(folder, "daily"));
  await mkdir(join(folder, "teams", "story"), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

function read(options: Partial<ReadLayeredFilesOptions> = {}): ReturnType<LayeredFilesReader["read"]> {
  return reader.read({ directory: folder, layout: layeredFiles, now, ...options });
}

test("reads what the layout has sections for, and a team's files only with a team", async () => {
  await writeFile(join(folder, "IDENTITY.md"), "I am Luna.");
  await writeFile(join(folder, "SECRET.md"), "no section");
  await writeFile(join(folder, "teams", "story", "GOALS.md"), "Ship.");
  await writeFile(join(folder, "daily", "2026-03-14.md"), "today");
  await writeFile(join(folder, "daily", "2026-03-08.md"), "six days before");
  await writeFile(join(folder, "daily", "2026-03-07.md"), "too old");
  expect(await read()).toEqual({
    files: { "IDENTITY.md": "I am Luna." },
    teamFiles: {},
    days: [
      { date: "2026-03-14", text: "today" },
      { date: "2026-03-08", text: "six days before" },
    ],
  });
  expect((await read({ team: "story" })).teamFiles).toEqual({ "GOALS.md": "Ship." });
});

test("a file in the place of the folder is refused: the context would be empty", async () => {
  const directory = join(folder, "IDENTITY.md");
  await writeFile(directory, "I am Luna.");
  await expect(read({ directory })).rejects.toMatchObject({
    reason: "FILE_NOT_FOUND",
    message: `${directory} is not a folder.`,
  });
});

test("a link that leads back to itself is refused", async () => {
  await symlink(join(folder, "KNOWLEDGE.md"), join(folder, "KNOWLEDGE.md"));
  await expect(read()).rejects.toMatchObject({ reason: "INVALID_REQUEST", resource: "KNOWLEDGE.md" });
});

test("without a layout reads what layeredFiles has sections for, with another what that has", async () => {
  await writeFile(join(folder, "IDENTITY.md"), "I am Luna.");
  await writeFile(join(folder, "STYLE.md"), "Plain words.");
  expect(await reader.read({ directory: folder, now })).toEqual(await read());
  expect((await read({ layout: "layeredFiles" })).files).toEqual({ "IDENTITY.md": "I am Luna." });
  const sections = [{ name: "style", source: "file:STYLE.md", shortening: "sentences" }] as const;
  expect((await read({ layout: { name: "own", sections } })).files).toEqual({ "STYLE.md": "Plain words." });
});

test("reads a file again when its time or its size changed, and not before", async () => {
  const path = join(folder, "IDENTITY.md");
  const first = new Date("2026-01-01T00:00:00Z");
  const identity = async (): Promise<string | undefined> => (await read()).files?.["IDENTITY.md"];
  await writeFile(path, "one");
  await utimes(path, first, first);
  expect(await identity()).toBe("one");
  await writeFile(path, "two");
  await utimes(path, first, first);
  expect(await identity()).toBe("one");
  await utimes(path, first, new Date("2026-01-02T00:00:00Z"));
  expect(await identity()).toBe("two");
  await writeFile(path, "three");
  await utimes(path, first, new Date("2026-01-02T00:00:00Z"));
  expect(await identity()).toBe("three");
  await rm(path);
  expect(await identity()).toBeUndefined();
});

describe("files of folders", () => {
  const sections = [
    { name: "tools", source: "file:workspace/TOOLS.md", shortening: "never" },
    { name: "first", source: "file:skills/a.md", shortening: "sentences" },
    { name: "skills", source: "file:skills/*", shortening: "sentences" },
  ] as const;
  const layout = { name: "workspace", sections };

  test("are read by name, and all Markdown of a folder", async () => {
    await mkdir(join(folder, "workspace"));
    expect((await read({ layout })).files).toEqual({});
    await mkdir(join(folder, "skills"));
    await writeFile(join(folder, "workspace", "TOOLS.md"), "tools");
    await writeFile(join(folder, "workspace", "OTHER.md"), "no section");
    for (const name of ["b.md", "a.md", ".hidden.md", "script.sh"])
      await writeFile(join(folder, "skills", name), `skill ${name}`);
    expect((await read({ layout })).files).toEqual({
      "workspace/TOOLS.md": "tools",
      "skills/a.md": "skill a.md",
      "skills/b.md": "skill b.md",
    });
  });

  test("are refused by a link that leads out, and when there are too many", async () => {
    const outside = await mkdtemp(join(tmpdir(), "loci-outside-"));
    await writeFile(join(outside, "a.md"), "outside");
    await symlink(outside, join(folder, "skills"));
    await expect(read({ layout })).rejects.toMatchObject({ reason: "INVALID_REQUEST", resource: "skills/a.md" });
    await rm(outside, { recursive: true });
    await rm(join(folder, "skills"));
    await mkdir(join(folder, "skills"));
    for (let number = 0; number < 101; number++) await writeFile(join(folder, "skills", `${number}.md`), "x");
    await expect(read({ layout })).rejects.toMatchObject({ reason: "INVALID_REQUEST", resource: "skills/" });
  });
});

describe("refused", () => {
  test("links that lead out of the folder, also by a folder, but not links inside", async () => {
    await writeFile(join(folder, "teams", "who.md"), "inside");
    await symlink(join(folder, "teams", "who.md"), join(folder, "KNOWLEDGE.md"));
    expect((await read()).files).toEqual({ "KNOWLEDGE.md": "inside" });
    await symlink("/etc/hostname", join(folder, "IDENTITY.md"));
    await expect(read()).rejects.toMatchObject({ reason: "INVALID_REQUEST", resource: "IDENTITY.md" });
    await rm(join(folder, "IDENTITY.md"));
    const outside = await mkdtemp(join(tmpdir(), "loci-outside-"));
    await writeFile(join(outside, "GOALS.md"), "outside");
    await symlink(outside, join(folder, "teams", "other"));
    await expect(read({ team: "other" })).rejects.toMatchObject({ reason: "INVALID_REQUEST" });
    await rm(outside, { recursive: true });
  });

  test.each(["../x", "/etc", ".git", "..", "a/b", "a\0", "x".repeat(300), ""])("the team %j", async (team) => {
    await expect(read({ team })).rejects.toMatchObject({ reason: "INVALID_REQUEST", field: "team" });
  });

  test("a file over 1 MiB, one that is not UTF-8, a folder in place of a file", async () => {
    const path = join(folder, "IDENTITY.md");
    await writeFile(path, "a".repeat(1024 * 1024));
    expect((await read()).files?.["IDENTITY.md"]).toHaveLength(1024 * 1024);
    await writeFile(path, "a".repeat(1024 * 1024 + 1));
    await expect(read()).rejects.toMatchObject({ reason: "TEXT_TOO_LARGE", resource: "IDENTITY.md" });
    await writeFile(path, Buffer.from([0xff, 0xfe, 0x41]));
    await expect(read()).rejects.toMatchObject({ reason: "INVALID_REQUEST", resource: "IDENTITY.md" });
    await rm(path);
    await mkdir(path);
    await expect(read()).rejects.toMatchObject({ reason: "INVALID_REQUEST", resource: "IDENTITY.md" });
  });

  // What Linux only lets be written may not be read by anybody, whoever runs the test.
  test.runIf(process.platform === "linux")("a file that this user may not read", async () => {
    const sections = [{ name: "own", source: "file:compact_memory", shortening: "never" }] as const;
    await expect(read({ directory: "/proc/sys/vm", layout: { name: "own", sections } })).rejects.toMatchObject({
      reason: "INVALID_CONFIGURATION",
      resource: "compact_memory",
      message: "compact_memory cannot be used: EACCES.",
    });
  });

  test("a folder that is not there, an unknown zone, an aborted call", async () => {
    await expect(read({ directory: join(folder, "none") })).rejects.toMatchObject({ reason: "FILE_NOT_FOUND" });
    await expect(read({ timeZone: "Mars/Base" })).rejects.toMatchObject({ field: "timeZone" });
    await expect(read({ now: undefined as never })).rejects.toMatchObject({ reason: "INVALID_INSTANT", field: "now" });
    await expect(read({ layout: "layers" as never })).rejects.toMatchObject({ reason: "INVALID_LAYOUT" });
    await expect(read({ layuot: layeredFiles } as object)).rejects.toMatchObject({ field: "options.layuot" });
    await expect(reader.read(undefined as never)).rejects.toMatchObject({
      reason: "INVALID_REQUEST",
      field: "options",
    });
    await expect(read({ signal: AbortSignal.abort() })).rejects.toMatchObject({ reason: "CANCELLED" });
  });
});

test("days are those of the zone, on the calendar", () => {
  expect(dayNames(now, "UTC", 3)).toEqual(["2026-03-14", "2026-03-13", "2026-03-12"]);
  expect(dayNames(now, "Asia/Tokyo", 1)).toEqual(["2026-03-15"]);
  // In New York the 8th of March had 23 hours.
  expect(dayNames(Date.parse("2026-03-09T04:30:00Z"), "America/New_York", 3)).toEqual([
    "2026-03-09",
    "2026-03-08",
    "2026-03-07",
  ]);
});
