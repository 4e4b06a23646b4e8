import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";

test.skipIf(process.platform === "win32")(
  "a command that waits for what nobody can stop is ended, seconds after it was told to",
  { timeout: 30_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "loci-cli-signal-"));
    const pipe = join(folder, "talk.jsonl");
    execFileSync("mkfifo", [pipe]);
    const program = join(import.meta.dirname, "..", "src", "main.ts");
    const flags = ["--conditions=@loci/source", "--no-warnings"];
    const child = spawn(process.execPath, [...flags, program, "import", pipe, "--data", join(folder, "data")], {
      stdio: "ignore",
    });
    const ended = once(child, "exit");
    await setTimeout(3_000);
    const told = performance.now();
    child.kill("SIGTERM");
    expect(await ended).toEqual([null, "SIGTERM"]);
    expect(performance.now() - told).toBeLessThan(10_000);
    rmSync(folder, { recursive: true });
  },
);
