import { openMemoryTextIndex, openMemoryVectorStore } from "@loci/store-memory";
import { textIndexConformance, vectorStoreConformance } from "@loci/store/conformance";
import { describe, test } from "vitest";
import { lesserStore } from "./lesser-store.ts";

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

// Not a product: shows that the suite follows what a store declares.
vectorStoreConformance(
  { describe, test },
  {
    name: "with fewer capabilities",
    open: async () => {
      const inner = openMemoryVectorStore();
      return { store: lesserStore(inner), reopen: async () => lesserStore(inner), destroy: () => inner.close() };
    },
  },
);
