import { type Metadata, type ServerInterceptor, ServerInterceptingCall } from "@grpc/grpc-js";
import { errorToStatus } from "@loci/api";
import { LociError, type Principal } from "@loci/loci";
import type { Authenticator } from "../security/authenticator.ts";
import type { CallObserver } from "./call-observer.ts";
import { ruleOf } from "./method-rules.ts";

/**
 * Decides at a call's headers whether its request is read at all, so that nobody without a credential makes the server
 * take in a message.
 */
export class CallAdmission {
  readonly #authenticator: Authenticator;
  readonly #maxMetadataBytes: number;
  readonly #observer: CallObserver;
  /** By the metadata object, which a call keeps from its headers to its handler. */
  readonly #principals = new WeakMap<Metadata, Principal>();

  constructor(authenticator: Authenticator, maxMetadataBytes: number, observer: CallObserver) {
    this.#authenticator = authenticator;
    this.#maxMetadataBytes = maxMetadataBytes;
    this.#observer = observer;
  }

  readonly interceptor: ServerInterceptor = (method, call) =>
    new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, admit) => {
            try {
              this.#admit(method.path, metadata);
            } catch (error) {
              const refusal = errorToStatus(error);
              this.#observer.refused(method.path, refusal.code, error);
              call.sendStatus(refusal);
              return;
            }
            admit(metadata);
          },
        }),
    });

  /** Who makes the call that came with this metadata. */
  principalOf(metadata: Metadata): Principal {
    const principal = this.#principals.get(metadata);
    if (principal !== undefined) return principal;
    throw new LociError("INTERNAL", { message: "A call reached its handler without having been admitted." });
  }

  #admit(path: string, metadata: Metadata): void {
    const bytes = metadataBytes(metadata);
    if (bytes > this.#maxMetadataBytes)
      throw new LociError("MESSAGE_TOO_LARGE", {
        message: `The call's metadata takes ${bytes} bytes; the server allows ${this.#maxMetadataBytes}.`,
        advice: "Send less in the metadata: requests carry the data.",
      });
    // Health and reflection tell nothing about any tenant: they take no credential.
    if (ruleOf(path) === undefined) return;
    const [authorization] = metadata.get("authorization");
    this.#principals.set(
      metadata,
      this.#authenticator.authenticate(typeof authorization === "string" ? authorization : undefined),
    );
  }
}

/** As HTTP/2 counts a header list: RFC 9113, section 6.5.2. */
function metadataBytes(metadata: Metadata): number {
  let bytes = 0;
  for (const [name, values] of Object.entries(metadata.toHttp2Headers()))
    for (const value of Array.isArray(values) ? values : [values])
      bytes += name.length + String(value ?? "").length + 32;
  return bytes;
}
