import type { IndexAdapter } from "@loci/store";

/** Exact, in this process, made anew at every start from the ledger. */
export const memoryIndexes: IndexAdapter<"memory", "process"> = {
  name: "memory",
  title: "memory",
  place: "process",
  ofEachServer: { vectors: true, text: true },
  notErased: [],
  settings: [],
  open: async () => {
    const { openMemoryTextIndex, openMemoryVectorStore } = await import("./index.ts");
    const vectorStore = openMemoryVectorStore();
    const textIndex = openMemoryTextIndex();
    return {
      vectorStore,
      textIndex,
      close: async () => {
        await vectorStore.close();
        await textIndex.close();
      },
    };
  },
  remove: async () => {},
};
