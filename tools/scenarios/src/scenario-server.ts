import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiKeyEntry, createApiKey, defaultConfiguration, startServer } from "@loci/server";
import type { ScenarioClients } from "./scenario-clients.ts";

/** The clients of the scenario that only differ in their key. */
const keys = {
  /** Whom most steps are called by. */
  writer: { roles: ["read", "write", "approve"], scopes: ["*"] },
  reader: { roles: ["read"], scopes: ["*"] },
  admin: { roles: ["read", "write", "approve", "admin"], scopes: ["*"] },
  /** May touch what is of Alice, and nothing else. */
  alice: { roles: ["read", "write"], scopes: ["user:alice"] },
} as const satisfies Readonly<Record<string, Pick<ApiKeyEntry, "roles" | "scopes">>>;

export interface ScenarioServer extends AsyncDisposable {
  /** The clients for a program, in its own tenant. */
  clientsOf(program: string): ScenarioClients;
}

/** A server over an empty data directory, as Loci is without configuration, with a tenant for each program. */
export async function startScenarioServer(programs: readonly string[]): Promise<ScenarioServer> {
  const dataDirectory = mkdtempSync(join(tmpdir(), "loci-scenarios-"));
  const made = programs.map((program) => ({
    program,
    keys: Object.entries(keys).map(([client, rights]) => ({
      client,
      ...createApiKey({ id: `${program}-${client}`, tenant: program, subject: client, ...rights }),
    })),
  }));
  const server = await startServer(
    {
      ...defaultConfiguration,
      listen: { address: "127.0.0.1", port: 0 },
      dataDirectory,
      apiKeys: made.flatMap((each) => each.keys.map(({ entry }) => entry)),
    },
    { writeLog: () => {} },
  );
  const address = `127.0.0.1:${server.port}`;
  return {
    clientsOf(program) {
      const own = made.find((each) => each.program === program)?.keys ?? [];
      return {
        ...Object.fromEntries(own.map(({ client, key }) => [client, { address, apiKey: key }])),
        stranger: { address, apiKey: `loci_stranger_${"A".repeat(43)}` },
        nobody: { address },
      };
    },
    [Symbol.asyncDispose]: async () => {
      await server.close(0);
      rmSync(dataDirectory, { recursive: true });
    },
  };
}
