import type { IncomingHttpHeaders } from "node:http2";
import type { Metadata } from "@grpc/grpc-js";
import { FrontHeader } from "./front-header.ts";

/** What no caller's header gets past a front with. */
export const callerAddressHeaderName = "loci-caller-address";

/** The header with which a front tells a worker where a call came from, for the log. */
export class CallerAddressHeader {
  readonly #header: FrontHeader;

  constructor(secret: string) {
    this.#header = new FrontHeader(callerAddressHeaderName, secret);
  }

  /**
   * Writes address and port into the headers of a call that is passed on, in place of what its caller wrote there.
   *
   * @param address not known: nothing is left there
   */
  write(headers: IncomingHttpHeaders, address: string | undefined): void {
    this.#header.write(headers, address === undefined ? undefined : [address]);
  }

  /**
   * Takes the address out of the metadata of a call, which then is what its caller sent.
   *
   * @returns what says it, which only calls that are refused are asked for
   */
  take(metadata: Metadata): () => string | undefined {
    const words = this.#header.take(metadata);
    return () => words()?.[0];
  }
}
