import { openMemoryTextIndex, openMemoryVectorStore } from "@loci/store-memory";
import { textIndexConformance, vectorStoreConformance } from "@loci/store/conformance";
import { describe, test } from "vitest";

vectorStoreConformance(
  { describe, test },
  {
    name: "memory",
    open: async () => {
      const store = openMemoryVectorStore();
      return { store, reopen: async () => openMemoryVectorStore(), destroy: () => store.close() };
    },
  },
);

textIndexConformance(
  { describe, test },
  {
    name: "memory",
    open: async () => {
      const index = openMemoryTextIndex();
      return { index, reopen: async () => openMemoryTextIndex(), destroy: () => index.close() };
    },
  },
);
