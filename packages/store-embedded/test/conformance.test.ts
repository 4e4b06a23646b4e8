import { textIndexConformance, vectorStoreConformance } from "@loci/store/conformance";
import { describe, test } from "vitest";
import { openTestStore } from "./embedded-fixture.ts";

/** As it is opened, and with segments so small that every case has many and merges them. */
for (const [name, options] of [
  ["embedded", {}],
  ["embedded, in small segments", { maxHeadRows: 8 }],
] as const) {
  vectorStoreConformance(
    { describe, test },
    {
      name,
      open: async () => {
        let current = await openTestStore(options);
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
      name,
      open: async () => {
        let current = await openTestStore(options);
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
}
