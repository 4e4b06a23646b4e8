import type { Client, ClientReadableStream, Metadata, MethodDefinition, ServiceError } from "@grpc/grpc-js";
import { errorFromStatus } from "@loci/api";
import type { Instant } from "@loci/domain";
import { lostConnection } from "./lost-connection.ts";

export interface ServerStreamOptions<Request, Response> {
  readonly client: Client;
  /** For messages. */
  readonly address: string;
  readonly metadata: Metadata;
  readonly method: MethodDefinition<Request, Response>;
  readonly request: Request;
  readonly signal: AbortSignal;
  /** Default: as long as it likes. */
  readonly deadline: Instant | undefined;
}

/**
 * The answers of one call, read as they are asked for: what waits to be read stays with the server.
 *
 * @throws LociError what the server said, or what is wrong with the connection
 */
export async function* serverStream<Request, Response>({
  client,
  address,
  metadata,
  method,
  request,
  signal,
  deadline,
}: ServerStreamOptions<Request, Response>): AsyncGenerator<Response, void, undefined> {
  const { path, requestSerialize, responseDeserialize } = method;
  const stream: ClientReadableStream<Response> = client.makeServerStreamRequest(
    path,
    requestSerialize,
    responseDeserialize,
    request,
    metadata,
    deadline === undefined ? {} : { deadline },
  );
  const cancel = (): void => stream.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  // Without this an error after the last answer that is read would end the process.
  stream.on("error", () => undefined);
  try {
    for await (const answer of stream) yield answer as Response;
  } catch (error) {
    throw errorFromStatus(signal.aborted ? error : lostConnection(error as ServiceError), address);
  } finally {
    signal.removeEventListener("abort", cancel);
    stream.cancel();
  }
}
