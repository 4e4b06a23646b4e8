import type { IncomingMessage } from "node:http";

/** The longest delegated token with some JSON around it. */
const mostBytes = 10_000;

/** The text that a request for a session carries under a name, as `{"token":"…"}`; empty when it carries none. */
export async function readSessionRequest(request: IncomingMessage, name: "token" | "key"): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) return "";
      chunks.push(chunk);
    }
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const value = typeof body === "object" && body !== null ? (body as Record<string, unknown>)[name] : undefined;
    return typeof value === "string" ? value : "";
  } catch {
    return "";
  }
}
