/** Applies changes without end and says how far it has come, until it is killed. */
import { memoryId, tenantId } from "@loci/domain";
import { collectionId, type IndexChange } from "@loci/store";
import { openEmbeddedStore } from "@loci/store-embedded";

export const crashTenant = tenantId("crash");
export const crashSpace = { provider: "test", model: "crash", dimensions: 16, version: "1" };
export const crashCollection = collectionId("main");
export const rowsPerBatch = 7;

/** The changes that stand at `sequence` in the log: every fifth deletes an older row, some replace one. */
export function changeAt(sequence: number): IndexChange {
  const number = sequence % 3 === 0 ? Math.floor(sequence / 3) : sequence;
  const ref = memoryId(`00000000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`);
  if (sequence % 5 === 0) return { type: "delete", ref, version: sequence };
  const vector = new Float32Array(16);
  vector[sequence % 16] = 1;
  return {
    type: "upsert",
    ref,
    version: sequence,
    scope: { kind: "user", id: `u${sequence % 4}` },
    fields: { category: sequence % 2 === 0 ? "fact" : "note" },
    vectors: [vector],
    terms: new Map([
      ["all", 1],
      [`word${sequence % 10}`, 1 + (sequence % 3)],
    ]),
  };
}

const [, script, directory] = process.argv;
if (directory !== undefined && script === import.meta.filename) {
  const store = await openEmbeddedStore({ directory, exactVectors: async () => new Map(), maxHeadRows: 40 });
  const collection = await store.vectorStore.openCollection(crashCollection, crashSpace);
  const projections = { vectors: collection, texts: store.textIndex };
  await Promise.all(
    Object.entries(projections).map(async ([name, projection]) => {
      let through = await projection.checkpoint(crashTenant);
      for (;;) {
        const first = through + 1;
        const changes = Array.from({ length: rowsPerBatch }, (_, index) => changeAt(first + index));
        await projection.apply(crashTenant, changes, through + rowsPerBatch);
        through += rowsPerBatch;
        process.stdout.write(`${name} ${through}\n`);
      }
    }),
  );
}
