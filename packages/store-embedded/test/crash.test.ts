import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sequence } from "@loci/domain";
import type { Projection } from "@loci/store";
import { openMemoryTextIndex } from "@loci/store-memory";
import { expect, test } from "vitest";
import { openEmbeddedStore } from "../src/index.ts";
import { changeAt, crashCollection, crashSpace, crashTenant } from "./crash-worker.ts";

const cycles = 10;
/** Of vectors, in each cycle. */
const leastBatches = 6;

test("kill -9 while applying, turning logs into segments and merging: nothing acknowledged is lost", async () => {
  const directory = await mkdtemp(join(tmpdir(), "embedded-"));
  const acknowledged = { vectors: 0, texts: 0 };
  const problems: unknown[] = [];
  for (let cycle = 0; cycle < cycles; cycle++) {
    await runAndKill(directory, acknowledged, 40 + cycle * 35);
    const store = await openEmbeddedStore({
      directory,
      exactVectors: async () => new Map(),
      reportProblem: (problem) => problems.push(problem),
    });
    const vectors = await store.vectorStore.openCollection(crashCollection, crashSpace);
    await expectState(vectors, acknowledged.vectors);
    await expectState(store.textIndex, acknowledged.texts);
    const { documents } = await store.textIndex.statistics(crashTenant, ["all"]);
    expect(documents).toBe((await listed(store.textIndex)).length);
    await store.close();
  }
  expect(problems).toEqual([]);
  expect(acknowledged.vectors).toBeGreaterThan(400);
  const files = await readdir(directory, { recursive: true });
  expect(files.filter((file) => file.includes("segment-")).length).toBeGreaterThan(1);
  await rm(directory, { recursive: true, force: true });
}, 120_000);

/** Lets the child work for a while and acknowledge something, kills it, and notes what it acknowledged. */
async function runAndKill(
  directory: string,
  acknowledged: { vectors: Sequence; texts: Sequence },
  milliseconds: number,
): Promise<void> {
  const child = spawn(
    process.execPath,
    [
      "--conditions=@loci/source",
      "--disable-warning=ExperimentalWarning",
      join(import.meta.dirname, "crash-worker.ts"),
      directory,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let output = "";
  let timer: NodeJS.Timeout | undefined;
  let isTime = false;
  const killWhenDue = (): void => {
    // A busy machine may have let it do nothing in that time.
    if (isTime && output.split("vectors").length > leastBatches) child.kill("SIGKILL");
  };
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    timer ??= setTimeout(() => {
      isTime = true;
      killWhenDue();
    }, milliseconds);
    killWhenDue();
  });
  const signal = await new Promise((resolve) => child.on("close", (_, signal) => resolve(signal)));
  expect(signal).toBe("SIGKILL");
  // The last line may be cut short.
  for (const line of output.split("\n").slice(0, -1)) {
    const [name, sequence] = line.split(" ");
    acknowledged[name as "vectors" | "texts"] = Number(sequence);
  }
}

/** The checkpoint is at least what was acknowledged, and the rows are those of exactly that checkpoint. */
async function expectState(projection: Projection, acknowledged: Sequence): Promise<void> {
  const checkpoint = await projection.checkpoint(crashTenant);
  expect(checkpoint).toBeGreaterThanOrEqual(acknowledged);
  const reference = openMemoryTextIndex();
  const changes = Array.from({ length: checkpoint }, (_, index) => changeAt(index + 1));
  await reference.apply(crashTenant, changes, checkpoint);
  expect(await listed(projection)).toEqual(await listed(reference));
}

async function listed(projection: Projection): Promise<readonly string[]> {
  const rows: string[] = [];
  for await (const { ref, version } of projection.refs(crashTenant)) rows.push(`${ref} ${version}`);
  return rows.toSorted();
}
