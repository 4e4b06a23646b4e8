import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { baseCommit, checkBreaking } from "../breaking.ts";

let repository: string;

beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), "loci-breaking-test-"));
  git("init", "--quiet", "--initial-branch=main");
});
afterEach(() => rmSync(repository, { recursive: true }));

function git(...command: string[]): string {
  const identity = ["-c", "user.name=test", "-c", "user.email=test@example.invalid", "-c", "commit.gpgsign=false"];
  return execFileSync("git", ["-C", repository, ...identity, ...command], { encoding: "utf8", stdio: "pipe" }).trim();
}

function write(path: string, content: string): void {
  mkdirSync(join(repository, path, ".."), { recursive: true });
  writeFileSync(join(repository, path), content);
}

function commit(): string {
  git("add", ".");
  git("commit", "--quiet", "--allow-empty", "--message=commit");
  return git("rev-parse", "HEAD");
}

function writeContract(...fields: string[]): void {
  write("buf.yaml", "version: v2\nmodules:\n  - path: proto\nbreaking:\n  use: [FILE]\n");
  write("proto/a.proto", `syntax = "proto3";\npackage a;\nmessage A {\n${fields.join("\n")}\n}\n`);
}

describe("what a tree is compared with", () => {
  test("nothing, in an empty repository and at the first commit", () => {
    expect(baseCommit(repository)).toBeUndefined();
    writeContract("string a = 1;");
    commit();
    expect(baseCommit(repository)).toBeUndefined();
  });

  test("nothing, when no earlier commit has a contract", () => {
    write("README.md", "hello\n");
    commit();
    writeContract("string a = 1;");
    commit();
    expect(baseCommit(repository)).toBeUndefined();
  });

  test("the tip of main when something has changed since, else the commit before it", () => {
    writeContract("string a = 1;");
    const first = commit();
    const second = commit();
    expect(baseCommit(repository)).toBe(first);
    writeContract("string a = 1;", "string b = 2;");
    expect(baseCommit(repository)).toBe(second);
    git("switch", "--quiet", "--create", "topic");
    commit();
    expect(baseCommit(repository)).toBe(second);
  });
});

describe("comparing", () => {
  test("a new field breaks nobody, a changed one does", () => {
    writeContract("string a = 1;");
    const base = commit();
    writeContract("string a = 1;", "string b = 2;");
    expect(() => checkBreaking(repository, base)).not.toThrow();
    writeContract("bytes a = 1;");
    expect(() => checkBreaking(repository, base)).toThrow(/changed type/);
  });

  test("also when the number of modules has changed", () => {
    writeContract("string a = 1;");
    const base = commit();
    write(
      "buf.yaml",
      "version: v2\nmodules:\n  - path: proto\n  - path: third_party/proto\nbreaking:\n  use: [FILE]\n",
    );
    write("third_party/proto/b.proto", 'syntax = "proto3";\npackage b;\nmessage B {}\n');
    expect(() => checkBreaking(repository, base)).not.toThrow();
    writeContract("bytes a = 1;");
    expect(() => checkBreaking(repository, base)).toThrow(/changed type/);
  });
});
