import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the server was asked. */
export interface ReceivedModelRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Readonly<Record<string, unknown>>;
}

/** Answers one request in any way at all; not ending the response leaves the caller waiting. */
export type ModelAnswer = (response: ServerResponse, request: ReceivedModelRequest) => void;

/** A model's server on loopback, for tests. */
export interface FakeModelServer extends AsyncDisposable {
  /** For `ModelEndpoint`. */
  readonly baseUrl: string;
  readonly requests: readonly ReceivedModelRequest[];
  /** The answers from now on, one a request; the last one is used again and again. */
  answerWith(...answers: readonly ModelAnswer[]): void;
}

export async function startFakeModelServer(...answers: readonly ModelAnswer[]): Promise<FakeModelServer> {
  const requests: ReceivedModelRequest[] = [];
  let waiting = [...answers];
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = "";
    for await (const chunk of incoming.setEncoding("utf8")) text += String(chunk);
    const body = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const request = { path: incoming.url ?? "", headers: incoming.headers, body };
    requests.push(request);
    const answer = waiting.length > 1 ? waiting.shift() : waiting[0];
    if (answer === undefined) throw new Error("The fake server was given no answer.");
    answer(response, request);
  };
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    answerWith: (...next) => {
      waiting = [...next];
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Any JSON with status 200. */
export function answersWith(value: unknown): ModelAnswer {
  return (response) => answerJson(response, value);
}

export function failsWith(status: number, headers: Readonly<Record<string, string>> = {}, body = "{}"): ModelAnswer {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(body);
  };
}

/** Takes the request and never answers. */
export const hangs: ModelAnswer = () => {};

function answerJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}
