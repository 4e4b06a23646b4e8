import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** Names a client of 2025 to whoever answers it. Nothing is kept for it: any server takes any. */
export const clientIdHeader = "mcp-session-id";

/** What a message of a client of 2025 is about. */
export interface ClientMessage {
  readonly method: string;
  /** Of a request. */
  readonly id: string | number | undefined;
  /** Of `notifications/cancelled`: the request that nobody wants an answer to any more. */
  readonly cancels: string | number | undefined;
}

/** Clients of 2026 say in a header what they ask, and close the connection of what they do not want any more. */
export function isOfFormerClient(headers: IncomingHttpHeaders): boolean {
  return headers["mcp-method"] === undefined;
}

/** @returns `undefined` for what is no single message, which the protocol answers */
export function readMessage(body: Buffer): ClientMessage | undefined {
  let message: unknown;
  try {
    message = JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
  const { method, id, params } = fieldsOf(message);
  if (typeof method !== "string") return undefined;
  const cancels = method === "notifications/cancelled" ? idOf(fieldsOf(params)["requestId"]) : undefined;
  return { method, id: idOf(id), cancels };
}

/** A name for a client that introduces itself. Whoever knows it may cancel what it has asked, so nobody can guess it. */
export function newClientId(): string {
  return randomUUID();
}

/**
 * Requests under way, by client and id. Clients count their requests from 0 or 1 on, and many may have one key: without a name of the client
 * nobody knows whose request a number is.
 */
export class CancellableRequests {
  readonly #underWay = new Map<string, AbortController>();

  /**
   * Keeps a request until it is over, for whoever cancels it.
   *
   * @param owner whose credential it came with
   * @returns says that it is over
   */
  begin(
    owner: string,
    headers: IncomingHttpHeaders,
    id: string | number | undefined,
    end: AbortController,
  ): () => void {
    const key = keyOf(owner, headers, id);
    // The first one has the name, should a client use it twice.
    if (key === undefined || this.#underWay.has(key)) return () => undefined;
    this.#underWay.set(key, end);
    return () => this.#underWay.delete(key);
  }

  /** Stops a request, if it is under way here. */
  cancel(owner: string, headers: IncomingHttpHeaders, id: string | number): void {
    const key = keyOf(owner, headers, id);
    if (key !== undefined) this.#underWay.get(key)?.abort();
  }
}

function keyOf(owner: string, headers: IncomingHttpHeaders, id: string | number | undefined): string | undefined {
  const client = headers[clientIdHeader];
  return id === undefined || typeof client !== "string" ? undefined : JSON.stringify([owner, client, id]);
}

function idOf(value: unknown): string | number | undefined {
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
