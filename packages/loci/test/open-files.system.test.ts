import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { MaintenanceFinding } from "@loci/loci";
import { afterEach, beforeEach, expect, test } from "vitest";

let dataDirectory: string;
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "loci-open-files-"));
});
afterEach(() => rm(dataDirectory, { recursive: true, force: true }));

interface Outcome {
  readonly refusals: readonly { readonly when: string; readonly reason: string; readonly text: string }[];
  readonly acknowledged: readonly string[];
  readonly listed: readonly string[];
  readonly opened: number;
  readonly rows: number;
  readonly findings: readonly MaintenanceFinding[];
}

/** What a program prints that may have no more than so many files open. */
async function outputWithFewFiles(program: string, files: number): Promise<unknown> {
  const path = join(import.meta.dirname, "programs", program);
  const node = [process.execPath, "--no-warnings", "--conditions=@loci/source", path, dataDirectory];
  const child = spawn("sh", ["-c", `ulimit -n ${files}; exec "$@"`, "sh", ...node], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  expect(code).toBe(0);
  return JSON.parse(output);
}

test("a process with as many files open as it may is told so at every step, loses nothing, and goes on once it has fewer", async () => {
  const outcome = (await outputWithFewFiles("run-out-of-files.ts", 128)) as Outcome;
  const { refusals, acknowledged, listed, opened, rows, findings } = outcome;

  // Some steps were refused and some were not, or nothing was tried.
  for (const step of ["opening", "recalling"])
    expect(refusals.filter(({ when }) => when.startsWith(step)).length).toBeGreaterThan(0);
  expect(opened).toBeGreaterThan(0);
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({ reason: expect.stringMatching(/^(STORE|EMBEDDER)_UNAVAILABLE$/) as string });
    expect(refusal.text).toContain("ulimit -n");
  }
  expect(acknowledged.length).toBe(1 + 5 * 6);
  expect([...listed].toSorted()).toEqual([...acknowledged].toSorted());
  expect([rows, findings]).toEqual([2 * acknowledged.length, []]);
});

test("files beside ledger and indexes that cannot be opened for want of files are not taken for missing", async () => {
  const { answers, stayed } = (await outputWithFewFiles("name-files-when-none-can-be-opened.ts", 64)) as {
    readonly answers: Readonly<Record<string, string>>;
    readonly stayed: Readonly<Record<string, boolean>>;
  };
  expect(Object.keys(answers).length).toBeGreaterThan(10);
  for (const [use, answer] of Object.entries(answers))
    expect(`${use}: ${answer}`).toMatch(/: STORE_UNAVAILABLE \/.* as many files open as it may.*ulimit -n/u);
  expect(stayed).toEqual({ note: true, id: true, mirror: true, cache: true });
});
