import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CaptureJob } from "@loci/loci";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withLoci } from "../src/config/open-data-directory.ts";
import { runCommand } from "./run-command.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-capture-"));
  vi.stubEnv("LOCI_DATA_DIR", folder);
  vi.stubEnv("LOCI_INDEX_USE", "memory");
  const key = { scope: "user:alice", id: "day-1" } as const;
  const turns = ["I work at Corvid", "what is the time?", "never call me before noon"];
  await withLoci({ scope: ["user:alice"] }, "write", async (loci) => {
    await loci.sessions.create({ ...key, capture: "off" });
    await loci.sessions.append(key, { expectedLast: 0, turns: turns.map((content) => ({ role: "user", content })) });
  });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

test("a session is captured, shown, and undone", async () => {
  const place = ["--scope", "user:alice"];
  const ran = await runCommand(["capture", "run", "day-1", ...place]);
  expect(ran.out).toContain("succeeded");
  expect(ran.out).toMatch(/turn 1 +ADD +fact +The user works at Corvid/);
  expect(ran.out).toMatch(/turn 2 +QUESTION/);
  const listed = await runCommand(["capture", "list", "day-1", ...place, "--json"]);
  const [job] = (JSON.parse(listed.out) as { captures: readonly CaptureJob[] }).captures;
  expect((await runCommand(["capture", "replay", job?.id ?? "", ...place])).out).toContain("NOOP");
  expect((await runCommand(["capture", "undo", job?.id ?? "", ...place])).out).toContain("2 forgotten");
  expect((await runCommand(["capture", "report", job?.id ?? "", ...place])).out).toContain("undone");
  expect((await runCommand(["capture", "reviews", ...place])).out).toContain("Nothing waits");
});
