import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectLocalLoci } from "@loci/client";
import { findServer, LociError, openLoci } from "@loci/loci";
import { defaultConfiguration, startServer } from "@loci/server";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { formOfCaptured, reviewCaptured } from "./reviewed-over-mcp.ts";

const bin = join(import.meta.dirname, "../bin/loci.js");
let folder: string;
let data: string;
const clients: Client[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-cli-mcp-"));
  data = join(folder, "data");
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await stopServer();
  // A server that came too late to get the directory may only now find that out.
  rmSync(folder, { recursive: true, maxRetries: 5 });
});

/** An editor with `loci mcp` in a process of its own. */
async function openEditor(...words: readonly string[]): Promise<Client> {
  const client = new Client(
    { name: "editor", version: "1" },
    { versionNegotiation: { mode: "auto" }, capabilities: { elicitation: {} } },
  );
  clients.push(client);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, "mcp", "--data", data, ...words],
    stderr: "inherit",
  });
  await client.connect(transport);
  return client;
}

async function call(client: Client, name: string, input: Record<string, unknown>): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: input });
  const [part] = content;
  expect({ isError, text: part?.type === "text" ? part.text : "" }).toMatchObject({ isError: undefined });
  return part?.type === "text" ? part.text : "";
}

/** Ends what `loci mcp` has started: nobody else does in this time. */
async function stopServer(): Promise<void> {
  const told = new Set<number>();
  // A server that stops takes its note away first, and gives the directory back last.
  while (existsSync(data) && (await isInUse())) {
    const { pid } = findServer(data) ?? {};
    if (pid !== undefined && !told.has(pid)) process.kill(pid, "SIGTERM");
    if (pid !== undefined) told.add(pid);
    await sleep(20);
  }
}

async function isInUse(): Promise<boolean> {
  try {
    await (await openLoci({ tenant: "local", dataDirectory: data, index: "memory" })).close();
    return false;
  } catch (error) {
    if (LociError.is(error) && error.reason === "DATA_DIRECTORY_LOCKED") return true;
    throw error;
  }
}

describe("loci mcp", () => {
  test("what a script pipes in is answered, and nothing else is written", async () => {
    const script = spawn(process.execPath, [bin, "mcp", "--data", data, "--scope", "user:alice"]);
    let written = "";
    script.stdout.on("data", (chunk: Buffer) => (written += chunk.toString()));
    const clientInfo = { name: "script", version: "1" };
    const lines = [
      { id: 0, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } },
      { method: "notifications/initialized" },
      { id: 1, method: "tools/call", params: { name: "remember", arguments: { text: "Piped in." } } },
    ];
    script.stdin.end(lines.map((line) => `${JSON.stringify({ jsonrpc: "2.0", ...line })}\n`).join(""));
    await once(script, "close");
    const answers = written.trimEnd().split("\n");
    expect(answers.map((line) => (JSON.parse(line) as { readonly id: number }).id)).toEqual([0, 1]);
    expect(answers[1]).toContain("user:alice");
    expect(script.exitCode).toBe(0);
  });

  test("two editors that start at once on a new directory share it through one server", async () => {
    const scope = ["--scope", "user:alice", "project:loci"];
    const editors = await Promise.all([openEditor(...scope), openEditor(...scope)]);
    const texts = ["The release is on Friday.", "Reviews need two people."];
    await Promise.all(editors.map((editor, index) => call(editor, "remember", { text: texts[index] })));
    const recalled = await Promise.all(
      editors.flatMap((editor) => [
        call(editor, "recall", { query: "When is the release?" }),
        call(editor, "assemble_context", { query: "How many people do reviews need?" }),
      ]),
    );
    for (const [index, text] of recalled.entries()) expect(text).toContain(texts[index % 2]);
    expect(recalled[1]).toBe(recalled[3]);
  });

  test("a server that is there is used; when it goes away another is started, which stops when nobody calls", async () => {
    const configuration = { ...defaultConfiguration, listen: { address: "127.0.0.1", port: 0 }, dataDirectory: data };
    const server = await startServer(configuration, { writeLog: () => undefined });
    // Longer than a busy machine takes from the start of a server to the first call of it.
    const editor = await openEditor("--scope", "user:alice", "--server-idle", "0.05");
    await call(editor, "remember", { text: "On the first server." });
    expect(existsSync(join(data, "server.log"))).toBe(false);
    await server.close(0);

    expect(await call(editor, "recall", { query: "first server" })).toContain("On the first server.");
    await vi.waitUntil(() => findServer(data) === undefined, { timeout: 60_000, interval: 50 });
    // Nothing went wrong, so nothing was said.
    expect(readFileSync(join(data, "server.log"), "utf8")).toBe("");
  });

  test("what was captured of a conversation is looked at, and decided about in a form", async () => {
    const editor = await openEditor("--scope", "user:ann", "project:kiln");
    await call(editor, "recall", { query: "x" });
    await using loci = connectLocalLoci({ dataDirectory: data });
    expect(await reviewCaptured(loci, editor)).toEqual([expect.stringMatching(formOfCaptured)]);
  });

  test("a server that cannot be reached is told to the model, with advice", async () => {
    const client = new Client({ name: "editor", version: "1" });
    clients.push(client);
    const args = [bin, "mcp", "--connect", "127.0.0.1:1", "--scope", "user:alice"];
    await client.connect(new StdioClientTransport({ command: process.execPath, args }));
    const { isError, content } = await client.callTool({
      name: "recall",
      arguments: { query: "x" },
    });
    expect({ isError, content }).toEqual({
      isError: true,
      content: [{ type: "text", text: expect.stringMatching(/^SERVER_UNAVAILABLE: .*127\.0\.0\.1:1[^]*loci serve/) }],
    });
  });

  test("serves many callers over HTTP, each with a key of the server", async () => {
    const program = spawn(process.execPath, [
      bin,
      "mcp",
      "--data",
      data,
      "--http",
      "127.0.0.1:0",
      "--scope",
      "user:alice",
    ]);
    try {
      let said = "";
      program.stdout.on("data", (part: Buffer) => (said += part.toString()));
      await vi.waitUntil(() => said.includes("\n"), { timeout: 60_000 });
      const url = new URL(/^Serving MCP on (http:\/\/127\.0\.0\.1:\d+\/mcp)$/m.exec(said)?.[1] ?? "");
      // Nobody has called yet, so nobody has started Loci's server.
      expect((await fetch(url, { method: "POST", headers: { authorization: "Bearer none" } })).status).toBe(401);
      const headers = { authorization: `Bearer ${findServer(data)?.apiKey ?? ""}` };
      const client = new Client({ name: "agent", version: "1" }, { versionNegotiation: { mode: "auto" } });
      clients.push(client);
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
      await call(client, "remember", { text: "The release is on Friday." });
      expect(await call(client, "recall", { query: "When is the release?" })).toContain("on Friday");
      await client.close();
    } finally {
      program.kill("SIGTERM");
      const [code] = (await once(program, "exit")) as [number | null];
      expect(code).toBe(0);
    }
  });
});
