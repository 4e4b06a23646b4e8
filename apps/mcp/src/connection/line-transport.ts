import type { Readable, Writable } from "node:stream";
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/server";
import { OpenRequests } from "./open-requests.ts";

/** No tool takes as much: a context's texts together have at most some megabytes. */
const maxLineBytes = 10 * 1024 * 1024;
const lineBreak = 0x0a;

/** Codes of JSON-RPC. */
const parseError = -32_700;
const invalidRequest = -32_600;

/**
 * MCP over two streams, a message a line. Unlike the library's own transport it survives whatever stands on a line: what is
 * no message is answered with an error of JSON-RPC, and of a line that is too long only its length is kept.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** What is not answered yet. */
  readonly requests: OpenRequests = new OpenRequests();
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #note: (message: JSONRPCMessage) => void;
  #parts: Buffer[] = [];
  #bytes = 0;
  /** While the output takes no more. */
  #room: Promise<void> | undefined;

  /** @param note is told of each message before it is served */
  constructor(input: Readable, output: Writable, note: (message: JSONRPCMessage) => void = () => undefined) {
    this.#input = input;
    this.#output = output;
    this.#note = note;
  }

  start(): Promise<void> {
    this.#input.on("data", this.#take);
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(message);
    this.requests.sent(message);
  }

  close(): Promise<void> {
    this.#input.off("data", this.#take);
    this.#input.pause();
    this.#parts = [];
    this.onclose?.();
    return Promise.resolve();
  }

  readonly #take = (chunk: Buffer): void => {
    let start = 0;
    for (let end = chunk.indexOf(lineBreak); end >= 0; end = chunk.indexOf(lineBreak, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#finishLine();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  };

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > maxLineBytes) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #finishLine(): void {
    const isTooLong = this.#bytes > maxLineBytes;
    const line = Buffer.concat(this.#parts).toString("utf8");
    this.#parts = [];
    this.#bytes = 0;
    if (isTooLong) this.#refuse(parseError, `The line is longer than ${maxLineBytes} bytes.`, undefined);
    else if (line.trim() !== "") this.#read(line);
  }

  #read(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#refuse(parseError, "The line is not JSON.", undefined);
      return;
    }
    const message = readMessage(value);
    if (message === undefined) this.#refuse(invalidRequest, "The line is no message of JSON-RPC 2.0.", idOf(value));
    else {
      this.#note(message);
      this.requests.received(message);
      this.onmessage?.(message);
    }
  }

  #refuse(code: number, message: string, id: string | number | undefined): void {
    void this.#write({ jsonrpc: "2.0", id: id ?? null, error: { code, message } });
  }

  /** Resolves when the output takes more, or takes nothing any more: who has gone is told nothing. */
  #write(message: object): Promise<void> {
    if (this.#output.write(`${JSON.stringify(message)}\n`) || this.#output.destroyed) return Promise.resolve();
    return (this.#room ??= this.#nextRoom());
  }

  /** One listener for all that wait. */
  async #nextRoom(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#output.once("drain", resolve).once("close", resolve);
    await promise;
    this.#output.off("drain", resolve).off("close", resolve);
    this.#room = undefined;
  }
}

function readMessage(value: unknown): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return undefined;
  }
}

function idOf(value: unknown): string | number | undefined {
  if (typeof value !== "object" || value === null || !("id" in value)) return undefined;
  return typeof value.id === "string" || typeof value.id === "number" ? value.id : undefined;
}
