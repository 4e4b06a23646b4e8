import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CachedEmbedder, openLocalEmbedder } from "@loci/embedding";
import { indexAgreement } from "@loci/engine/conformance";
import { openSqliteLedger } from "@loci/ledger-sqlite";
import { describe, test } from "vitest";
import { indexKinds } from "../src/indexes/index-choice.ts";
import { openIndexes } from "../src/indexes/open-indexes.ts";

for (const kind of indexKinds)
  indexAgreement(
    { describe, test },
    {
      name: kind,
      open: async () => {
        const directory = await mkdtemp(join(tmpdir(), "loci-agreement-"));
        const ledger = await openSqliteLedger({ directory });
        const indexes = await openIndexes(kind, { directory, ledger, reportProblem: () => undefined });
        const embedder = new CachedEmbedder({ embedder: await openLocalEmbedder() });
        return {
          ledger,
          vectorStore: indexes.vectorStore,
          textIndex: indexes.textIndex,
          embedder,
          destroy: async () => {
            await indexes.close();
            await embedder.close();
            await ledger.close();
            await rm(directory, { recursive: true, force: true });
          },
        };
      },
    },
  );
