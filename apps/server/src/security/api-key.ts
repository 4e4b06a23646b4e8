import { hash, randomBytes } from "node:crypto";
import { tokenKeyOf } from "@loci/api";
import { type Instant, LociError, type Role } from "@loci/loci";

/**
 * What the server knows of an API key: everything but the key.
 *
 * The hash is a plain SHA-256. Slow hashes such as scrypt protect secrets that people choose and others can guess; nobody
 * guesses 256 random bits, and a slow hash would let anyone keep the server busy with wrong keys.
 */
export interface ApiKeyEntry {
  /** The part of the key that is no secret: 1 to 32 of `a-z`, `0-9` and `-`. */
  readonly id: string;
  /** `sha256:` and the hash of the whole key in lower-case hex. */
  readonly hash: string;
  /**
   * What delegated tokens of the key are verified with: `ed25519:` and a public key as base64url, which tells nothing of the
   * key. Default: none, and the key has no delegated tokens.
   */
  readonly tokenKey?: string | undefined;
  readonly tenant: string;
  /** The author of what is written with the key. Default `api-key:` and the id. */
  readonly subject?: string | undefined;
  readonly roles: readonly Role[];
  /** Exact scopes (`user:alice`), all of a kind (`user:*`), or everything (`*`). */
  readonly scopes: readonly string[];
  /** From then on the key is refused. Default: never. */
  readonly expiresAt?: Instant | undefined;
}

/** What {@link createApiKey} takes. */
export interface CreateApiKeyOptions extends Omit<ApiKeyEntry, "id" | "hash" | "tokenKey"> {
  /** Default: eight random hex digits. */
  readonly id?: string | undefined;
}

export interface NewApiKey {
  /** What the client sends, as `authorization: Bearer KEY`. Shown once: it cannot be got back from the entry. */
  readonly key: string;
  /** What goes into the server's configuration. */
  readonly entry: ApiKeyEntry;
}

export const apiKeyIdPattern: RegExp = /^[a-z0-9-]{1,32}$/;
export const apiKeyHashPattern: RegExp = /^sha256:[0-9a-f]{64}$/;
/** 32 bytes as base64url are 43 characters. */
export const tokenKeyPattern: RegExp = /^ed25519:[A-Za-z0-9_-]{43}$/;

const secretBytes = 32;

/**
 * Makes a key of the form `loci_ID_SECRET` with a random secret of 256 bits.
 *
 * @throws LociError `INVALID_IDENTIFIER` for the id
 */
export function createApiKey(options: CreateApiKeyOptions): NewApiKey {
  const { id = randomBytes(4).toString("hex"), ...rest } = options;
  if (!apiKeyIdPattern.test(id))
    throw new LociError("INVALID_IDENTIFIER", {
      message: "The id of an API key must be 1 to 32 of a-z, 0-9 and -.",
      field: "id",
      advice: "Choose a name such as ci, or leave it out.",
    });
  const key = `loci_${id}_${randomBytes(secretBytes).toString("base64url")}`;
  return { key, entry: { id, hash: `sha256:${hash("sha256", key)}`, tokenKey: tokenKeyOf(key), ...rest } };
}
