import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import type { Loci } from "@loci/loci";
import { expect, test } from "vitest";
import { OpenRequests } from "../src/connection/open-requests.ts";
import { serveLines } from "../src/serve-mcp.ts";
import { environmentOf } from "./connect-client.ts";

const never = new AbortController().signal;
const request = (id: number, method = "tools/call") => ({ jsonrpc: "2.0", id, method }) as const;

/** Whether the waiting is over by now. */
async function isOver(waiting: Promise<void>): Promise<boolean> {
  let over = false;
  void waiting.then(() => (over = true));
  for (let turns = 0; turns < 5; turns++) await turn();
  return over;
}

test("an editor that asks nothing more is answered before the serving ends", async () => {
  const recalled = Promise.withResolvers<never>();
  const loci = { memories: { list: () => recalled.promise } } as unknown as Loci;
  const [input, output] = [new PassThrough(), new PassThrough()];
  let lines = "";
  output.on("data", (chunk: Buffer) => (lines += chunk.toString()));
  await using serving = serveLines(environmentOf(loci, ["global"]), "1", { input, output });
  const clientInfo = { name: "script", version: "1" };
  const begin = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const asked = { ...request(1), params: { name: "recall", arguments: {} } };
  const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
  input.end(
    [{ ...request(0, "initialize"), params: begin }, initialized, asked]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(""),
  );
  await expect.poll(() => lines).toContain('"id":0');
  const waiting = serving.answered(60_000, never);
  expect(await isOver(waiting)).toBe(false);
  recalled.resolve({ memories: [] } as never);
  await waiting;
  expect(lines).toContain('"id":1');
});

test("what was cancelled, and what only listens, is waited for by nobody", async () => {
  const requests = new OpenRequests();
  requests.received(request(1, "subscriptions/listen"));
  requests.received(request(2));
  requests.received({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } });
  expect(await isOver(requests.answered(60_000, never))).toBe(true);
});

test("the waiting ends when it takes too long, or is aborted", async () => {
  const requests = new OpenRequests();
  requests.received(request(1));
  await requests.answered(1, never);
  const end = new AbortController();
  const waiting = requests.answered(60_000, end.signal);
  expect(await isOver(waiting)).toBe(false);
  end.abort();
  await waiting;
  requests.sent({ jsonrpc: "2.0", id: 1, result: {} });
  expect(await isOver(requests.answered(60_000, never))).toBe(true);
});
