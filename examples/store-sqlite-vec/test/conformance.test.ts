import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vectorStoreConformance } from "@loci/store/conformance";
import { describe, test } from "vitest";
import { openSqliteVecStore } from "@loci/example-store-sqlite-vec";

vectorStoreConformance(
  { describe, test },
  {
    name: "sqlite-vec",
    open: async () => {
      const directory = await mkdtemp(join(tmpdir(), "loci-sqlite-vec-"));
      const path = join(directory, "vectors.sqlite");
      let store = openSqliteVecStore({ path });
      return {
        store,
        reopen: async () => (store = openSqliteVecStore({ path })),
        destroy: async () => {
          await store.close();
          await rm(directory, { recursive: true, force: true });
        },
      };
    },
  },
);
