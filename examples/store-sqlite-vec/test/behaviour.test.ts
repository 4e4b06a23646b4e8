import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { behaviourMetadata, behaviourReceipts, lociBehaviour } from "@loci/engine/conformance";
import { openSqliteVecStore } from "@loci/example-store-sqlite-vec";
import { type OpenedEngine, openEngine, tenantId } from "@loci/loci";
import { openMemoryTextIndex } from "@loci/store-memory";
import { afterAll, beforeAll, describe, test } from "vitest";

let dataDirectory: string;
let engine: OpenedEngine;
let installations = 0;
beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "loci-sqlite-vec-"));
  engine = await openEngine({
    dataDirectory,
    metadataFields: behaviourMetadata,
    receipts: behaviourReceipts,
    index: {
      kind: "custom",
      name: "sqlite-vec",
      open: async (directory) => {
        const vectorStore = openSqliteVecStore({ path: join(directory, "vectors.sqlite") });
        return { vectorStore, textIndex: openMemoryTextIndex(), close: () => vectorStore.close() };
      },
    },
  });
});
afterAll(async () => {
  await engine.close();
  await rm(dataDirectory, { recursive: true, force: true });
});

lociBehaviour(
  { describe, test },
  {
    name: "on sqlite-vec",
    open: async () => {
      const installation = ++installations;
      return {
        as: async (principal) => engine.for({ ...principal, tenant: tenantId(`${installation}:${principal.tenant}`) }),
        destroy: async () => {},
      };
    },
  },
);
