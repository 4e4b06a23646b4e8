import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openEngine } from "@loci/loci";
import { afterEach, beforeEach, expect, test } from "vitest";
import { answersOf, openReleaseDirectory } from "./release-directory.ts";

const fixtures = join(import.meta.dirname, "fixtures");
const releases = globSync("release-*.json", { cwd: fixtures }).map((name) => basename(name, ".json"));
/** Long after all of them were written. */
const later = Date.parse("2027-03-01T12:00:00Z");

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "loci-former-release-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function unpack(release: string): void {
  execFileSync("tar", ["-xzf", join(fixtures, `${release}.tar.gz`), "-C", directory]);
}

test("there is a directory of a release", () => {
  expect(releases).toContain("release-0.1");
});

test.each(releases)("what %s wrote opens, is in order and says what it said, also after a restart", async (release) => {
  unpack(release);
  const said: unknown = JSON.parse(readFileSync(join(fixtures, `${release}.json`), "utf8"));
  const problems: unknown[] = [];
  for (let time = 0; time < 2; time++) {
    await using engine = await openReleaseDirectory(directory, later, (error) => problems.push(error));
    // By JSON, as the answers are kept.
    expect(JSON.parse(JSON.stringify(await answersOf(engine)))).toEqual(said);
  }
  expect(problems).toEqual([]);
});

test.each(releases)("what %s wrote can be written to, and remembers both", async (release) => {
  unpack(release);
  await using engine = await openReleaseDirectory(directory, later);
  const loci = engine.for({ tenant: "acme" as never, subject: "test", roles: ["read", "write"], scopePatterns: ["*"] });
  const added = await loci.memories.remember({ text: "The garage is red.", scope: "user:alice" });
  await loci.settled();
  const texts = (await loci.memories.list({ scopes: ["user:alice"] })).memories.map(({ text }) => text);
  expect(texts).toContain("The garage is red.");
  expect(texts).toContain("The code of acme is 4711.");
  const { hits } = await loci.recall({ query: "Which colour is the garage?", scopes: ["user:alice"] });
  expect(hits[0]?.memory.id).toBe(added.id);
});

test.each(releases)(
  "a program that is older than the ledger refuses it, says what to do and changes nothing",
  async (release) => {
    unpack(release);
    const path = join(directory, "ledger.sqlite");
    // As a version to come would leave it.
    const database = new DatabaseSync(path);
    database.exec("PRAGMA journal_mode = DELETE; CREATE TABLE of_the_future (id INTEGER); PRAGMA user_version = 500");
    database.close();
    const before = readFileSync(path);
    await expect(openEngine({ dataDirectory: directory })).rejects.toMatchObject({
      reason: "DATA_DIRECTORY_TOO_NEW",
      message: expect.stringContaining("schema version 500") as string,
      advice: "Open it with the Loci version that wrote it, or a newer one.",
    });
    expect(changedPages(before, readFileSync(path))).toEqual([]);
    // Nobody has to remove anything before the newer version starts again.
    const again = new DatabaseSync(path);
    again.exec("BEGIN EXCLUSIVE; ROLLBACK");
    again.close();
  },
);

/** Pages that differ. Of the first, what SQLite notes of the way it is opened is no change. */
function changedPages(before: Buffer, after: Buffer): readonly number[] {
  const pageSize = 4_096;
  const pages = Math.ceil(Math.max(before.length, after.length) / pageSize);
  const contentOf = (file: Buffer, page: number): Buffer =>
    file.subarray(page === 0 ? 100 : page * pageSize, (page + 1) * pageSize);
  return Array.from({ length: pages }, (_, page) => page).filter(
    (page) => !contentOf(before, page).equals(contentOf(after, page)),
  );
}
