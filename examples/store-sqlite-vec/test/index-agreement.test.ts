import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CachedEmbedder, openLocalEmbedder } from "@loci/embedding";
import { indexAgreement } from "@loci/engine/conformance";
import { openSqliteVecStore } from "@loci/example-store-sqlite-vec";
import { openSqliteLedger } from "@loci/ledger-sqlite";
import { openMemoryTextIndex } from "@loci/store-memory";
import { describe, test } from "vitest";

indexAgreement(
  { describe, test },
  {
    name: "sqlite-vec",
    open: async () => {
      const directory = await mkdtemp(join(tmpdir(), "loci-sqlite-vec-"));
      const ledger = await openSqliteLedger({ directory });
      const vectorStore = openSqliteVecStore({ path: join(directory, "vectors.sqlite") });
      const textIndex = openMemoryTextIndex();
      const embedder = new CachedEmbedder({ embedder: await openLocalEmbedder() });
      return {
        ledger,
        vectorStore,
        textIndex,
        embedder,
        destroy: async () => {
          await vectorStore.close();
          await textIndex.close();
          await embedder.close();
          await ledger.close();
          await rm(directory, { recursive: true, force: true });
        },
      };
    },
  },
);
