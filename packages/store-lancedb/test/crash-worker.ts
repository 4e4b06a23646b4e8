/** Applies, maintains and purges without end, until it is killed. */
import { applyUntilKilled, crashCollection, crashSpace } from "@loci/store/conformance";
import { openLanceStore } from "@loci/store-lancedb";

const store = await openLanceStore({ directory: process.argv[2] ?? "", exactRows: 300 });
const vectors = await store.vectorStore.openCollection(crashCollection, crashSpace);
await applyUntilKilled({ vectors, texts: store.textIndex });
