import { PassThrough } from "node:stream";
import { type Loci, LociError, type ScopeText } from "@loci/loci";
import { Client as Client2026 } from "@modelcontextprotocol/client";
import { Client as Client2025 } from "@modelcontextprotocol/sdk/client/index.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, describe, expect, test, vi } from "vitest";
import { LineTransport } from "../src/connection/line-transport.ts";
import { serveLines } from "../src/serve-mcp.ts";
import { environmentOf } from "./connect-client.ts";
import { openForTheFile } from "./opened-loci.ts";

let loci: Loci;
const serving: AsyncDisposable[] = [];
openForTheFile((opened) => {
  loci = opened;
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(serving.splice(0).map((one) => one[Symbol.asyncDispose]()));
});

/** An editor's end of two pipes to a server. */
function openPipes(scopes: readonly [ScopeText, ...ScopeText[]]): LineTransport {
  const [toServer, toEditor] = [new PassThrough(), new PassThrough()];
  serving.push(serveLines(environmentOf(loci, scopes), "1", { input: toServer, output: toEditor }));
  return new LineTransport(toEditor, toServer);
}

interface Editor {
  readonly heard: string[];
  subscribe(uri: string): Promise<() => Promise<unknown>>;
}

async function connect2026(scopes: readonly [ScopeText, ...ScopeText[]]): Promise<Editor> {
  const client = new Client2026({ name: "new", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const heard: string[] = [];
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => void heard.push(params.uri));
  await client.connect(openPipes(scopes));
  return {
    heard,
    subscribe: async (uri) => {
      const subscription = await client.listen({ resourceSubscriptions: [uri] });
      return () => subscription.close();
    },
  };
}

async function connect2025(scopes: readonly [ScopeText, ...ScopeText[]]): Promise<Editor> {
  const client = new Client2025({ name: "old", version: "1" });
  const heard: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
  await client.connect(openPipes(scopes));
  return {
    heard,
    subscribe: async (uri) => {
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    },
  };
}

describe.each([
  ["2026-07-28", connect2026],
  ["2025-11-25", connect2025],
])("an editor of %s", (protocol, connect) => {
  const scope: ScopeText = `user:${protocol}`;
  const uri = `loci://scope/user/${protocol}`;

  test("hears of what it has subscribed to, and of nothing else, until it ends that", async () => {
    const watch = vi.spyOn(loci.memories, "watch");
    const editor = await connect([scope, "project:other"]);
    expect(watch).not.toHaveBeenCalled();
    const end = await editor.subscribe(uri);
    await vi.waitUntil(() => watch.mock.calls.length > 0);
    await loci.memories.remember({ text: "Elsewhere.", scope: "project:other" });
    await loci.memories.remember({ text: "Bob's.", scope: "user:bob" });
    const { id } = await loci.memories.remember({ text: "Here.", scope });
    await vi.waitUntil(() => editor.heard.length > 0);
    expect(new Set(editor.heard)).toEqual(new Set([uri]));
    const endOther = await editor.subscribe(`loci://memory/${id}`);
    editor.heard.length = 0;
    await loci.memories.forget(id);
    await vi.waitUntil(() => new Set(editor.heard).size === 2);
    expect(new Set(editor.heard)).toEqual(new Set([uri, `loci://memory/${id}`]));

    const signal = watch.mock.calls[0]?.[1]?.signal;
    expect(signal?.aborted).toBe(false);
    await Promise.all([end(), endOther()]);
    await vi.waitUntil(() => signal?.aborted === true);
    editor.heard.length = 0;
    await loci.memories.remember({ text: "Unheard.", scope });
    expect(editor.heard).toEqual([]);
  });

  test("hears on when the watch broke, and of everything when nobody knows what was missed", async () => {
    const watch = vi.spyOn(loci.memories, "watch");
    const failures = [
      new LociError("SERVER_UNAVAILABLE", { message: "Gone." }),
      new LociError("CURSOR_EXPIRED", { message: "Restored." }),
    ];
    for (const failure of failures)
      watch.mockImplementationOnce(() => {
        throw failure;
      });
    const editor = await connect([scope]);
    await editor.subscribe(uri);
    await vi.waitUntil(() => editor.heard.length === 1, { timeout: 10_000 });
    await vi.waitUntil(() => watch.mock.calls.length === 3, { timeout: 10_000 });
    await loci.memories.remember({ text: "After that.", scope });
    await vi.waitUntil(() => editor.heard.length > 1);
    expect(new Set(editor.heard)).toEqual(new Set([uri]));
  });

  test("that goes away leaves nothing that watches", async () => {
    const watch = vi.spyOn(loci.memories, "watch");
    const editor = await connect([scope]);
    await editor.subscribe(uri);
    await vi.waitUntil(() => watch.mock.calls.length > 0);
    await serving.pop()?.[Symbol.asyncDispose]();
    expect(watch.mock.calls[0]?.[1]?.signal?.aborted).toBe(true);
  });
});
