import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { indexAgreement } from "@loci/engine/conformance";
import { openSqliteLedger } from "@loci/ledger-sqlite";
import { openMemoryTextIndex, openMemoryVectorStore } from "@loci/store-memory";
import { describe, test } from "vitest";
import { WordEmbedder } from "./support/word-embedder.ts";

indexAgreement(
  { describe, test },
  {
    name: "memory",
    open: async () => {
      const directory = await mkdtemp(join(tmpdir(), "loci-agreement-"));
      const ledger = await openSqliteLedger({ directory });
      const vectorStore = openMemoryVectorStore();
      const textIndex = openMemoryTextIndex();
      return {
        ledger,
        vectorStore,
        textIndex,
        embedder: new WordEmbedder(),
        destroy: async () => {
          await Promise.all([vectorStore.close(), textIndex.close()]);
          await ledger.close();
          await rm(directory, { recursive: true, force: true });
        },
      };
    },
  },
);
