import { tmpdir } from "node:os";
import { join } from "node:path";
import { mkdtempSync, rmSync } from "node:fs";
import { connectLoci } from "@loci/client";
import { behaviourMetadata, lociBehaviour } from "@loci/engine/conformance";
import { type Loci, type OpenedEngine, openEngine, type Principal, tenantId } from "@loci/loci";
import { deterministicEmbedder } from "@loci/embedding/testing";
import { afterAll, beforeAll, describe, test } from "vitest";
import { type RunningServer, startServer } from "../src/index.ts";
import { testConfiguration, testKey } from "./test-server.ts";

// One engine for all; each principal gets a server with a key of its own, because a server's keys are fixed.
let engine: OpenedEngine;
let installations = 0;
const servers: RunningServer[] = [];

beforeAll(async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), "loci-behaviour-"));
  engine = await openEngine({
    dataDirectory,
    embedder: deterministicEmbedder(),
    metadataFields: behaviourMetadata,
  });
});
afterAll(async () => {
  await engine.close();
  rmSync(engine.dataDirectory, { recursive: true });
});

async function connectAs({ tenant, subject, roles, scopePatterns }: Principal): Promise<Loci> {
  const { key, entry } = testKey({ tenant, subject, roles, scopes: scopePatterns });
  const server = await startServer(testConfiguration({ apiKeys: [entry] }, { keepaliveSeconds: 3_600 }), {
    openEngine: async () => ({ ...engine, close: async () => undefined }),
    writeLog: () => undefined,
    healthInterval: 60_000,
  });
  servers.push(server);
  return connectLoci({ address: server.address, apiKey: key });
}

lociBehaviour(
  { describe, test },
  {
    name: "over gRPC",
    open: async () => {
      const installation = ++installations;
      return {
        as: (principal) => connectAs({ ...principal, tenant: tenantId(`${installation}:${principal.tenant}`) }),
        destroy: async () => {
          await Promise.all(servers.splice(0).map((server) => server.close(0)));
        },
      };
    },
  },
);
