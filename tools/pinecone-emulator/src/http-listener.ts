import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { documentedLimits } from "./documented-limits.ts";
import type { InjectedFault } from "./injected-fault.ts";
import { Refusal } from "./refusal.ts";

export interface ReceivedRequest {
  readonly method: string;
  readonly url: URL;
  /** Empty when there was none. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly status?: number | undefined;
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface HttpListener {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  close(): Promise<void>;
}

export interface HttpListenerOptions {
  readonly apiKey: string;
  readonly faultOf: (request: ReceivedRequest) => InjectedFault | undefined;
  readonly handle: (request: ReceivedRequest) => Answer | Promise<Answer>;
}

/** Listens on loopback, and keeps to what holds for every request: the key, and how large it may be. */
export async function listenOnLoopback(options: HttpListenerOptions): Promise<HttpListener> {
  const server = createServer((incoming, response) => {
    answer(incoming, options).then(
      (result) => send(response, result),
      (error: unknown) => {
        if (error instanceof Refusal) send(response, { status: error.status, body: error.body });
        else send(response, { status: 500, body: { message: String(error) } });
      },
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function answer(incoming: IncomingMessage, options: HttpListenerOptions): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const address = incoming.url ?? "/";
  if (address.length > documentedLimits.addressLength) throw new Refusal("URI Too Long", 414);
  if (incoming.headers["api-key"] !== options.apiKey) throw new Refusal("Invalid API Key", 401, 16);
  if (bytes.length > documentedLimits.requestBytes)
    throw new Refusal(
      `Error, message length too large: found ${bytes.length} bytes, the limit is: ${documentedLimits.requestBytes} bytes`,
      400,
      11,
    );
  const request = {
    method: incoming.method ?? "GET",
    url: new URL(address, "http://127.0.0.1"),
    body: bytes.length === 0 ? {} : (JSON.parse(bytes.toString("utf8")) as Readonly<Record<string, unknown>>),
  };
  const fault = options.faultOf(request);
  if (fault === undefined) return options.handle(request);
  if (fault.isCarriedOut === true) await options.handle(request);
  if (fault.isSilent === true) await once(incoming.socket, "close");
  return {
    status: fault.status,
    body: { code: 8, message: "Injected.", details: [] },
    headers: fault.retryAfterSeconds === undefined ? {} : { "retry-after": String(fault.retryAfterSeconds) },
  };
}

function send(response: ServerResponse, { status = 200, body, headers = {} }: Answer): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(body === undefined ? "" : JSON.stringify(body));
}
