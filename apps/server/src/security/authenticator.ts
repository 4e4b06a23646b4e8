import { hash, timingSafeEqual } from "node:crypto";
import { idOfApiKey, publicKeyOf } from "@loci/api";
import { type Instant, LociError, type Principal, tenantId } from "@loci/loci";
import type { ApiKeyEntry } from "./api-key.ts";
import type { Credential } from "./credential.ts";
import { delegatedCredential, type DelegatingKey, looksDelegated } from "./delegated-credential.ts";

interface KnownKey extends DelegatingKey {
  readonly entry: ApiKeyEntry;
  readonly digest: Buffer;
  readonly credential: Credential;
}

const noDigest = Buffer.alloc(32);
/** Tokens whose signature is not verified again: verifying takes a third of what a small call takes. */
const mostVerifiedTokens = 10_000;

/** Turns the `authorization` of a call into who is calling. Nothing else a caller sends has a say in it. */
export class Authenticator {
  #keys: ReadonlyMap<string, KnownKey> = new Map();
  /** By the hash of the token, the one verified longest ago first. */
  readonly #verifiedTokens = new Map<string, Credential>();
  readonly #mostVerified: number;
  readonly #clock: () => Instant;

  constructor(entries: readonly ApiKeyEntry[], clock: () => Instant, mostVerified: number = mostVerifiedTokens) {
    this.#mostVerified = mostVerified;
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
    this.#verifiedTokens.clear();
    const kept = new Set(this.#keys.values());
    return [...before.values()].filter((known) => !kept.has(known)).map(({ principal }) => principal);
  }

  /** @throws LociError `CREDENTIAL_MISSING`, `CREDENTIAL_INVALID`, `CREDENTIAL_EXPIRED` */
  authenticate(authorization: string | undefined): Credential {
    if (authorization === undefined)
      throw new LociError("CREDENTIAL_MISSING", {
        message: "The call has no credential.",
        advice:
          "Send an API key of this server as authorization: Bearer KEY (on the command line --api-key or LOCI_API_KEY). One without configured keys takes the key in server.json of its data directory, which only its user can read: connect by the directory (--data, connectLocalLoci, connect_local, ConnectLocal).",
      });
    const scheme = /^Bearer +/i.exec(authorization)?.[0];
    const bearer = scheme === undefined ? "" : authorization.slice(scheme.length);
    return looksDelegated(bearer) ? this.#ofToken(bearer) : this.#ofKey(bearer);
  }

  #ofKey(key: string): Credential {
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
    return known.credential;
  }

  #ofToken(token: string): Credential {
    // Looked up by its hash: how long a look-up takes must not tell how a token goes on that somebody has begun to guess.
    const digest = hash("sha256", token, "base64url");
    const verified = this.#verifiedTokens.get(digest);
    const now = this.#clock();
    if (verified?.expiresAt !== undefined && verified.expiresAt > now) return verified;
    this.#verifiedTokens.delete(digest);
    const credential = delegatedCredential(token, (id) => this.#keys.get(id), now);
    if (this.#verifiedTokens.size >= this.#mostVerified) {
      const [oldest = ""] = this.#verifiedTokens.keys();
      this.#verifiedTokens.delete(oldest);
    }
    this.#verifiedTokens.set(digest, credential);
    return credential;
  }
}

function isSame(left: ApiKeyEntry, right: ApiKeyEntry): boolean {
  const values = ({ hash, tokenKey, tenant, subject, roles, scopes, expiresAt }: ApiKeyEntry): string =>
    JSON.stringify([hash, tokenKey, tenant, subject, roles, scopes, expiresAt]);
  return values(left) === values(right);
}

function knownKey(entry: ApiKeyEntry): KnownKey {
  const { id, hash, tokenKey, tenant, subject, roles, scopes, expiresAt } = entry;
  const principal = { tenant: tenantId(tenant), subject: subject ?? `api-key:${id}`, roles, scopePatterns: scopes };
  return {
    entry,
    digest: Buffer.from(hash.slice("sha256:".length), "hex"),
    publicKey: tokenKey === undefined ? undefined : publicKeyOf(tokenKey),
    principal,
    expiresAt,
    credential: { principal, owner: principal, expiresAt },
  };
}
