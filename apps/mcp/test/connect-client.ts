import type { Loci, NonEmpty, ScopeText } from "@loci/loci";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { makeMcpServer } from "../src/mcp-server.ts";
import { RecentReceipts } from "../src/resources/recent-receipts.ts";
import type { ToolEnvironment } from "../src/tools/tool-environment.ts";

/** What the tools work with when Loci is in this process. */
export function environmentOf(loci: Loci, scopes: NonEmpty<ScopeText>): ToolEnvironment {
  return {
    connection: { run: (calls) => calls(loci) },
    scopes,
    principal: "tester",
    secret: new Uint8Array(32),
    receipts: new RecentReceipts(),
  };
}

/** The end of a connection to a server in this process that a client takes. */
export function serveInMemory(environment: ToolEnvironment): InMemoryTransport {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  serveStdio(() => makeMcpServer(environment, "1.2.3", false), { transport: serverSide });
  return clientSide;
}

/** A client as editors have it, of the protocol of 2026, beside the server in this process. */
export async function connectClient(loci: Loci, scopes: NonEmpty<ScopeText>): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(serveInMemory(environmentOf(loci, scopes)));
  // From here on the client checks results against the tools' schemas.
  await client.listTools();
  return client;
}
