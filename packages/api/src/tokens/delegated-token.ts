import { sign } from "node:crypto";
import { type Instant, isScopePattern, LociError, type Role, roles as allRoles, shownValue } from "@loci/domain";
import { idOfApiKey } from "./api-key-form.ts";
import { isRole, longestDelegationSeconds, mostDelegatedScopes, tokenAlgorithm, tokenType } from "./token-form.ts";
import { signingKeyOf } from "./token-key.ts";

/** What {@link delegatedToken} takes. */
export interface DelegatedTokenOptions {
  /** The whole key, as it was issued. It stays where it is: the token does not hold it. */
  readonly apiKey: string;
  /** What the token may touch, 1 to 50: scopes (`user:ann`), all of a kind (`user:*`), or `*`. The key must cover each. */
  readonly scopes: readonly string[];
  /** What the token may do, at least one. The key must have each. */
  readonly roles: readonly Role[];
  /** How long it is valid: whole seconds, 1 to 86,400 (24 hours). */
  readonly expiresInSeconds: number;
  /** When it is made, in milliseconds since 1970. Default: now. */
  readonly now?: Instant | undefined;
}

/**
 * Makes a short-lived token that may do a part of what an API key may: for one user, with fewer roles. Nothing is asked of
 * a server, so a backend makes one for each of its users. It is sent in place of the key, and revoked with it.
 *
 * It is a JSON Web Token, signed with Ed25519 by a private key that is derived from the API key. What is written with it has
 * the key's subject as its author, and its calls count as the key's.
 *
 * The server decides by its own clock: a token is over at its last second, and one that was made more than 60 s later than
 * the server's time is refused. One that asks for more than its key has is refused as a whole.
 *
 * @throws LociError `INVALID_CONFIGURATION`, naming the field; no message holds the key
 */
export function delegatedToken(options: DelegatedTokenOptions): string {
  const { apiKey, scopes, roles, expiresInSeconds, now = Date.now() } = options;
  const id = typeof apiKey === "string" ? idOfApiKey(apiKey) : undefined;
  if (id === undefined)
    throw refuse("apiKey", "is not an API key", "Pass the whole key as it was issued: loci_ID_SECRET.");
  if (!Array.isArray(scopes) || scopes.length === 0 || scopes.length > mostDelegatedScopes)
    throw refuse("scopes", `must be a list of 1 to ${mostDelegatedScopes} scopes`, 'For example ["user:ann"].');
  for (const scope of scopes as readonly unknown[])
    if (typeof scope !== "string" || !isScopePattern(scope))
      throw refuse("scopes", `holds ${shownValue(scope)}, which is not a scope`, "Use user:ann, user:* or *.");
  if (!Array.isArray(roles) || roles.length === 0 || !roles.every(isRole))
    throw refuse("roles", "must be a list of roles, at least one", `Use some of ${allRoles.join(", ")}.`);
  if (!Number.isInteger(expiresInSeconds) || expiresInSeconds < 1 || expiresInSeconds > longestDelegationSeconds)
    throw refuse(
      "expiresInSeconds",
      `must be a whole number from 1 to ${longestDelegationSeconds}, but is ${shownValue(expiresInSeconds)}`,
      "Make a token for as long as its user needs it, such as 900, and another one later.",
    );
  const issuedAt = Math.floor(now / 1_000);
  const claims = { iat: issuedAt, exp: issuedAt + expiresInSeconds, scopes, roles };
  const signed = `${encoded({ alg: tokenAlgorithm, typ: tokenType, kid: id })}.${encoded(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed), signingKeyOf(apiKey)).toString("base64url")}`;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function refuse(field: string, problem: string, advice: string): LociError {
  return new LociError("INVALID_CONFIGURATION", { message: `${field} ${problem}.`, field, advice });
}
