import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { emptyMirror, looseObject, mirrorChange, type MirroredChange } from "../src/index.ts";

const program = ["/usr/bin/git", "/usr/local/bin/git", "/opt/homebrew/bin/git"].find((path) => existsSync(path));

/** What git would take for an option, an address, an end, a header or a line of its own. */
const hostile = [
  "--upload-pack=touch x",
  "a <b@c> 0 +0000",
  "x\ncommitter y <z> 1 +0000",
  "\0",
  "\uD800",
  "$(touch x)",
  "é😀",
  "'",
  "\\",
  "\u0085\u009F",
  ".",
  "HEAD",
  "",
];
const changes: readonly MirroredChange[] = hostile.flatMap((words, index) => [
  { label: "human", version: index + 1, toml: `name = "${index}"\n`, at: 1_790_000_000_999 + index, proposer: words },
  {
    label: `a_${index}`,
    version: 1,
    toml: index === 3 ? "" : `text = """\n${index}é😀\n"""\n`,
    at: 1_790_000_000_000,
    proposer: "local",
    approver: words,
    reason: `${words}\r\n# ${words}`,
  },
  ...(index % 2 === 0
    ? [{ label: `a_${index}`, version: 2, toml: undefined, at: 1_790_000_001_000, proposer: words, reason: words }]
    : []),
]);

let directory = "";

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "loci-git-mirror-"));
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

/** Runs git with nothing from outside: no environment, no configuration, no hooks. */
function git(commands: readonly string[], input: string | Buffer = ""): string {
  const fixed = ["--literal-pathspecs", "--git-dir=repository", "-c", "core.hooksPath=/dev/null"];
  return execFileSync(program as string, [...fixed, ...commands], {
    cwd: directory,
    env: { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", HOME: directory, LC_ALL: "C" },
    input,
    encoding: "utf8",
  });
}

test.skipIf(program === undefined)(
  "git reads the same objects under the same ids, and finds nothing wrong",
  async () => {
    git(["init", "--quiet", "--bare", "--template=", "--object-format=sha1", "repository"]);
    let state = emptyMirror;
    const files = new Map<string, string>();
    const ids: string[] = [];
    const named: string[] = [];
    for (const change of changes) {
      const step = mirrorChange(state, change);
      ({ state } = step);
      for (const object of step.objects) {
        const { path, content } = looseObject(object);
        const file = join(directory, "repository/objects", path);
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, content);
        ids.push(object.id);
        named.push(git(["hash-object", "-t", object.type, "--stdin"], object.body).trim());
      }
      files.clear();
      for (const [path, id] of step.files) files.set(path, id);
    }
    expect(named).toEqual(ids);
    await mkdir(join(directory, "repository/refs/heads"), { recursive: true });
    await writeFile(join(directory, "repository/refs/heads/main"), `${state.commit}\n`);
    expect(git(["fsck", "--full", "--strict", "--no-dangling"])).toBe("");
    expect(git(["rev-list", "--count", "refs/heads/main"]).trim()).toBe(String(changes.length));
    const listed = git(["ls-tree", "-r", "refs/heads/main"]).trim().split("\n");
    expect(listed).toEqual([...files].map(([path, id]) => `100644 blob ${id}\t${path}`));
    const known = git(["cat-file", "--batch-check=%(objectname)"], `${ids.join("\n")}\n`)
      .trim()
      .split("\n");
    expect(known).toEqual(ids);
    expect(existsSync(join(directory, "x"))).toBe(false);
  },
);
