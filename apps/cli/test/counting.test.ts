import { existsSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCommand } from "./run-command.ts";

let directory: string;
let data: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "loci no dïrectory-"));
  data = join(directory, "data");
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test.each([
  ["tokens", ["tokens", "How many are these?"]],
  ["budget", ["budget", "100", "200"]],
])("%s counts without making a data directory", async (_, words) => {
  expect(await runCommand([...words, "--data", data])).toMatchObject({ code: 0, error: "" });
  expect(existsSync(data)).toBe(false);
});
