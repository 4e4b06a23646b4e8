import type { Loci, NonEmpty, ScopeText } from "@loci/loci";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { makeMcpServer } from "../src/mcp-server.ts";

/** A client as editors have it, beside the server in this process. */
export async function connectClient(loci: Loci, scopes: NonEmpty<ScopeText>): Promise<Client> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1" });
  const connection = { run: <Result>(calls: (loci: Loci) => Promise<Result>) => calls(loci) };
  await makeMcpServer({ connection, scopes }, "1.2.3").connect(serverSide);
  await client.connect(clientSide);
  // From here on the client checks results against the tools' schemas.
  await client.listTools();
  return client;
}
