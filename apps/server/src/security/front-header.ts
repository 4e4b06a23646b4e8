import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http2";
import type { Metadata } from "@grpc/grpc-js";

/** A secret for a front and its workers. */
export function createFrontSecret(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * A header with which a front tells a worker something of a call that it passes on. What callers send under its name the front takes out.
 * The worker believes only what holds the secret, which the two have told each other between processes.
 */
export class FrontHeader {
  readonly #name: string;
  readonly #secret: string;
  readonly #digest: Buffer;

  /** @param name what no caller's header gets past the front with, in small letters */
  constructor(name: string, secret: string) {
    this.#name = name;
    this.#secret = secret;
    this.#digest = digestOf(secret);
  }

  /**
   * Writes words into the headers of a call that is passed on, in place of what its caller wrote there.
   *
   * @param words without spaces. None: nothing is left there
   */
  write(headers: IncomingHttpHeaders, words: readonly string[] | undefined): void {
    for (const name of Object.keys(headers)) if (name.toLowerCase() === this.#name) delete headers[name];
    if (words !== undefined) headers[this.#name] = [this.#secret, ...words].join(" ");
  }

  /**
   * Takes the words out of the metadata of a call, which then is what its caller sent.
   *
   * @returns what looks at the secret and says them; nothing when the front has said nothing
   */
  take(metadata: Metadata): () => readonly string[] | undefined {
    const values = metadata.get(this.#name);
    if (values.length > 0) metadata.remove(this.#name);
    return () => {
      const [value] = values;
      if (values.length !== 1 || typeof value !== "string") return undefined;
      const [secret = "", ...words] = value.split(" ");
      return timingSafeEqual(digestOf(secret), this.#digest) ? words : undefined;
    };
  }
}

function digestOf(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}
