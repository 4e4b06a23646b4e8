import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type BlockChange, emptyMirror, looseObject, looseObjectPath, mirrorBlockChange } from "@loci/git-mirror";

const program = ["/usr/bin/git", "/usr/local/bin/git", "/opt/homebrew/bin/git"].find(
  (path) => spawnSync(path, ["--version"], { env: {} }).status === 0,
);

let repository: string;

beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), "loci-git-mirror-"));
});

afterEach(() => {
  rmSync(repository, { recursive: true, force: true });
});

/** Nothing of the machine is read: no configuration, no hooks, no helpers, no environment. */
function git(...parts: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(
    program ?? "",
    ["-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0", "--literal-pathspecs", `--git-dir=${repository}`, ...parts],
    { env: { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", LC_ALL: "C" }, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`git ${parts[0]} ended with ${status}: ${stderr}`);
  return stdout + stderr;
}

/** Writes all objects as files, as git would, and gives the commits. */
function write(changes: readonly BlockChange[]): readonly string[] {
  git("init", "--quiet", "--bare", "--template=", "--initial-branch=main");
  let state = emptyMirror;
  const commits = changes.map((change) => {
    const step = mirrorBlockChange(state, change);
    state = step.state;
    for (const object of step.objects) {
      const path = join(repository, "objects", looseObjectPath(object.id));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, deflateSync(looseObject(object)));
    }
    return step.commit;
  });
  mkdirSync(join(repository, "refs", "heads"), { recursive: true });
  writeFileSync(join(repository, "refs", "heads", "main"), `${state.head}\n`);
  return commits;
}

const usual: BlockChange = {
  label: "human",
  version: 1,
  toml: 'name = "A"\n',
  at: 1_790_000_000_000,
  proposer: "agent:coach",
  approver: "user:alice",
  reason: "Learned in the talk",
};

const text = fc.string({ unit: "binary", maxLength: 40 });
const changesOf = fc.array(
  fc.record<BlockChange>({
    label: fc.constantFrom("a", "a1", "a_b", "human", "human2", "z"),
    version: fc.integer({ min: 1, max: 1_000_000 }),
    toml: fc.option(text),
    at: fc.integer({ min: 0, max: 4e12 }),
    proposer: text,
    approver: fc.option(text),
    reason: text,
  }),
  { minLength: 1, maxLength: 8 },
);

describe.skipIf(program === undefined)("the git program", () => {
  test("reads the history with both names and the message", () => {
    const commits = write([usual, { ...usual, version: 2, toml: null, approver: null, reason: "" }]);
    expect(git("log", "--reverse", "--format=%H|%an|%cn|%s|%at", "main")).toBe(
      `${commits[0]}|agent:coach|user:alice|Learned in the talk|1790000000\n` +
        `${commits[1]}|agent:coach|agent:coach|Delete human|1790000000\n`,
    );
    expect(git("show", `${commits[0]}:blocks/human.toml`)).toBe('name = "A"\n');
  });

  test("finds nothing wrong with any history, and names its commits the same", () => {
    fc.assert(
      fc.property(changesOf, (changes) => {
        rmSync(repository, { recursive: true, force: true });
        const commits = write(changes);
        expect(git("fsck", "--full", "--strict", "--no-progress", "--no-dangling")).toBe("");
        expect(git("log", "--reverse", "--format=%H", "main").trim().split("\n")).toEqual(commits);
      }),
      { numRuns: 25 },
    );
  });

  test("gives the same id to each object when it makes it itself", () => {
    const { objects } = mirrorBlockChange(emptyMirror, usual);
    write([usual]);
    expect(objects.map(({ type }) => type)).toEqual(["blob", "tree", "tree", "commit"]);
    for (const { type, id, content } of objects) {
      const file = join(repository, "content");
      writeFileSync(file, content);
      expect(git("hash-object", "-t", type, "--no-filters", file).trim()).toBe(id);
    }
  });

  test("sees one author, whatever stands in a name", () => {
    const hostile = "x> 0 +0000\nauthor Mallory <m@example.org>\nparent 0\0$(touch /tmp/x) --exec=x";
    write([{ ...usual, proposer: hostile, approver: "<>\n" }]);
    expect(git("log", "--format=%an|%ae|%cn", "main")).toBe(
      "x_ 0 +0000_author Mallory _m@example.org__parent 0_$(touch /tmp/x) --exec=x|blocks@loci.invalid|___\n",
    );
  });
});
