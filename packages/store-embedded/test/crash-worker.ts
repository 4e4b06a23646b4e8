/** Applies, maintains and purges without end, until it is killed. */
import { applyUntilKilled, crashCollection, crashSpace } from "@loci/store/conformance";
import { openEmbeddedStore } from "@loci/store-embedded";

const directory = process.argv[2] ?? "";
const store = await openEmbeddedStore({ directory, exactVectors: async () => new Map(), maxHeadRows: 40 });
const vectors = await store.vectorStore.openCollection(crashCollection, crashSpace);
await applyUntilKilled({ vectors, texts: store.textIndex });
