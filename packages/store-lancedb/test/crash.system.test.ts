import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LociError } from "@loci/domain";
import { crashCollection, crashSpace, crashTenant, surviveKills } from "@loci/store/conformance";
import { expect, test } from "vitest";
import { openLanceStore } from "../src/index.ts";

/** More in the nightly run. */
const cycles = Number(process.env["LOCI_CRASH_CYCLES"] ?? 5);

test(`${cycles} kills while applying, compacting and purging: nothing acknowledged is lost, nothing is half there`, async () => {
  const directory = await mkdtemp(join(tmpdir(), "lancedb-"));
  await surviveKills({
    program: join(import.meta.dirname, "crash-worker.ts"),
    programArguments: [directory],
    cycles,
    milliseconds: (cycle) => 150 + (cycle % 5) * 390,
    open: async () => {
      const problems: LociError[] = [];
      const store = await openLanceStore({ directory, reportProblem: (problem) => problems.push(problem) });
      const vectors = await store.vectorStore.openCollection(crashCollection, crashSpace);
      // Killed while old files were being removed, a table begins anew and says so.
      for (const { message } of problems) expect(message).toContain("while its old files were being removed");
      const isOf = (name: string) => problems.some(({ resource }) => resource?.includes(name) === true);
      const begunAgain = new Set([...(isOf("vectors-") ? ["vectors"] : []), ...(isOf("texts") ? ["texts"] : [])]);
      const { documents } = await store.textIndex.statistics(crashTenant, []);
      let listed = 0;
      for await (const { version } of store.textIndex.refs(crashTenant)) listed += Math.sign(version);
      expect(documents).toBe(listed);
      return { projections: { vectors, texts: store.textIndex }, begunAgain, close: () => store.close() };
    },
  });
  await rm(directory, { recursive: true, force: true });
}, 3_600_000);
