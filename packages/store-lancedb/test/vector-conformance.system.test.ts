import { vectorStoreConformance } from "@loci/store/conformance";
import { describe, test } from "vitest";
import { openTestStore } from "./lance-fixture.ts";

vectorStoreConformance(
  { describe, test },
  {
    name: "lancedb",
    open: async () => {
      let store = await openTestStore();
      return {
        store: store.vectorStore,
        reopen: async () => (store = await store.reopen()).vectorStore,
        destroy: () => store.destroy(),
      };
    },
  },
);
