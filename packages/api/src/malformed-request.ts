import type { ServiceDefinition } from "@grpc/grpc-js";
import { LociError } from "@loci/domain";
import { noteRequestSize } from "./request-size.ts";
import { StrictReader } from "./strict-reader.ts";

/** What a handler finds in place of a request whose bytes are not a message of its type, or one with too many parts. */
export class MalformedRequest {
  readonly error: LociError;

  constructor(cause: unknown) {
    if (LociError.is(cause)) {
      this.error = cause;
      return;
    }
    this.error = new LociError("INVALID_REQUEST", {
      message: "The request is not a message of the type this call takes.",
      advice: "Use stubs generated from the contract of this server, and well-formed text.",
      cause,
    });
  }
}

/**
 * The same service, with bytes that cannot be decoded handed to the handler as a {@link MalformedRequest}: grpc-js
 * would end the call with INTERNAL, as if the server were at fault. Text that is not UTF-8 counts as malformed, too, and so does what has
 * more parts than anybody needs. How large a request is, `requestSize` tells.
 */
export function withStrictRequests<Service extends ServiceDefinition>(service: Service): Service {
  const methods = Object.entries(service).map(([name, method]) => [
    name,
    {
      ...method,
      requestDeserialize: (bytes: Buffer): unknown => {
        const reader = new StrictReader(bytes);
        const request = readRequest(method.requestDeserialize, reader);
        noteRequestSize(request, bytes.length, reader.messagesWithin);
        return request;
      },
    },
  ]);
  return Object.fromEntries(methods) as Service;
}

function readRequest(decode: (reader: Buffer) => unknown, reader: StrictReader): object {
  try {
    return decode(reader as unknown as Buffer) as object;
  } catch (error) {
    return new MalformedRequest(error);
  }
}
