import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LociError, Sequence } from "@loci/domain";
import type { Projection } from "@loci/store";
import { openMemoryTextIndex } from "@loci/store-memory";
import { expect, test } from "vitest";
import { openLanceStore } from "../src/index.ts";
import { acme, changeAt, mainCollection, space } from "./sample-changes.ts";

/** More in the nightly run. */
const cycles = Number(process.env["LOCI_CRASH_CYCLES"] ?? 5);
/** Of vectors, in each cycle. */
const leastBatches = 3;

test(`${cycles} kills while applying and compacting: nothing acknowledged is lost, nothing is half there`, async () => {
  const directory = await mkdtemp(join(tmpdir(), "lancedb-"));
  const acknowledged = { vectors: 0, texts: 0 };
  for (let cycle = 0; cycle < cycles; cycle++) {
    await runAndKill(directory, acknowledged, 150 + (cycle % 5) * 390);
    const problems: LociError[] = [];
    const store = await openLanceStore({ directory, reportProblem: (problem) => problems.push(problem) });
    const vectors = await store.vectorStore.openCollection(mainCollection, space);
    // Killed while old files were being removed, a table begins anew and says so.
    for (const { message } of problems) expect(message).toContain("while its old files were being removed");
    const hasBegunAnew = (name: string): boolean => problems.some(({ resource }) => resource?.includes(name) === true);
    await expectState(vectors, hasBegunAnew("vectors-") ? 0 : acknowledged.vectors);
    await expectState(store.textIndex, hasBegunAnew("texts") ? 0 : acknowledged.texts);
    acknowledged.vectors = await vectors.checkpoint(acme);
    acknowledged.texts = await store.textIndex.checkpoint(acme);
    const { documents } = await store.textIndex.statistics(acme, ["all"]);
    expect(documents).toBe((await listed(store.textIndex)).length);
    await store.close();
  }
  expect(acknowledged.vectors + acknowledged.texts).toBeGreaterThan(100);
  await rm(directory, { recursive: true, force: true });
}, 3_600_000);

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
  const checkpoint = await projection.checkpoint(acme);
  expect(checkpoint).toBeGreaterThanOrEqual(acknowledged);
  const reference = openMemoryTextIndex();
  const changes = Array.from({ length: checkpoint }, (_, index) => changeAt(index + 1));
  await reference.apply(acme, changes, checkpoint);
  expect(await listed(projection)).toEqual(await listed(reference));
}

async function listed(projection: Projection): Promise<readonly string[]> {
  const rows: string[] = [];
  for await (const { ref, version } of projection.refs(acme)) rows.push(`${ref} ${version}`);
  return rows.toSorted();
}
