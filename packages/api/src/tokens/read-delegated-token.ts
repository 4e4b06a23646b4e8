import { isScopePattern, type Role } from "@loci/domain";
import { isRole, mostDelegatedScopes, tokenAlgorithm, tokenType } from "./token-form.ts";

/** What a delegated token says. Times are seconds since 1970. */
export interface DelegatedClaims {
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly scopes: readonly string[];
  readonly roles: readonly Role[];
}

/** A token as it was sent. Nothing in it is true before the signature has been verified. */
export interface SignedToken {
  /** Of the API key that has signed it. */
  readonly keyId: string;
  readonly claims: DelegatedClaims;
  readonly signedText: string;
  readonly signature: Uint8Array;
}

/** Fifty scopes of ordinary length take half of it. */
const mostCharacters = 8 * 1024;
const keyIdForm = /^[a-z0-9-]{1,32}$/;

/**
 * Takes a delegated token apart.
 *
 * @returns `undefined` for what is none: another algorithm, another type, a claim that is missing, is not of its form, or is
 *   not known. What is not understood might narrow the token, so it is not passed over.
 */
export function readDelegatedToken(text: string): SignedToken | undefined {
  if (text.length > mostCharacters) return undefined;
  const parts = text.split(".");
  if (parts.length !== 3) return undefined;
  const [header, payload, signature] = parts.map(bytesOf);
  if (header === undefined || payload === undefined || signature?.length !== 64) return undefined;
  const { alg, typ, kid, ...moreHeaders } = objectOf(header);
  const { iat, exp, scopes, roles, ...moreClaims } = objectOf(payload);
  if (alg !== tokenAlgorithm || typ !== tokenType || typeof kid !== "string" || !keyIdForm.test(kid)) return undefined;
  if (!isSecond(iat) || !isSecond(exp) || exp <= iat) return undefined;
  if (!isListOf(scopes, (scope) => typeof scope === "string" && isScopePattern(scope))) return undefined;
  if (!isListOf(roles, isRole)) return undefined;
  if (Object.keys({ ...moreHeaders, ...moreClaims }).length > 0) return undefined;
  return {
    keyId: kid,
    claims: { issuedAt: iat, expiresAt: exp, scopes: scopes as readonly string[], roles: roles as readonly Role[] },
    signedText: `${parts[0]}.${parts[1]}`,
    signature,
  };
}

/** The bytes of one part, which can be written in one way only. */
function bytesOf(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, "base64url");
  return bytes.toString("base64url") === part ? bytes : undefined;
}

function objectOf(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

function isSecond(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 40;
}

function isListOf(value: unknown, isOne: (entry: unknown) => boolean): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.length <= mostDelegatedScopes && value.every(isOne);
}
