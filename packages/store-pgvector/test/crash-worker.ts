/** Applies, maintains and purges without end, until it is killed. */
import { applyUntilKilled, crashCollection, crashSpace } from "@loci/store/conformance";
import { openPgvectorStore } from "@loci/store-pgvector";

const [, , connectionString = "", schema = ""] = process.argv;
const store = await openPgvectorStore({ connectionString, schema, maxConnections: 4, index: "hnsw", exactRows: 30 });
const vectors = await store.vectorStore.openCollection(crashCollection, crashSpace);
await applyUntilKilled({ vectors, texts: store.textIndex });
