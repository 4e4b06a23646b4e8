import type { IncomingMessage } from "node:http";

/** The token of a link with some JSON around it. */
const mostBytes = 1024;

/** The token that a request for a session carries, as `{"token":"…"}`; empty when it carries none. */
export async function readLink(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) return "";
      chunks.push(chunk);
    }
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const token = typeof body === "object" && body !== null && "token" in body ? body.token : undefined;
    return typeof token === "string" ? token : "";
  } catch {
    return "";
  }
}
