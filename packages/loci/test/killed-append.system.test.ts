import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { type Memory, openLoci } from "@loci/loci";
import { expect, test } from "vitest";

/** More in the nightly run. */
const kills = Number(process.env["LOCI_APPEND_KILLS"] ?? 5);
const key = { scope: "user:alice", id: "talk" } as const;

test(`${kills} kills while turns are appended lose none that was acknowledged, store none twice and tear none from its memory`, async () => {
  const parent = await mkdtemp(join(tmpdir(), "loci-append-"));
  const dataDirectory = join(parent, "data");
  let told = 0;
  for (let kill = 0; kill < kills; kill++) {
    const last = await appendUntilKilled(dataDirectory, told);
    expect(last).toBeGreaterThan(told);
    told = last;
  }
  await using loci = await openLoci({ tenant: "local", dataDirectory, index: "memory" });
  const { lastTurn } = await loci.sessions.get(key);
  expect(lastTurn).toBeGreaterThanOrEqual(told);
  const contents: string[] = [];
  for (let pageToken: string | undefined, isFirst = true; isFirst || pageToken !== undefined; isFirst = false) {
    const page = await loci.sessions.turns(key, { pageSize: 1_000, pageToken });
    contents.push(...page.turns.map(({ content }) => content));
    pageToken = page.nextPageToken;
  }
  expect(contents).toEqual(Array.from({ length: lastTurn }, (_, index) => `Turn ${index + 1}.`));
  const remembered: Memory[] = [];
  for (let pageToken: string | undefined, isFirst = true; isFirst || pageToken !== undefined; isFirst = false) {
    const page = await loci.memories.list({ scopes: [key.scope], pageSize: 1_000, pageToken });
    remembered.push(...page.memories);
    pageToken = page.nextPageToken;
  }
  const texts = remembered.map(({ text }) => text);
  expect(texts.toReversed()).toEqual(contents.map((content) => `user: ${content}`));
  await loci.close();
  await rm(parent, { recursive: true });
}, 600_000);

/** @returns the last turn that was acknowledged */
async function appendUntilKilled(dataDirectory: string, told: number): Promise<number> {
  const program = join(import.meta.dirname, "programs", "append-until-killed.ts");
  const child = spawn(
    process.execPath,
    ["--no-warnings", "--conditions=@loci/source", program, dataDirectory, String(told)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const closed = once(child, "close");
  let last = told;
  const wanted = 2 + Math.floor(Math.random() * 30);
  let lines = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (!/^\d+$/.test(line)) continue;
    last = Number(line);
    if (++lines === wanted) void setTimeout(Math.random() * 20).then(() => child.kill("SIGKILL"));
  }
  await closed;
  return last;
}
