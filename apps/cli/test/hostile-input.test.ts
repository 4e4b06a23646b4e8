import { globSync, mkdtempSync, openSync, readFileSync, rmSync, truncateSync, writeFileSync, closeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseInstantOption } from "../src/commands/instant-option.ts";
import { forTerminal } from "../src/output/format-text.ts";
import { jsonLine } from "../src/output/print-json.ts";
import { runCommand } from "./run-command.ts";

const clipboard = "\u001b]52;c;cm0gLXJm\u0007\u009b2J\u202e\u061c";
let directory: string;
let before: string | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "loci-hostile-"));
  before = process.env["LOCI_DATA_DIR"];
  process.env["LOCI_DATA_DIR"] = join(directory, "data");
});
afterEach(() => {
  if (before === undefined) delete process.env["LOCI_DATA_DIR"];
  else process.env["LOCI_DATA_DIR"] = before;
  rmSync(directory, { recursive: true });
});

function file(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

/** A file of so many bytes that takes no room: all of them zero. */
function emptyFile(name: string, bytes: number): string {
  const path = join(directory, name);
  closeSync(openSync(path, "w"));
  truncateSync(path, bytes);
  return path;
}

describe("what reaches a terminal", () => {
  test("goes through one function", () => {
    const sources = globSync("src/**/*.ts", { cwd: join(import.meta.dirname, "..") });
    const writers = sources.filter((source) =>
      /console\.|std(?:out|err)\.write/.test(readFileSync(join(import.meta.dirname, "..", source), "utf8")),
    );
    expect(writers.toSorted()).toEqual([
      // A script made of the names of commands and options alone.
      "src/commands/completion.ts",
      // The server's own configuration, as TOML.
      "src/commands/serve.ts",
      "src/output/progress-line.ts",
      "src/output/terminal.ts",
    ]);
  });

  test("steers nothing, as text or as JSON", () => {
    expect(forTerminal(`a${clipboard}\nb\tc`)).toMatch(/^[ -~\n\t]+$/);
    expect(jsonLine({ text: clipboard })).toMatch(/^[ -~]+$/);
    expect(JSON.parse(jsonLine({ text: clipboard }))).toEqual({ text: clipboard });
  });

  test.each([
    ["a conversation's line", () => ["import", file("talk.jsonl", `{"secret ${clipboard}\n`)]],
    ["a scope", () => ["recall", "x", "--scope", `user:${clipboard}`]],
    ["a command", () => [`do${clipboard}`]],
    ["an option", () => ["recall", "x", `--${clipboard}`]],
    ["a path", () => ["import", join(directory, `no${clipboard}.md`)]],
  ])("quotes nothing raw of %s", async (_, words) => {
    const text = await runCommand(words());
    const json = await runCommand([...words(), "--json"]);
    for (const { code, out, error } of [text, json]) {
      expect(code).toBeGreaterThan(1);
      expect(out + error).toMatch(/^[ -~\n…–█·]*$/);
      expect(out + error).not.toContain("secret");
    }
    expect(JSON.parse(json.error)).toMatchObject({ error: { message: expect.any(String) } });
  });
});

test.each([["recall"], ["recall", "x", "--evaluation-time", "yesterday"], ["nothing"], ["recall", "x", "--wrong"]])(
  "a command line that makes no sense is one line of JSON with --json: %j",
  async (...words) => {
    const { code, out, error } = await runCommand([...words, "--json"]);
    expect([code, out]).toEqual([2, ""]);
    expect(JSON.parse(error)).toMatchObject({ error: { code: "INVALID_ARGUMENT", reason: "INVALID_REQUEST" } });
  },
);

test("a line or a file that is far too large is refused before it is in memory", async () => {
  const line = emptyFile("huge.jsonl", 1024 ** 3);
  const text = emptyFile("huge.md", 1024 ** 3);
  const rss = process.memoryUsage.rss();
  expect(await runCommand(["import", line])).toMatchObject({ code: 2, error: expect.stringContaining("huge.jsonl") });
  expect(await runCommand(["import", text])).toMatchObject({ code: 2, error: expect.stringContaining("huge.md") });
  expect(process.memoryUsage.rss() - rss).toBeLessThan(400 * 1024 ** 2);
});

test("a date without a zone is UTC, however it is written", () => {
  const instant = Date.UTC(2026, 10, 22, 9, 30);
  for (const text of ["2026-11-22T09:30", "2026-11-22 09:30", "2026-11-22 09:30:00Z", "2026-11-22T11:30:00+02:00"])
    expect(parseInstantOption(text)).toBe(instant);
  expect(parseInstantOption("2026-11-22")).toBe(Date.UTC(2026, 10, 22));
  for (const text of ["22.11.2026", "Nov 22 2026", "09:30", "2026-13-01", ""])
    expect(() => parseInstantOption(text)).toThrow("must be a date");
});
