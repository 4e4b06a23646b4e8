import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import type { LogLine } from "./test-server.ts";

const cases = join(import.meta.dirname, "full-disk-cases.ts");
/** A file system in memory, in a namespace that ends with its processes: for that nobody has to be root. */
const apart = ["--user", "--map-root-user", "--mount"];
const mounting = 'mount -t tmpfs -o size=96m tmpfs "$1" && shift && exec "$@"';
const canMount = spawnSync("unshare", [...apart, "sh", "-c", mounting, "sh", tmpdir(), "true"]).status === 0;

interface Seen {
  readonly textsOnFullDisk: readonly string[];
  readonly textsAfterRefusal: readonly string[];
  readonly reason: string;
  readonly refusedCalls: number;
  readonly log: readonly LogLine[];
  readonly noRoom: { readonly reason: string; readonly advice: string };
  readonly textsAtLast: readonly string[];
}

test.runIf(canMount).each([1, 2])(
  "on a full disk a server of %i processes starts and reads, refuses writes, and an operator hears of it",
  async (workers) => {
    const folder = mkdtempSync(join(tmpdir(), "loci-full-disk-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const program = [process.execPath, "--no-warnings", "--conditions=@loci/source", cases, folder, String(workers)];
    const { stdout } = await promisify(execFile)("unshare", [...apart, "sh", "-c", mounting, "sh", folder, ...program]);
    const seen = JSON.parse(stdout) as Seen;
    expect(seen.textsOnFullDisk).toEqual(["The canary is yellow."]);
    expect(seen.textsAfterRefusal).toEqual(["The canary is yellow."]);
    expect(seen.reason).toBe("DISK_FULL");
    expect(seen.refusedCalls).toBe(1);
    expect(seen.log.map(({ event, reason }) => [event, reason])).toEqual([
      ["disk full", undefined],
      ["call", "DISK_FULL"],
    ]);
    expect(seen.log[0]?.["advice"]).toMatch(/^Make room/);
    expect(seen.noRoom).toMatchObject({
      reason: "DISK_FULL",
      advice: expect.stringMatching(/^Free some space/) as string,
    });
    expect(seen.textsAtLast).toEqual(["There is room.", "The canary is yellow."]);
  },
);
