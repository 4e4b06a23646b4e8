import { type Instant, LociError, type Principal, type Role, tenantId } from "@loci/loci";
import type { Credential } from "./credential.ts";
import type { PresentedCertificate } from "./presented-certificate.ts";

/** What a certificate of a client opens, when an authority of `tls.client_ca_file` has signed it. */
export interface ClientCertificateEntry {
  /**
   * Which certificates: `DNS:` or `URI:` and one of their alternative names, `CN:` and their common name, or `SHA256:` and the
   * fingerprint of one certificate as `openssl x509 -fingerprint -sha256` prints it. Letter for letter.
   */
  readonly name: string;
  readonly tenant: string;
  /** The author of what is written. Default `certificate:` and the name. */
  readonly subject?: string | undefined;
  readonly roles: readonly Role[];
  /** As those of an API key. */
  readonly scopes: readonly string[];
}

/** No white space, quotes or commas: what a list of alternative names is written with stands in none of its names. */
export const certificateNamePattern: RegExp = /^(?:DNS|URI|CN|SHA256):[^\s",\\\p{C}]{1,170}$/u;

interface KnownCertificate {
  readonly entry: ClientCertificateEntry;
  readonly principal: Principal;
}

/**
 * Turns the certificate of a connection into who is calling. That an authority has signed it and that it was valid then, TLS
 * has found out when the connection was made; that it still is, and what it opens, is found out here for each call.
 */
export class ClientCertificates {
  #known: ReadonlyMap<string, KnownCertificate> = new Map();
  readonly #clock: () => Instant;

  constructor(entries: readonly ClientCertificateEntry[], clock: () => Instant) {
    this.#clock = clock;
    this.replace(entries);
  }

  /** Whether any certificate opens anything. */
  get areUsed(): boolean {
    return this.#known.size > 0;
  }

  /**
   * Takes these from now on, and no others.
   *
   * @returns the principals of those that are not known any more, or not as they were
   */
  replace(entries: readonly ClientCertificateEntry[]): readonly Principal[] {
    const before = this.#known;
    this.#known = new Map(
      entries.map((entry) => {
        const known = before.get(entry.name);
        return [entry.name, known !== undefined && isSame(known.entry, entry) ? known : knownCertificate(entry)];
      }),
    );
    const kept = new Set(this.#known.values());
    return [...before.values()].filter((known) => !kept.has(known)).map(({ principal }) => principal);
  }

  /** @throws LociError `CREDENTIAL_INVALID`, `CREDENTIAL_EXPIRED` */
  authenticate({ names, expiresAt }: PresentedCertificate): Credential {
    if (!(expiresAt > this.#clock()))
      throw new LociError("CREDENTIAL_EXPIRED", {
        message: "The certificate of the client has expired since it connected.",
        advice: "Connect with a new one.",
      });
    const known = names.flatMap((name) => this.#known.get(name) ?? [])[0];
    if (known === undefined)
      throw new LociError("CREDENTIAL_INVALID", {
        message: "The certificate of the client has none of the names that open anything here.",
        advice: "Add one of its names to [[client_certificates]] of the server, or send an API key.",
      });
    return { principal: known.principal, owner: known.principal, expiresAt };
  }
}

function isSame(left: ClientCertificateEntry, right: ClientCertificateEntry): boolean {
  const values = ({ tenant, subject, roles, scopes }: ClientCertificateEntry): string =>
    JSON.stringify([tenant, subject, roles, scopes]);
  return values(left) === values(right);
}

function knownCertificate(entry: ClientCertificateEntry): KnownCertificate {
  const { name, tenant, subject, roles, scopes } = entry;
  const principal = {
    tenant: tenantId(tenant),
    subject: subject ?? `certificate:${name}`,
    roles,
    scopePatterns: scopes,
  };
  return { entry, principal };
}
