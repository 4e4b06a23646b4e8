import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { boundedLines } from "../src/files/bounded-lines.ts";

function fileOf(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), "loci-lines-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "lines.jsonl");
  writeFileSync(file, content);
  return file;
}

async function linesOf(file: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of boundedLines(file)) lines.push(line);
  return lines;
}

test("lines come whole, whatever pieces a file is read in, and the last one needs no line break", async () => {
  const lines = ["", "é".repeat(100_000), "short", "", "x".repeat(70_000), "last"];
  expect(await linesOf(fileOf(lines.join("\n")))).toEqual(lines);
  expect(await linesOf(fileOf("one\n"))).toEqual(["one"]);
  expect(await linesOf(fileOf(""))).toEqual([]);
});

test("a line that is too long is told of with its number, and what stands before it comes", async () => {
  const file = fileOf(`first\nsecond\n${"x".repeat(4 * 1024 * 1024 + 1)}\nlast\n`);
  const read: string[] = [];
  const reading = (async () => {
    for await (const line of boundedLines(file)) read.push(line);
  })();
  await expect(reading).rejects.toMatchObject({
    reason: "INVALID_TEXT",
    message: `${file}:3 is longer than 4194304 bytes.`,
  });
  expect(read).toEqual(["first", "second"]);
});

test("a file that cannot be read is told of", async () => {
  const file = join(fileOf(""), "missing");
  await expect(linesOf(file)).rejects.toMatchObject({ reason: "FILE_NOT_FOUND", resource: file });
});
