/** Applies changes without end and says how far it has come, until it is killed. */
import { openLanceStore } from "@loci/store-lancedb";
import { acme, changeAt, mainCollection, space } from "./sample-changes.ts";

const rowsPerBatch = 7;
const directory = process.argv[2] ?? "";
const store = await openLanceStore({ directory, exactRows: 300 });
const collection = await store.vectorStore.openCollection(mainCollection, space);
await Promise.all(
  Object.entries({ vectors: collection, texts: store.textIndex }).map(async ([name, projection]) => {
    let through = await projection.checkpoint(acme);
    for (;;) {
      const first = through + 1;
      const changes = Array.from({ length: rowsPerBatch }, (_, index) => changeAt(first + index));
      await projection.apply(acme, changes, through + rowsPerBatch);
      through += rowsPerBatch;
      process.stdout.write(`${name} ${through}\n`);
    }
  }),
);
