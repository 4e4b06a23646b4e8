import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { openLoci } from "@loci/loci";
import { expect, test } from "vitest";
import { saidBefore } from "./said-runs.ts";

/** More in the nightly run. */
const kills = Number(process.env["LOCI_APPEND_KILLS"] ?? 5);

test(`${kills} kills while runs are kept, each repeated by another process, keep and capture none twice and lose none`, async () => {
  const parent = await mkdtemp(join(tmpdir(), "loci-runs-"));
  const dataDirectory = join(parent, "data");
  let told = 0;
  // Whose answer was lost is asked again, by a process that knows nothing of the first time.
  for (let kill = 0; kill < kills; kill++) told = await finishUntilKilled(dataDirectory, Math.max(1, told));
  await using loci = await openLoci({ tenant: "local", dataDirectory });
  const session = { scope: "user:ann", id: "talk" } as const;
  const contents: string[] = [];
  for (let first = 1, last = Infinity; first <= last; first = contents.length + 1) {
    const page = await loci.sessions.turns(session, { first, pageSize: 1_000 });
    contents.push(...page.turns.map(({ content }) => content));
    last = page.lastTurn;
  }
  const expected = saidBefore(told + 3).map(({ content }) => content);
  expect(contents.length).toBeGreaterThanOrEqual(saidBefore(told + 1).length);
  expect(contents).toEqual(expected.slice(0, contents.length));

  await loci.settled();
  const captured: number[] = [];
  for (let pageToken: string | undefined, isFirst = true; isFirst || pageToken !== undefined; isFirst = false) {
    const page = await loci.captures.list({ session, pageSize: 1_000, pageToken });
    for (const { turns } of page.captures) for (let turn = turns.first; turn <= turns.last; turn++) captured.push(turn);
    pageToken = page.nextPageToken;
  }
  expect(captured.toSorted((left, right) => left - right)).toEqual(contents.map((_, index) => index + 1));
  await loci.close();
  await rm(parent, { recursive: true });
}, 600_000);

/** @returns the last run that was kept for all one knew */
async function finishUntilKilled(dataDirectory: string, first: number): Promise<number> {
  const program = join(import.meta.dirname, "programs", "finish-until-killed.ts");
  const child = spawn(
    process.execPath,
    ["--no-warnings", "--conditions=@loci/source", program, dataDirectory, String(first)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const closed = once(child, "close");
  let last = first - 1;
  const wanted = first + 1 + Math.floor(Math.random() * 20);
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    if (last === wanted) void setTimeout(Math.random() * 30).then(() => child.kill("SIGKILL"));
  }
  await closed;
  return last;
}
