import { join } from "node:path";
import { openPgvectorStore } from "@loci/store-pgvector";
import { crashCollection, crashSpace, surviveKills } from "@loci/store/conformance";
import { missingNativePostgres } from "@loci/test-postgres";
import { describe, expect, test } from "vitest";
import { TestServer } from "./test-store.ts";

/** More in the nightly run. */
const cycles = Number(process.env["LOCI_CRASH_CYCLES"] ?? 4);

// PGlite has one connection, which a killed client may keep.
describe.skipIf(missingNativePostgres() !== undefined)("a server of Loci that dies", () => {
  test(`${cycles} kills while applying, vacuuming and purging: nothing acknowledged is lost, nothing is half there`, async () => {
    const server = await TestServer.start("native");
    const options = server.options({ index: "hnsw", exactRows: 30 });
    await (await openPgvectorStore(options)).close();
    const reached = await surviveKills({
      program: join(import.meta.dirname, "crash-worker.ts"),
      programArguments: [options.connectionString, options.schema ?? ""],
      cycles,
      milliseconds: (cycle) => 100 + (cycle % 5) * 170,
      open: async () => {
        const store = await openPgvectorStore(options);
        const vectors = await store.vectorStore.openCollection(crashCollection, crashSpace);
        return { projections: { vectors, texts: store.textIndex }, close: () => store.close() };
      },
    });
    expect(Math.min(reached["vectors"] ?? 0, reached["texts"] ?? 0)).toBeGreaterThan(10 * cycles);
    await server.database.drop();
  }, 3_600_000);
});
