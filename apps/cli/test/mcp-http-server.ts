import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectLoci } from "@loci/client";
import type { Loci, Role } from "@loci/loci";
import { serveMcpHttp, type ServeMcpHttpOptions } from "@loci/mcp/http";
import { createApiKey, defaultConfiguration, printApiKey, startServer } from "@loci/server";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, vi } from "vitest";

/** Real servers of Loci and of MCP over HTTP, on free ports. */
export interface HttpServer extends AsyncDisposable {
  readonly url: URL;
  /** API keys by their names. */
  readonly keys: Readonly<Record<KeyName, string>>;
  /** Takes a key out of the file of the Loci server, and waits until it is refused there. */
  revoke(key: KeyName): Promise<void>;
  /** Loci itself, with a key. */
  loci(key: KeyName): Loci;
  /** A client of the protocol of 2026. */
  connect(bearer: string, ...how: ConstructorParameters<typeof Client>[1][]): Promise<Client>;
}

/** `acme` may do everything in its tenant, `writer` only read and write there; `other` is of another tenant. */
export type KeyName = "acme" | "writer" | "other";

const everything: readonly Role[] = ["read", "write", "approve", "admin"];

interface HttpServerOptions extends Partial<Omit<ServeMcpHttpOptions, "oauth">> {
  readonly oauth?: (keys: Readonly<Record<KeyName, string>>) => ServeMcpHttpOptions["oauth"];
}

export async function startHttpServer({ oauth, ...options }: HttpServerOptions = {}): Promise<HttpServer> {
  const dataDirectory = mkdtempSync(join(tmpdir(), "loci-mcp-http-"));
  const made = {
    acme: createApiKey({ id: "acme", tenant: "acme", roles: everything, scopes: ["*"] }),
    writer: createApiKey({ id: "writer", tenant: "acme", roles: ["read", "write"], scopes: ["*"] }),
    other: createApiKey({ id: "other", tenant: "other", roles: everything, scopes: ["*"] }),
  };
  const keyFile = join(dataDirectory, "keys.toml");
  const entries = new Map(Object.entries(made).map(([name, { entry }]) => [name, printApiKey(entry)]));
  const writeKeys = (): void => writeFileSync(keyFile, [...entries.values()].join("\n"));
  writeKeys();
  const server = await startServer(
    {
      ...defaultConfiguration,
      listen: { address: "127.0.0.1", port: 0 },
      dataDirectory,
      // So few that connections which are left open are missed soon.
      limits: { ...defaultConfiguration.limits, maxConnections: 64 },
      apiKeys: Object.values(made).map(({ entry }) => entry),
    },
    { writeLog: () => undefined, keyFile, keyFileInterval: 20 },
  );
  const keys = { acme: made.acme.key, writer: made.writer.key, other: made.other.key };
  const end = new AbortController();
  const { promise: listening, resolve } = Promise.withResolvers<string>();
  const served = serveMcpHttp({
    address: "127.0.0.1",
    port: 0,
    scopes: ["user:ann", "project:kiln"],
    locateServer: async () => ({ address: server.address }),
    version: "1.2.3",
    signal: end.signal,
    onListening: resolve,
    oauth: oauth?.(keys),
    ...options,
  });
  const stopLoci = async (): Promise<void> => {
    await server.close(0);
    rmSync(dataDirectory, { recursive: true, force: true });
  };
  const url = new URL(
    await Promise.race([listening, served.then(() => "")]).catch(async (error: unknown) => {
      await stopLoci();
      throw error;
    }),
  );
  const opened: AsyncDisposable[] = [];
  return {
    url,
    keys,
    revoke: async (key) => {
      const loci = connectLoci({ address: server.address, apiKey: keys[key] });
      opened.push(loci);
      entries.delete(key);
      writeKeys();
      await vi.waitFor(() => expect(loci.caller()).rejects.toMatchObject({ reason: "CREDENTIAL_INVALID" }), 10_000);
    },
    loci: (key) => {
      const loci = connectLoci({ address: server.address, apiKey: keys[key] });
      opened.push(loci);
      return loci;
    },
    connect: async (bearer, how = { versionNegotiation: { mode: "auto" } }) => {
      const client = new Client({ name: "test", version: "1" }, how);
      await client.connect(
        new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${bearer}` } } }),
      );
      opened.push({ [Symbol.asyncDispose]: () => client.close() });
      return client;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(opened.map((one) => one[Symbol.asyncDispose]()));
      end.abort();
      await served;
      await stopLoci();
    },
  };
}
