import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http2";
import type { Metadata } from "@grpc/grpc-js";
import { digestOf } from "./certificate-header.ts";

/** What no caller's header gets past a front with. */
export const callerAddressHeaderName = "loci-caller-address";

/**
 * The header with which a front tells a worker where a call came from, for the log. As with the one for certificates, what callers
 * send under its name is taken out, and the worker believes only what holds the secret.
 */
export class CallerAddressHeader {
  readonly #secret: string;
  readonly #digest: Buffer;

  constructor(secret: string) {
    this.#secret = secret;
    this.#digest = digestOf(secret);
  }

  /**
   * Writes address and port into the headers of a call that is passed on, in place of what its caller wrote there.
   *
   * @param address not known: nothing is left there
   */
  write(headers: IncomingHttpHeaders, address: string | undefined): void {
    for (const name of Object.keys(headers)) if (name.toLowerCase() === callerAddressHeaderName) delete headers[name];
    if (address !== undefined) headers[callerAddressHeaderName] = `${this.#secret} ${address}`;
  }

  /**
   * Takes the address out of the metadata of a call, which then is what its caller sent.
   *
   * @returns what says it, which only calls that are refused are asked for
   */
  take(metadata: Metadata): () => string | undefined {
    const values = metadata.get(callerAddressHeaderName);
    if (values.length === 0) return () => undefined;
    metadata.remove(callerAddressHeaderName);
    return () => {
      const [value] = values;
      if (values.length > 1 || typeof value !== "string") return undefined;
      const [secret = "", address] = value.split(" ");
      return timingSafeEqual(digestOf(secret), this.#digest) ? address : undefined;
    };
  }
}
