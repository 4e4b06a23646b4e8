import {
  type Metadata,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
} from "@grpc/grpc-js";
import { errorToStatus, requestSize } from "@loci/api";
import { LociError } from "@loci/loci";
import type { Authenticator } from "../security/authenticator.ts";
import type { CallerAddressHeader } from "../security/caller-address-header.ts";
import type { CertificateHeader } from "../security/certificate-header.ts";
import type { ClientCertificates } from "../security/client-certificates.ts";
import type { Credential } from "../security/credential.ts";
import { presentedCertificate, type PresentedCertificate } from "../security/presented-certificate.ts";
import type { ArrivingRequests } from "./arriving-requests.ts";
import { callerOf } from "./caller.ts";
import type { CallObserver } from "./call-observer.ts";
import { ruleOf } from "./method-rules.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { SharedAmount } from "./shared-amount.ts";

export interface CallAdmissionOptions {
  readonly authenticator: Authenticator;
  readonly certificates: ClientCertificates;
  /** What a front says of certificates, where it has ended TLS. Default: connections are the callers' own. */
  readonly certificateHeader?: CertificateHeader | undefined;
  /** What a front says of where calls came from. Default: connections are the callers' own. */
  readonly addressHeader?: CallerAddressHeader | undefined;
  readonly maxMetadataBytes: number;
  readonly rateLimit: RateLimit;
  /** Of all connections, until their answers have been read. */
  readonly openCalls: SharedAmount;
  /** Of all connections, until they have come as a whole. */
  readonly arriving: ArrivingRequests;
  /** Bytes of what has come, until its call is over. */
  readonly requests: SharedAmount;
  readonly observer: CallObserver;
}

/**
 * Decides at a call's headers whether its request is read at all, so that nobody without a credential makes the server
 * take in a message; and when it is read, so that nobody with one makes it take in more than it can keep.
 */
export class CallAdmission {
  readonly #options: CallAdmissionOptions;
  /** By the metadata object, which a call keeps from its headers to its handler. */
  readonly #credentials = new WeakMap<Metadata, Credential>();

  constructor(options: CallAdmissionOptions) {
    this.#options = options;
  }

  readonly interceptor: ServerInterceptor = (method, call) => {
    const { openCalls, arriving, requests, addressHeader } = this.#options;
    let addressTold = (): string | undefined => undefined;
    let caller: string | undefined;
    let held = 0;
    let hasCome = (): void => undefined;
    const refuse = (error: unknown): void => {
      const refusal = errorToStatus(error);
      const from = addressHeader === undefined ? call.getPeer() : addressTold();
      this.#options.observer.refused(method.path, refusal.code, error, from);
      call.sendStatus(refusal);
    };
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, admit) => {
            if (addressHeader !== undefined) addressTold = addressHeader.take(metadata);
            try {
              caller = this.#admit(method.path, metadata, call);
            } catch (error) {
              refuse(error);
              return;
            }
            if (caller === undefined) admit(metadata);
            else hasCome = arriving.enter(caller, () => admit(metadata), refuse);
          },
          onReceiveMessage: (message: unknown, take) => {
            const bytes = requestSize(message);
            if (caller !== undefined && !requests.take(caller, bytes)) {
              hasCome();
              refuse(tooMuch(requests.total));
              return;
            }
            held = bytes;
            take(message);
          },
          onReceiveHalfClose: (take) => {
            hasCome();
            take();
          },
          // Called for every call at its very end: answered and read, given up, or cut off.
          onCancel: () => {
            hasCome();
            if (caller === undefined) return;
            openCalls.give(caller, 1);
            requests.give(caller, held);
          },
        }),
    });
  };

  /** What the call that came with this metadata was let in with. */
  credentialOf(metadata: Metadata): Credential {
    const credential = this.#credentials.get(metadata);
    if (credential !== undefined) return credential;
    throw new LociError("INTERNAL", { message: "A call reached its handler without having been admitted." });
  }

  /** @returns who has one more open call now; nobody for what is not of Loci */
  #admit(path: string, metadata: Metadata, call: ServerInterceptingCallInterface): string | undefined {
    const { maxMetadataBytes, openCalls, rateLimit, certificateHeader } = this.#options;
    const told = certificateHeader?.take(metadata);
    const bytes = metadataBytes(metadata);
    if (bytes > maxMetadataBytes)
      throw new LociError("MESSAGE_TOO_LARGE", {
        message: `The call's metadata takes ${bytes} bytes; the server allows ${maxMetadataBytes}.`,
        advice: "Send less in the metadata: requests carry the data.",
      });
    // Health and reflection tell nothing about any tenant: they take no credential.
    if (ruleOf(path) === undefined) return undefined;
    const credential = this.#credentialIn(metadata, certificateHeader === undefined ? call : told);
    const { owner } = credential;
    rateLimit.count(owner);
    const caller = callerOf(owner);
    if (!openCalls.take(caller, 1))
      throw new LociError("TOO_MANY_REQUESTS", {
        message: `${openCalls.total} calls are open, or ${owner.subject} has half of as many as there can be.`,
        advice: "Read the answers of the calls that are open, and make fewer at once.",
      });
    this.#credentials.set(metadata, credential);
    return caller;
  }

  /**
   * What is sent with the call goes before what came with the connection, which others may share.
   *
   * @param from the call, or what a front has told of its certificate
   */
  #credentialIn(
    metadata: Metadata,
    from: ServerInterceptingCallInterface | PresentedCertificate | undefined,
  ): Credential {
    const { authenticator, certificates } = this.#options;
    const [authorization] = metadata.get("authorization");
    if (authorization === undefined) {
      const sent = from !== undefined && "getAuthContext" in from ? this.#certificateOf(from) : from;
      if (sent !== undefined) return certificates.authenticate(sent);
    }
    return authenticator.authenticate(typeof authorization === "string" ? authorization : undefined);
  }

  #certificateOf(call: ServerInterceptingCallInterface): PresentedCertificate | undefined {
    if (!this.#options.certificates.areUsed) return undefined;
    const { sslPeerCertificate } = call.getAuthContext();
    return sslPeerCertificate && presentedCertificate(sslPeerCertificate);
  }
}

function tooMuch(bytes: number): LociError {
  return new LociError("TOO_MANY_REQUESTS", {
    message: `Requests of ${bytes} bytes are worked on, or half of as much as there can be are one caller's.`,
    advice: "Make fewer large calls at once.",
  });
}

/** As HTTP/2 counts a header list: RFC 9113, section 6.5.2. */
function metadataBytes(metadata: Metadata): number {
  let bytes = 0;
  for (const [name, values] of Object.entries(metadata.toHttp2Headers()))
    for (const value of Array.isArray(values) ? values : [values])
      bytes += name.length + String(value ?? "").length + 32;
  return bytes;
}
