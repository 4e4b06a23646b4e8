import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLoci } from "@loci/loci";
import { afterEach, beforeEach, expect, test } from "vitest";
import { importMarkdown } from "../src/index.ts";
import { sourceTime } from "../src/source-time.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "loci-times-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const committedAt = Date.UTC(2025, 2, 1, 12);
const changedAt = Date.UTC(2026, 4, 5);

function git(...values: readonly string[]): void {
  const time = `${committedAt / 1_000} +0000`;
  const env = { ...process.env, GIT_AUTHOR_DATE: time, GIT_COMMITTER_DATE: time };
  execFileSync("git", ["-C", folder, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...values], { env });
}

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  utimesSync(file, changedAt / 1_000, changedAt / 1_000);
  return file;
}

test("front matter goes before git, and git before the file's own time", async () => {
  const document = "# Log\n\nOne log.";
  const dated = write("dated.md", `---\ntitle: Log\ndate: 2024-05-06\n---\n${document}`);
  const committed = write("committed.md", document);
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "First");
  const fresh = write("fresh.md", document);
  const time = (file: string, text = document): Promise<unknown> => sourceTime(file, text, undefined);
  expect(await time(dated, `---\ntitle: Log\ndate: 2024-05-06\n---\n`)).toEqual({
    at: Date.UTC(2024, 4, 6),
    from: "frontMatter",
  });
  expect(await time(committed)).toEqual({ at: committedAt, from: "git" });
  expect(await time(fresh)).toEqual({ at: changedAt, from: "file" });

  await using loci = await openLoci({ tenant: "t", dataDirectory: join(folder, ".data") });
  const scope = "project:p";
  const report = await importMarkdown(loci, { paths: [folder], scope, root: folder });
  expect(report).toMatchObject({ added: 3, times: { frontMatter: 1, git: 1, file: 1 } });
  const { memories } = await loci.memories.list({ scopes: [scope] });
  expect(memories.map(({ createdAt }) => createdAt)).toEqual([changedAt, committedAt, Date.UTC(2024, 4, 6)]);
  expect(await importMarkdown(loci, { paths: [folder], scope, root: folder })).toMatchObject({
    added: 0,
    unchanged: 3,
  });
});

test.each([
  ["2024-05-06", Date.UTC(2024, 4, 6)],
  ["'2024-05-06T07:08:09Z'", Date.UTC(2024, 4, 6, 7, 8, 9)],
  ["2024-05-06 07:08 +0200", Date.UTC(2024, 4, 6, 5, 8)],
  ["May 6", undefined],
  ["2024-99-99", undefined],
])("the date %s is read as it stands", async (date, at) => {
  const file = write("a.md", "");
  const found = await sourceTime(file, `---\r\ndate: ${date}\r\n---\r\n`, undefined);
  expect(found).toEqual(at === undefined ? { at: changedAt, from: "file" } : { at, from: "frontMatter" });
});

test.skipIf(process.platform === "win32")("nothing that a repository names is run", async () => {
  git("init", "-q");
  const file = write("a.md", "# A\n\nText.");
  git("add", ".");
  git("commit", "-qm", "First");
  const ran = join(folder, "ran");
  const program = join(folder, "program");
  writeFileSync(program, `#!/bin/sh\ntouch ${ran}\n`);
  chmodSync(program, 0o755);
  mkdirSync(join(folder, "hooks"));
  for (const name of ["core.pager", "core.fsmonitor", "gpg.program", "diff.external", "core.sshCommand"])
    git("config", name, program);
  git("config", "log.showSignature", "true");
  expect(await sourceTime(file, "", undefined)).toEqual({ at: committedAt, from: "git" });
  expect(existsSync(ran)).toBe(false);
});
