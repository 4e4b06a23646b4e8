import { request } from "node:http";
import { type CallOptions, type Loci, LociError, type RecallResult } from "@loci/loci";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { CallerConnection } from "../src/http/caller-connection.ts";
import { serveMcpHttp } from "../src/http/index.ts";
import { CancellableRequests, clientIdHeader } from "../src/http/cancellable-requests.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const call = { name: "recall", arguments: { query: "x" } };
const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Serves this Loci to each caller until the test is over. @returns where */
async function serve(loci: Loci): Promise<string> {
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
  onTestFinished(async () => {
    end.abort();
    await served;
  });
  return listening.promise;
}

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
  const url = await serve(loci);
  const sent = request(url, {
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
});

describe("a client of 2025 that cancels a call and keeps its connection", () => {
  interface Asked {
    readonly query: string;
    readonly stopped: Promise<void>;
  }

  /** A server whose calls end when they are cancelled, or with `answer`. */
  async function start(): Promise<{ url: string; asked: Asked[]; answer: () => void }> {
    const asked: Asked[] = [];
    const answer = Promise.withResolvers<void>();
    const loci = {
      tokens: { count: async () => ({ tokens: 0 }) },
      recall: ({ query }: { query: string }, options?: CallOptions) => {
        const stopped = Promise.withResolvers<void>();
        asked.push({ query, stopped: stopped.promise });
        return new Promise<unknown>((resolve, reject) => {
          void answer.promise.then(() => resolve({ hits: [], degraded: [], usedFallback: false }));
          options?.signal?.addEventListener("abort", () => {
            stopped.resolve();
            reject(new LociError("CANCELLED", { message: "Cancelled." }));
          });
        });
      },
    } as unknown as Loci;
    return { url: await serve(loci), asked, answer: answer.resolve };
  }

  const keyOf = (id: string): string => `loci_${id}_${"x".repeat(43)}`;

  async function send(url: string, message: object, client?: string, key = keyOf("one")): Promise<Response> {
    return fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(client === undefined ? {} : { "mcp-protocol-version": "2025-11-25", "mcp-session-id": client }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
  }

  async function introduced(url: string): Promise<string> {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const response = await send(url, { id: 0, method: "initialize", params });
    await response.text();
    return response.headers.get("mcp-session-id") ?? "";
  }

  const recall = (query: string): object => ({
    id: 1,
    method: "tools/call",
    params: { name: "recall", arguments: { query } },
  });
  const cancel = { method: "notifications/cancelled", params: { requestId: 1, reason: "Enough." } };

  test("stops its work and ends its answer; another client's call of the same number goes on", async () => {
    const { url, asked, answer } = await start();
    const [one, other] = [await introduced(url), await introduced(url)];
    expect(one).not.toBe(other);
    const answers = [send(url, recall("one"), one), send(url, recall("other"), other)];
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    expect((await send(url, cancel, one)).status).toBe(202);
    await asked.find(({ query }) => query === "one")?.stopped;
    expect(await (await answers[0])?.text()).toBe("");
    answer();
    expect(await (await answers[1])?.text()).toContain("Nothing relevant is remembered");
  });

  test("stops nothing with another key, or without the name that it was given", async () => {
    const { url, asked, answer } = await start();
    const client = await introduced(url);
    const answered = send(url, recall("mine"), client);
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    await send(url, cancel, client, keyOf("another"));
    await send(url, cancel);
    answer();
    expect(await (await answered).text()).toContain("Nothing relevant is remembered");
  });
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

test("of two requests that a client gives one number the first one has it until it is over", () => {
  const requests = new CancellableRequests();
  const headers = { [clientIdHeader]: "client" };
  const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
  const endFirst = requests.begin("key", headers, 1, first);
  const endSecond = requests.begin("key", headers, 1, second);
  endSecond();
  requests.cancel("key", headers, 1);
  expect([first.signal.aborted, second.signal.aborted]).toEqual([true, false]);
  endFirst();
  requests.begin("key", headers, 1, third);
  requests.cancel("key", headers, 1);
  expect(third.signal.aborted).toBe(true);
});
