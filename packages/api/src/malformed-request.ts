import { BinaryReader } from "@bufbuild/protobuf/wire";
import type { ServiceDefinition } from "@grpc/grpc-js";
import { LociError } from "@loci/domain";

/** What a handler finds in place of a request whose bytes are not a message of its type. */
export class MalformedRequest {
  readonly error: LociError;

  constructor(cause: unknown) {
    this.error = new LociError("INVALID_REQUEST", {
      message: "The request is not a message of the type this call takes.",
      advice: "Use stubs generated from the contract of this server, and well-formed text.",
      cause,
    });
  }
}

/**
 * The same service, with bytes that cannot be decoded handed to the handler as a {@link MalformedRequest}: grpc-js
 * would end the call with INTERNAL, as if the server were at fault. Text that is not UTF-8 counts as malformed, too.
 */
export function withStrictRequests<Service extends ServiceDefinition>(service: Service): Service {
  const methods = Object.entries(service).map(([name, method]) => [
    name,
    {
      ...method,
      requestDeserialize: (bytes: Buffer): unknown => {
        try {
          return method.requestDeserialize(new StrictReader(bytes) as unknown as Buffer);
        } catch (error) {
          return new MalformedRequest(error);
        }
      },
    },
  ]);
  return Object.fromEntries(methods) as Service;
}

/** Generated decoders take a reader as well as bytes, and read text leniently unless the reader does not. */
class StrictReader extends BinaryReader {
  override string(): string {
    return super.string(true);
  }
}
