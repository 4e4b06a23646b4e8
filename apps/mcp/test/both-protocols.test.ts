import { type Loci } from "@loci/loci";
import { Client as Client2026, type Transport } from "@modelcontextprotocol/client";
import { Client as Client2025 } from "@modelcontextprotocol/sdk/client/index.js";
import { describe, expect, test } from "vitest";
import { environmentOf, serveInMemory } from "./connect-client.ts";
import { openForTheFile } from "./opened-loci.ts";

let loci: Loci;
openForTheFile((opened) => {
  loci = opened;
});

/** What the day's work of an editor needs of a client of either protocol. */
type AnyClient = Pick<Client2026, "listTools" | "listResources" | "listPrompts" | "readResource" | "close"> & {
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
};

const clients: readonly (readonly [string, (transport: Transport) => Promise<AnyClient>])[] = [
  [
    "2026-07-28",
    async (transport) => {
      const client = new Client2026({ name: "new", version: "1" }, { versionNegotiation: { mode: "auto" } });
      await client.connect(transport);
      expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
      return client;
    },
  ],
  [
    "2025-11-25",
    async (transport) => {
      const client = new Client2025({ name: "old", version: "1" });
      await client.connect(transport);
      return client as unknown as AnyClient;
    },
  ],
];

describe.each(clients)("a client of %s", (protocol, connect) => {
  test("works with the same tools, resources and prompts", async () => {
    const client = await connect(serveInMemory(environmentOf(loci, [`user:${protocol}`])));
    expect((await client.listTools()).tools).toHaveLength(9);
    expect((await client.listPrompts()).prompts).toHaveLength(3);
    const text = `Written by a client of ${protocol}.`;
    const remembered = await client.callTool({ name: "remember", arguments: { text } });
    expect(remembered).toMatchObject({ structuredContent: { scope: `user:${protocol}` } });
    expect(await client.callTool({ name: "recall", arguments: { query: "Who wrote it?" } })).toMatchObject({
      structuredContent: { memories: [{ text }] },
    });
    const [resource] = (await client.listResources()).resources;
    expect(await client.readResource({ uri: resource?.uri ?? "" })).toMatchObject({
      contents: [{ text: expect.stringContaining(text) }],
    });
    await client.close();
  });

  test("is told of arguments that are wrong by a result that its model can read", async () => {
    const client = await connect(serveInMemory(environmentOf(loci, ["global"])));
    expect(await client.callTool({ name: "recall", arguments: { query: 7 } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("query") }],
    });
    await client.close();
  });
});
