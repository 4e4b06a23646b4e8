import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { hasTooManyParts } from "./json-parts.ts";

/** Of a request's body: what the protocol's handler takes. */
export const maxBodyBytes: number = 4 * 1024 * 1024;

/** Of a refused body: whoever sends more is cut off. */
const mostDiscardedBytes = 64 * 1024 * 1024;

/** Answers a request with a few words for people, and ends it. */
export function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response
    .writeHead(status, { "content-type": "application/json", "cache-control": "no-store", ...headers })
    .end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32_000, message } }));
}

/** Why a body was not read: it has too many bytes or parts, or there is no room for it. */
export type BodyProblem = "bytes" | "parts" | "room";

/**
 * The body, or why it is not there: then the rest is not read.
 *
 * @param take says whether so many bytes more may be kept
 */
export async function readBody(
  request: IncomingMessage,
  take: (bytes: number) => boolean = () => true,
): Promise<Buffer | BodyProblem> {
  if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes) return "bytes";
  const parts: Buffer[] = [];
  let bytes = 0;
  // What is not read stays, so that the answer still finds its way.
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > maxBodyBytes) return "bytes";
    if (!take(part.length)) return "room";
    parts.push(part);
  }
  const body = Buffer.concat(parts);
  return hasTooManyParts(body) ? "parts" : body;
}

/**
 * Takes what is left of a refused body and keeps none of it. A connection that is closed while its caller still sends is reset, and many
 * clients then find no answer at all, where one stands that says how much a request may have.
 */
export function discardRest(request: IncomingMessage): void {
  let bytes = 0;
  request.on("data", (part: Buffer) => {
    bytes += part.length;
    if (bytes > mostDiscardedBytes) request.destroy();
  });
}

/** What the protocol's handler takes. @param signal aborts when the caller has gone */
export function webRequest(
  { method = "GET", url, headers }: IncomingMessage,
  body: Buffer,
  signal: AbortSignal,
): Request {
  const kept = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) kept.append(name, one);
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(new URL(url ?? "/", "http://loci.invalid"), {
    method,
    headers: kept,
    signal,
    ...(hasBody ? { body: new Uint8Array(body) } : {}),
  });
}

/**
 * Sends an answer as fast as its reader takes it. A reader that takes nothing for `patienceMilliseconds` is cut off: what is told of
 * changes would be kept for it without end.
 */
export async function sendAnswer(
  answer: Response,
  response: ServerResponse,
  patienceMilliseconds: number,
): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) {
    response.end();
    return;
  }
  // What a subscription has to say first may come late; its reader waits for the headers.
  response.flushHeaders();
  for await (const part of answer.body as ReadableStream<Uint8Array>) {
    if (response.destroyed) return;
    if (!response.write(part) && !(await isDrained(response, patienceMilliseconds))) {
      response.destroy();
      return;
    }
  }
  response.end();
}

async function isDrained(response: ServerResponse, patienceMilliseconds: number): Promise<boolean> {
  const end = new AbortController();
  const waited = { signal: end.signal };
  const drained = once(response, "drain", waited).then(() => true);
  const closed = once(response, "close", waited).then(() => false);
  const late = sleep(patienceMilliseconds, false, { ...waited, ref: false });
  try {
    return await Promise.race([drained, closed, late]);
  } finally {
    end.abort();
    await Promise.allSettled([drained, closed, late]);
  }
}
