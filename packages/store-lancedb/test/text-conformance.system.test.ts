import { textIndexConformance } from "@loci/store/conformance";
import { describe, test } from "vitest";
import { openTestStore } from "./lance-fixture.ts";

textIndexConformance(
  { describe, test },
  {
    name: "lancedb",
    open: async () => {
      let store = await openTestStore();
      return {
        index: store.textIndex,
        reopen: async () => (store = await store.reopen()).textIndex,
        destroy: () => store.destroy(),
      };
    },
  },
);
