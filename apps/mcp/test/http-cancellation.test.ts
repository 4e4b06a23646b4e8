import { request } from "node:http";
import { type CallOptions, type Loci, LociError, type RecallResult } from "@loci/loci";
import { afterEach, expect, test, vi } from "vitest";
import { CallerConnection } from "../src/http/caller-connection.ts";
import { serveMcpHttp } from "../src/http/index.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const call = { name: "recall", arguments: { query: "x" } };
const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

test.each([
  ["2026-07-28", { ...call, _meta: envelope }],
  ["2025-11-25", call],
])("a caller of %s who goes away in the middle of a call stops its work", async (protocol, params) => {
  const started = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<string>();
  const loci = {
    tokens: { count: async () => ({ tokens: 0 }) },
    recall: (_request: unknown, options?: CallOptions) => {
      started.resolve();
      return new Promise<RecallResult>((_, reject) => {
        options?.signal?.addEventListener("abort", () => {
          stopped.resolve("stopped");
          reject(new LociError("CANCELLED", { message: "Cancelled." }));
        });
      });
    },
  } as unknown as Loci;
  vi.spyOn(CallerConnection.prototype, "run").mockImplementation((calls) => calls(loci));
  const end = new AbortController();
  const listening = Promise.withResolvers<string>();
  const served = serveMcpHttp({
    address: "127.0.0.1",
    port: 0,
    scopes: ["global"],
    locateServer: () => Promise.reject(new Error("nobody")),
    version: "1",
    signal: end.signal,
    onListening: listening.resolve,
  });
  const sent = request(await listening.promise, {
    method: "POST",
    headers: {
      authorization: "Bearer key",
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": protocol,
      "mcp-method": "tools/call",
      "mcp-name": "recall",
    },
  }).on("error", () => undefined);
  sent.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
  await started.promise;
  sent.destroy();
  expect(await stopped.promise).toBe("stopped");
  end.abort();
  await served;
});

test("the server that answers is looked for before anybody calls: who has no key yet finds it in its directory", async () => {
  const end = new AbortController();
  const locateServer = vi.fn<() => Promise<never>>(() => Promise.reject(new Error("nobody")));
  const served = serveMcpHttp({
    address: "127.0.0.1",
    port: 0,
    scopes: ["global"],
    locateServer,
    version: "1",
    signal: end.signal,
  });
  try {
    await vi.waitFor(() => expect(locateServer).toHaveBeenCalled());
  } finally {
    end.abort();
    await served;
  }
});
