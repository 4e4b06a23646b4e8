// Loci on an adapter of your own. `npm start` in this folder runs it.
import { join } from "node:path";
import { openSqliteVecStore } from "@loci/example-store-sqlite-vec";
import { openLoci } from "@loci/loci";
import { openMemoryTextIndex } from "@loci/store-memory";

await using loci = await openLoci({
  tenant: "local",
  dataDirectory: ".loci/sqlite-vec",
  index: {
    kind: "custom",
    name: "sqlite-vec",
    open: async (directory) => {
      const vectorStore = openSqliteVecStore({ path: join(directory, "vectors.sqlite") });
      const textIndex = openMemoryTextIndex();
      return { vectorStore, textIndex, close: () => vectorStore.close() };
    },
  },
});

await loci.memories.remember({ text: "Deploys happen on Thursdays.", scope: "project:billing", category: "fact" });
await loci.settled();
const { hits } = await loci.recall({ query: "when do we deploy?", scopes: ["project:billing"], limit: 1 });
console.log(hits.map(({ memory, text }) => `${memory.id}: ${text}`));
