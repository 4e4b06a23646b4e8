import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { memoryId } from "@loci/domain";
import { openLoci } from "@loci/loci";
import { expect, test } from "vitest";
import { Acknowledged, type ChangeLine } from "./acknowledged.ts";

/** More in the nightly run. */
const cycles = Number(process.env["LOCI_CRASH_CYCLES"] ?? 5);
/** Of what was acknowledged last, looked for by the next process; everything is at the end. */
const checkedByNext = 15;

interface Line extends ChangeLine {
  readonly missing?: string;
  readonly checked?: number;
  readonly findings?: number;
}

/** Kills one process after the other on one directory, and looks at what is left. @returns what was acknowledged */
async function killAgainAndAgain(kills: number): Promise<number> {
  const parent = await mkdtemp(join(tmpdir(), "loci-crash-"));
  const dataDirectory = join(parent, "data");
  const knownFile = join(parent, "known.json");
  const acknowledged = new Acknowledged();
  for (let cycle = 0; cycle < kills; cycle++) {
    await writeFile(knownFile, JSON.stringify(acknowledged.last(checkedByNext)));
    const lines = await changeUntilKilled(dataDirectory, cycle, knownFile);
    expect(lines.filter(({ missing }) => missing !== undefined)).toEqual([]);
    expect(lines.find(({ checked }) => checked !== undefined)?.findings).toBe(0);
    const before = acknowledged.count;
    acknowledged.take(lines);
    expect(acknowledged.count).toBeGreaterThan(before);
  }

  const loci = await openLoci({ tenant: "local", dataDirectory });
  const scopes = ["user:alice"] as const;
  for (const [id, word] of acknowledged.words) {
    const { hits } = await loci.recall({ query: `Where is ${word}?`, scopes });
    expect(hits[0]?.memory).toMatchObject({ id, text: `The key is under ${word}, as everybody knows.` });
  }
  for (const id of acknowledged.forgotten)
    await expect(loci.memories.get(memoryId(id))).rejects.toMatchObject({ reason: "MEMORY_NOT_FOUND" });
  expect((await loci.maintenance.verify()).findings).toEqual([]);
  await loci.close();
  await rm(parent, { recursive: true });
  return acknowledged.count;
}

async function changeUntilKilled(dataDirectory: string, cycle: number, knownFile: string): Promise<readonly Line[]> {
  const program = join(import.meta.dirname, "programs", "change-until-killed.ts");
  const child = spawn(
    process.execPath,
    ["--no-warnings", "--conditions=@loci/source", program, dataDirectory, String(cycle), knownFile],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const closed = once(child, "close");
  const lines: Line[] = [];
  const wanted = 2 + Math.floor(Math.random() * 30);
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.endsWith("}")) continue;
    lines.push(JSON.parse(line) as Line);
    // Whatever is under way then: a commit, its way into the index, or an answer.
    if (lines.length === wanted) void setTimeout(Math.random() * 20).then(() => child.kill("SIGKILL"));
  }
  await closed;
  return lines;
}

test(`${cycles} kills between ledger and index lose nothing that was acknowledged, and leave them in agreement`, async () => {
  // Two directories at a time.
  const half = Math.ceil(cycles / 2);
  const [one, other] = await Promise.all([killAgainAndAgain(half), killAgainAndAgain(cycles - half)]);
  expect(one + other).toBeGreaterThan(cycles);
  console.log(`${cycles} kills, ${one + other} acknowledged changes, none of them lost`);
}, 3_600_000);
