import type { KeyObject } from "node:crypto";
import { isSignedBy, longestDelegationSeconds, publicKeyOf, readDelegatedToken, type SignedToken } from "@loci/api";
import { coversPatterns, hasRole, type Instant, LociError, type Principal } from "@loci/loci";
import type { Credential } from "./credential.ts";

/** The API key that a token names. */
export interface DelegatingKey {
  readonly publicKey: KeyObject | undefined;
  readonly principal: Principal;
  readonly expiresAt: Instant | undefined;
}

/** How much later than here it may be where a token is made, in seconds. */
const clockSkewSeconds = 60;
/** Nobody's: verified against where there is no key, so that the time of the answer does not tell which ids exist. */
const nobodysKey = publicKeyOf("ed25519:TcDq-K41o8izX7Kd2CgcEfr7eOi8eqJvlFYk0ev7kVQ");

/** Has the form that delegated tokens have, and API keys never. */
export function looksDelegated(text: string): boolean {
  return text.includes(".");
}

/**
 * What a delegated token opens: never more than its key.
 *
 * @throws LociError `CREDENTIAL_INVALID`, `CREDENTIAL_EXPIRED`; no message holds any of the token
 */
export function delegatedCredential(
  text: string,
  keyOf: (id: string) => DelegatingKey | undefined,
  now: Instant,
): Credential {
  const token = readDelegatedToken(text);
  const key = token === undefined ? undefined : keyOf(token.keyId);
  if (token === undefined || !isSigned(token, key))
    throw invalid(
      "The delegated token is none of an API key of this server.",
      "Check that it is whole and of a key that is this server's, was not revoked, and has a token_key in its entry.",
    );
  const { principal } = key;
  const { issuedAt, scopes, roles } = token.claims;
  const expiresAt = Math.min(token.claims.expiresAt * 1_000, key.expiresAt ?? Infinity);
  if (key.expiresAt !== undefined && key.expiresAt <= now)
    throw new LociError("CREDENTIAL_EXPIRED", {
      message: `The API key of the delegated token expired at ${new Date(key.expiresAt).toISOString()}.`,
      advice: "Ask for a new key, and make tokens with that.",
    });
  if (expiresAt <= now)
    throw new LociError("CREDENTIAL_EXPIRED", {
      message: `The delegated token expired at ${new Date(expiresAt).toISOString()}.`,
      advice: "Make another one with the API key.",
    });
  if (token.claims.expiresAt - issuedAt > longestDelegationSeconds)
    throw invalid(
      `The delegated token is made for more than ${longestDelegationSeconds} seconds.`,
      "Make one for a shorter time.",
    );
  if (issuedAt > now / 1_000 + clockSkewSeconds)
    throw invalid(
      `The delegated token was made later than it is here, by more than ${clockSkewSeconds} seconds.`,
      "Set the clocks of both machines.",
    );
  const exceeded = !coversPatterns(principal, scopes)
    ? "a scope"
    : roles.some((role) => !hasRole(principal, role))
      ? "a role"
      : undefined;
  if (exceeded !== undefined)
    throw invalid(
      `The delegated token names ${exceeded} that its API key does not have.`,
      "Make one for what the key covers, or ask for a key that covers more.",
    );
  return { principal: { ...principal, scopePatterns: scopes, roles }, owner: principal, expiresAt };
}

function isSigned({ signedText, signature }: SignedToken, key: DelegatingKey | undefined): key is DelegatingKey {
  const isValid = isSignedBy(key?.publicKey ?? nobodysKey, signedText, signature);
  return key?.publicKey !== undefined && isValid;
}

function invalid(message: string, advice: string): LociError {
  return new LociError("CREDENTIAL_INVALID", { message, advice });
}
