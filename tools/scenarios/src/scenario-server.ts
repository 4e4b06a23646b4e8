import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiKeyEntry, createApiKey, defaultConfiguration, startServer } from "@loci/server";
import { type Fate, type FaultyProxy, startFaultyProxy } from "./faulty-proxy.ts";
import { startNewerServer } from "./newer-server.ts";
import type { ScenarioClients } from "./scenario-clients.ts";

type Rights = Pick<ApiKeyEntry, "roles" | "scopes" | "expiresAt"> & { readonly isOther?: boolean };

const everything = { roles: ["read", "write", "approve", "admin"], scopes: ["*"] } as const;

/** The clients of the scenario that only differ in their key. */
const keys: Readonly<Record<string, Rights>> = {
  /** Whom most steps are called by. */
  writer: { roles: ["read", "write", "approve"], scopes: ["*"] },
  reader: { roles: ["read"], scopes: ["*"] },
  admin: everything,
  /** May touch what is of Alice, and nothing else. */
  alice: { roles: ["read", "write"], scopes: ["user:alice"] },
  expired: { ...everything, expiresAt: Date.UTC(2026, 0, 1) },
  /** Of another tenant. */
  other: { ...everything, isOther: true },
};

/** No system gives port 1 away, while one that was only free for a moment may soon be a server's that runs beside this one. */
const addressOfNobody = "127.0.0.1:1";

/** Lives longer than the pauses of a call together. */
const longLived: Fate = { kind: "dropped-after", answers: 8, milliseconds: 2_000 };
const droppedBefore: Fate = { kind: "dropped-before", answers: 8 };

/**
 * What the connections of the client `faulty` come to, one after the other, behind one that is dropped before an answer. A call
 * is sent five times at most, and while a connection is refused it may be sent twice: so a long one comes behind every two.
 */
const fates: readonly Fate[] = [
  { kind: "refused" },
  { kind: "delayed", milliseconds: 20, answers: 8 },
  longLived,
  droppedBefore,
  longLived,
];

export interface ScenarioServer extends AsyncDisposable {
  /** The proxy between the client `faulty` of a program and the server. */
  faultyProxyOf(program: string): FaultyProxy;
  /** The clients for a program, in its own tenant. */
  clientsOf(program: string): ScenarioClients;
}

/**
 * A server over an empty data directory, as Loci is without configuration, with a tenant for each program.
 *
 * @param workers processes that tenants are spread over. Default 1
 */
export async function startScenarioServer(programs: readonly string[], workers = 1): Promise<ScenarioServer> {
  const dataDirectory = mkdtempSync(join(tmpdir(), "loci-scenarios-"));
  const made = programs.flatMap((program) =>
    Object.entries(keys).map(([client, { isOther = false, ...rights }]) => ({
      program,
      client,
      ...createApiKey({
        id: `${program}-${client}`,
        tenant: isOther ? `${program}-other` : program,
        subject: client,
        ...rights,
      }),
    })),
  );
  const server = await startServer(
    {
      ...defaultConfiguration,
      listen: { address: "127.0.0.1", port: 0 },
      dataDirectory,
      workers,
      apiKeys: made.map(({ entry }) => entry),
    },
    { writeLog: () => {} },
  );
  const faultyProxies = new Map<string, FaultyProxy>();
  for (const program of programs)
    faultyProxies.set(program, await startFaultyProxy(server.port, fates, [droppedBefore]));
  const silentProxy = await startFaultyProxy(server.port, [{ kind: "silent" }]);
  const newerServer = await startNewerServer();
  const address = `127.0.0.1:${server.port}`;
  const faultyProxyOf = (program: string): FaultyProxy => {
    const proxy = faultyProxies.get(program);
    if (proxy === undefined) throw new Error(`${program} was not named when the server was started`);
    return proxy;
  };
  return {
    faultyProxyOf,
    clientsOf(program) {
      const own = new Map(made.filter((each) => each.program === program).map(({ client, key }) => [client, key]));
      const writer = own.get("writer") ?? "";
      return {
        ...Object.fromEntries(Array.from(own, ([client, apiKey]) => [client, { address, apiKey }])),
        stranger: { address, apiKey: `loci_stranger_${"A".repeat(43)}` },
        nobody: { address },
        gone: { address: addressOfNobody, apiKey: writer },
        slow: { address: silentProxy.address, apiKey: writer },
        faulty: { address: faultyProxyOf(program).address, apiKey: writer },
        newer: { address: newerServer.address, apiKey: writer },
      };
    },
    [Symbol.asyncDispose]: async () => {
      for (const proxy of faultyProxies.values()) proxy[Symbol.dispose]();
      silentProxy[Symbol.dispose]();
      newerServer[Symbol.dispose]();
      await server.close(0);
      rmSync(dataDirectory, { recursive: true });
    },
  };
}
