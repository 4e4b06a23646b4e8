import { hash, timingSafeEqual } from "node:crypto";
import { type Instant, LociError, type Principal, tenantId } from "@loci/loci";
import { type ApiKeyEntry, idOfApiKey } from "./api-key.ts";

interface KnownKey {
  readonly entry: ApiKeyEntry;
  readonly digest: Buffer;
  readonly principal: Principal;
  readonly expiresAt: Instant | undefined;
}

const noDigest = Buffer.alloc(32);

/** Turns the `authorization` of a call into who is calling. Nothing else a caller sends has a say in it. */
export class Authenticator {
  #keys: ReadonlyMap<string, KnownKey> = new Map();
  readonly #clock: () => Instant;

  constructor(entries: readonly ApiKeyEntry[], clock: () => Instant) {
    this.#clock = clock;
    this.replace(entries);
  }

  /**
   * Takes these keys from now on, and no others. Without any, nobody is let in.
   *
   * @returns the principals of keys that were known before and are not any more, or not as they were
   */
  replace(entries: readonly ApiKeyEntry[]): readonly Principal[] {
    const before = this.#keys;
    this.#keys = new Map(
      entries.map((entry) => {
        const known = before.get(entry.id);
        // What has not changed keeps its principal, and with it what is known of that.
        return [entry.id, known !== undefined && isSame(known.entry, entry) ? known : knownKey(entry)];
      }),
    );
    const kept = new Set(this.#keys.values());
    return [...before.values()].filter((known) => !kept.has(known)).map(({ principal }) => principal);
  }

  /** @throws LociError `CREDENTIAL_MISSING`, `CREDENTIAL_INVALID`, `CREDENTIAL_EXPIRED` */
  authenticate(authorization: string | undefined): Principal {
    if (authorization === undefined)
      throw new LociError("CREDENTIAL_MISSING", {
        message: "The call has no credential.",
        advice:
          "Send an API key of this server as authorization: Bearer KEY. One without configured keys takes the key in server.json of its data directory, which only its user can read: connect by the directory (--data, connectLocalLoci, connect_local, ConnectLocal).",
      });
    const scheme = /^Bearer +/i.exec(authorization)?.[0];
    const key = scheme === undefined ? "" : authorization.slice(scheme.length);
    const id = idOfApiKey(key);
    const known = id === undefined ? undefined : this.#keys.get(id);
    // Compared also when the id is unknown, so that the time of the answer does not tell which ids exist.
    const matches = timingSafeEqual(hash("sha256", key, "buffer"), known?.digest ?? noDigest);
    if (known === undefined || !matches)
      throw new LociError("CREDENTIAL_INVALID", {
        message: "The API key is not one of this server's.",
        advice:
          "Check that the key is whole, belongs to this server and was not revoked. A server without configured keys has another one after each start.",
      });
    if (known.expiresAt !== undefined && known.expiresAt <= this.#clock())
      throw new LociError("CREDENTIAL_EXPIRED", {
        message: `The API key expired at ${new Date(known.expiresAt).toISOString()}.`,
        advice: "Ask for a new key.",
      });
    return known.principal;
  }
}

function isSame(left: ApiKeyEntry, right: ApiKeyEntry): boolean {
  const values = ({ hash, tenant, subject, roles, scopes, expiresAt }: ApiKeyEntry): string =>
    JSON.stringify([hash, tenant, subject, roles, scopes, expiresAt]);
  return values(left) === values(right);
}

function knownKey(entry: ApiKeyEntry): KnownKey {
  const { id, hash, tenant, subject, roles, scopes, expiresAt } = entry;
  return {
    entry,
    digest: Buffer.from(hash.slice("sha256:".length), "hex"),
    principal: { tenant: tenantId(tenant), subject: subject ?? `api-key:${id}`, roles, scopePatterns: scopes },
    expiresAt,
  };
}
