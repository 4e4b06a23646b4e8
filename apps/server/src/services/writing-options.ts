import type { CallOptions } from "@loci/loci";

/** The options of a write. On the wire an empty idempotency key is none. */
export function writing(options: CallOptions, { requestId }: { readonly requestId: string }): CallOptions {
  return requestId === "" ? options : { ...options, requestId };
}
