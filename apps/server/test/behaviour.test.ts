import { tmpdir } from "node:os";
import { join } from "node:path";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connectLoci } from "@loci/client";
import { behaviourMetadata, lociBehaviour } from "@loci/engine/conformance";
import { type Loci, openEngine, type Principal, tenantId } from "@loci/loci";
import { deterministicEmbedder } from "@loci/embedding/testing";
import { afterAll, beforeAll, describe, test } from "vitest";
import { printApiKey, type RunningServer, startServer } from "../src/index.ts";
import { testConfiguration, testKey } from "./test-server.ts";

// One server for all: each principal gets a key of its own, which is taken in while the others work.
const folder = mkdtempSync(join(tmpdir(), "loci-behaviour-"));
const keyFile = join(folder, "keys.toml");
let server: RunningServer;
let installations = 0;
const connected: Loci[] = [];

beforeAll(async () => {
  writeFileSync(keyFile, "");
  const { entry } = testKey();
  const configuration = testConfiguration(
    { apiKeys: [entry], dataDirectory: join(folder, "data"), index: {} },
    { callsPerSecond: 0 },
  );
  server = await startServer(configuration, {
    openEngine: (options) =>
      openEngine({ ...options, embedder: deterministicEmbedder(), metadataFields: behaviourMetadata }),
    keyFile,
    keyFileInterval: 3_600_000,
    writeLog: () => undefined,
    healthInterval: 60_000,
  });
});
afterAll(async () => {
  await server.close(0);
  rmSync(folder, { recursive: true });
});

function connectAs({ tenant, subject, roles, scopePatterns }: Principal): Loci {
  const { key, entry } = testKey({ tenant, subject, roles, scopes: scopePatterns });
  appendFileSync(keyFile, printApiKey(entry));
  server.reload();
  const loci = connectLoci({ address: server.address, apiKey: key });
  connected.push(loci);
  return loci;
}

lociBehaviour(
  { describe, test },
  {
    name: "over gRPC",
    open: async () => {
      const installation = ++installations;
      return {
        as: async (principal) => connectAs({ ...principal, tenant: tenantId(`${installation}:${principal.tenant}`) }),
        destroy: async () => {
          await Promise.all(connected.splice(0).map((loci) => loci.close()));
        },
      };
    },
  },
);
