import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crashCollection, crashSpace, crashTenant, surviveKills } from "@loci/store/conformance";
import { expect, test } from "vitest";
import { openEmbeddedStore } from "../src/index.ts";

/** More in the nightly run. */
const cycles = Number(process.env["LOCI_CRASH_CYCLES"] ?? 10);

test(`${cycles} kills while applying, merging, compacting and purging: nothing acknowledged is lost or twice`, async () => {
  const directory = await mkdtemp(join(tmpdir(), "embedded-"));
  const problems: unknown[] = [];
  const reached = await surviveKills({
    program: join(import.meta.dirname, "crash-worker.ts"),
    programArguments: [directory],
    cycles,
    milliseconds: (cycle) => 40 + (cycle % 10) * 35,
    open: async () => {
      const store = await openEmbeddedStore({
        directory,
        exactVectors: async () => new Map(),
        reportProblem: (problem) => problems.push(problem),
      });
      const vectors = await store.vectorStore.openCollection(crashCollection, crashSpace);
      const { documents } = await store.textIndex.statistics(crashTenant, []);
      let listed = 0;
      for await (const { version } of store.textIndex.refs(crashTenant)) listed += Math.sign(version);
      expect(documents).toBe(listed);
      return { projections: { vectors, texts: store.textIndex }, close: () => store.close() };
    },
  });
  expect(problems).toEqual([]);
  expect(Math.min(reached["vectors"] ?? 0, reached["texts"] ?? 0)).toBeGreaterThan(20 * cycles);
  await rm(directory, { recursive: true, force: true });
}, 3_600_000);
