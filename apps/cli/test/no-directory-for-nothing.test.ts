import { existsSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCommand } from "./run-command.ts";

let directory: string;
let data: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "loci no dïrectory-"));
  data = join(directory, "data");
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe("a command that is refused makes no data directory", () => {
  test.each([
    ["an importance that cannot be", "importance", ["remember", "Tea.", "--importance", "7"]],
    ["a text of nothing", "text", ["remember", " "]],
    ["a category that is no name", "category", ["remember", "Tea.", "--category", "a b/c"]],
    ["a lesson of nothing", "lesson", ["capture", "lesson", " ", "--failure", "it broke"]],
    [
      "a change that cannot be",
      "importance",
      ["memories", "update", "--key", "k", "--allow-missing", "--importance", "7"],
    ],
    ["a block without a name", "label", ["blocks", "create", " ", "--scope", "user:ann"]],
    ["a block that is not there", "persona", ["blocks", "delete", "persona", "--scope", "user:ann"]],
    ["folders of blocks that are not there", "nowhere", ["blocks", "import", "/nowhere", "--scope", "user:ann"]],
  ])("%s", async (_, named, words) => {
    const { code, error } = await runCommand([...words, "--data", data]);
    expect(code).toBeGreaterThan(1);
    expect(error).toContain(named);
    expect(existsSync(data)).toBe(false);
  });
});

test.each([
  ["tokens", ["tokens", "How many are these?"]],
  ["budget", ["budget", "100", "200"]],
])("%s counts without making a data directory", async (_, words) => {
  expect(await runCommand([...words, "--data", data])).toMatchObject({ code: 0, error: "" });
  expect(existsSync(data)).toBe(false);
});

test("what is not refused is stored once, also as the first of all", async () => {
  expect(await runCommand(["remember", "Ann drinks tea.", "--data", data, "--json"])).toMatchObject({ code: 0 });
  const { out } = await runCommand(["memories", "list", "--data", data, "--json"]);
  expect(JSON.parse(out)).toMatchObject({ memories: [{ text: "Ann drinks tea." }] });
});
