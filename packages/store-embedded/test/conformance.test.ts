import { textIndexConformance, vectorStoreConformance } from "@loci/store/conformance";
import { describe, test } from "vitest";
import { openTestStore } from "./embedded-fixture.ts";

vectorStoreConformance(
  { describe, test },
  {
    name: "embedded",
    open: async () => {
      let current = await openTestStore();
      return {
        store: current.vectorStore,
        reopen: async () => {
          current = await current.reopen();
          return current.vectorStore;
        },
        destroy: () => current.destroy(),
      };
    },
  },
);

textIndexConformance(
  { describe, test },
  {
    name: "embedded",
    open: async () => {
      let current = await openTestStore();
      return {
        index: current.textIndex,
        reopen: async () => {
          current = await current.reopen();
          return current.textIndex;
        },
        destroy: () => current.destroy(),
      };
    },
  },
);
