import { PassThrough } from "node:stream";
import { McpServer } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { LineTransport } from "../src/connection/line-transport.ts";

/** A server that says nothing but what the protocol asks for, and the lines it answers. */
async function serve(): Promise<{ readonly input: PassThrough; next(): Promise<Record<string, unknown>> }> {
  const input = new PassThrough();
  const output = new PassThrough();
  await new McpServer({ name: "test", version: "1" }).connect(new LineTransport(input, output));
  const lines: string[] = [];
  let rest = "";
  output.on("data", (chunk: Buffer) => {
    const parts = `${rest}${chunk.toString()}`.split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
  });
  return {
    input,
    next: async () => {
      await expect.poll(() => lines.length).toBeGreaterThan(0);
      return JSON.parse(lines.shift() ?? "") as Record<string, unknown>;
    },
  };
}

const ping = `{"jsonrpc":"2.0","id":7,"method":"ping"}\n`;

test.each([
  ["broken JSON", '{"jsonrpc":"2.0",', -32_700, null],
  ["a text", "hello", -32_700, null],
  ["a byte that is no UTF-8", "\u0000\uFFFD", -32_700, null],
  ["another kind of JSON", "[1,2]", -32_600, null],
  ["a request that is none", '{"jsonrpc":"1.0","id":"x","method":"ping"}', -32_600, "x"],
  ["null", "null", -32_600, null],
])("%s is answered with an error, and what comes after it is served", async (_, line, code, id) => {
  const { input, next } = await serve();
  input.write(`${line}\n${ping}`);
  expect(await next()).toMatchObject({ jsonrpc: "2.0", id, error: { code } });
  expect(await next()).toEqual({ jsonrpc: "2.0", id: 7, result: {} });
});

test("a line of any length is answered with an error and not kept, and what comes after it is served", async () => {
  const { input, next } = await serve();
  const block = Buffer.alloc(1024 * 1024, "x");
  const before = process.memoryUsage().arrayBuffers;
  for (let written = 0; written < 64; written++) if (!input.write(block)) await new Promise((go) => setImmediate(go));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(48 * 1024 * 1024);
  input.write(`\n\n${ping}`);
  expect(await next()).toMatchObject({ id: null, error: { code: -32_700 } });
  expect(await next()).toEqual({ jsonrpc: "2.0", id: 7, result: {} });
});

test("a message may come in any pieces, many at once, with either line break", async () => {
  const { input, next } = await serve();
  for (const unit of ping) input.write(unit);
  input.write(`${ping.trim()}\r\n${ping}`);
  for (let number = 0; number < 3; number++) expect(await next()).toMatchObject({ id: 7, result: {} });
});

test("answers wait for a slow reader without a listener each, and not for one who has gone", async () => {
  const output = new PassThrough({ highWaterMark: 1 });
  const transport = new LineTransport(new PassThrough(), output);
  const sent = Array.from({ length: 20 }, (_, id) => transport.send({ jsonrpc: "2.0", id, result: {} }));
  expect(output.listenerCount("drain")).toBeLessThan(2);
  output.once("error", () => undefined).destroy();
  await Promise.all(sent);
});
