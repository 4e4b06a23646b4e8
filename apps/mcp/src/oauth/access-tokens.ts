import { hash, hkdfSync } from "node:crypto";
import { delegatedToken } from "@loci/api";
import {
  formatScope,
  isScopePattern,
  LociError,
  type NonEmpty,
  parseScope,
  type Role,
  type ScopeText,
} from "@loci/loci";
import { decodeJwt, errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from "jose";
import type { Admission } from "../http/admission.ts";
import { issuerKeys } from "./issuer-keys.ts";
import type { OAuthConfiguration, OAuthIssuer } from "./oauth-configuration.ts";

/** Scopes of an access token, and the roles of Loci that they stand for. Where people may decide there is no more than these. */
export const roleOfScope: Readonly<Record<string, Role>> = {
  "loci.read": "read",
  "loci.write": "write",
  "loci.approve": "approve",
};

/** Scopes of Loci that one token opens: as many as a delegated token names. */
const mostScopes = 50;
const longestSeconds = 86_400;
const clockToleranceSeconds = 5;

/**
 * Access tokens of OAuth 2.1. They end here: what goes on to Loci is a delegated token of the tenant's API key, for the scopes that the claims name
 * and for as long as the access token is good.
 */
export class AccessTokens {
  readonly #resource: string;
  readonly #issuers: ReadonlyMap<string, { readonly issuer: OAuthIssuer; readonly keys: JWTVerifyGetKey }>;

  constructor({ resource, issuers }: OAuthConfiguration) {
    this.#resource = resource.href;
    this.#issuers = new Map(issuers.map((issuer) => [issuer.issuer, { issuer, keys: issuerKeys(issuer.keys) }]));
  }

  /**
   * @throws LociError `CREDENTIAL_INVALID`, `CREDENTIAL_EXPIRED`; `ROLE_REQUIRED` for a token without a scope of Loci;
   *   `SERVER_UNAVAILABLE` when the keys of the issuer do not come
   */
  async admit(token: string): Promise<Admission> {
    const known = this.#issuers.get(issuerOf(token));
    if (known === undefined) throw invalid("Its issuer is not one that this server knows.");
    const { issuer, keys } = known;
    const claims = await verified(token, keys, {
      issuer: issuer.issuer,
      audience: this.#resource,
      algorithms: [...issuer.algorithms],
      requiredClaims: ["exp", "sub"],
      clockTolerance: clockToleranceSeconds,
    });
    const tenant = issuer.tenantClaim === undefined ? "" : claims[issuer.tenantClaim];
    const apiKey = typeof tenant === "string" ? issuer.apiKeys.get(tenant) : undefined;
    if (apiKey === undefined) throw invalid("It names no tenant of this server.");
    const scopes = scopesOf(issuer, claims);
    const roles = rolesOf(claims);
    const now = Date.now();
    const seconds = Math.min(longestSeconds, Math.floor((claims.exp ?? 0) + clockToleranceSeconds - now / 1_000));
    if (seconds < 1) throw expired();
    const principal = JSON.stringify([issuer.issuer, tenant, claims.sub]);
    return {
      apiKey: delegatedToken({ apiKey, scopes, roles, expiresInSeconds: seconds, now }),
      principal: hash("sha256", principal, "base64url"),
      owner: principal,
      secret: new Uint8Array(hkdfSync("sha256", apiKey, principal, "loci mcp request state 1", 32)),
      scopes,
      expiresAt: now + seconds * 1_000,
    };
  }
}

/** Not believed before the signature of that issuer is verified. */
function issuerOf(token: string): string {
  try {
    return decodeJwt(token).iss ?? "";
  } catch {
    throw invalid("It is neither a key or token of Loci nor an access token.");
  }
}

async function verified(
  token: string,
  keys: JWTVerifyGetKey,
  options: NonNullable<Parameters<typeof jwtVerify>[2]>,
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keys, options)).payload;
  } catch (cause) {
    if (cause instanceof errors.JWTExpired) throw expired();
    if (cause instanceof errors.JWTClaimValidationFailed) throw invalid(`Its ${cause.claim} is not what it must be.`);
    const isToken =
      cause instanceof errors.JOSEError &&
      !(cause instanceof errors.JWKSTimeout || cause instanceof errors.JWKSInvalid);
    // The library has no name of its own for an answer of the issuer that is an error.
    if (isToken && cause.code !== "ERR_JOSE_GENERIC") throw invalid("Its signature is none of its issuer's.");
    throw new LociError("SERVER_UNAVAILABLE", {
      message: "The keys of the token's issuer did not come.",
      advice: "Try again later. If it stays so, look at jwks_uri in the file of --oauth.",
      cause,
    });
  }
}

function rolesOf({ scope, scp }: JWTPayload): readonly Role[] {
  const given: unknown = scope ?? scp;
  const names: readonly unknown[] = typeof given === "string" ? given.split(" ") : Array.isArray(given) ? given : [];
  const roles = Object.entries(roleOfScope).flatMap(([name, role]) => (names.includes(name) ? [role] : []));
  if (roles.length > 0) return roles;
  throw new LociError("ROLE_REQUIRED", {
    message: "The access token has no scope of Loci.",
    advice: `Ask for one with ${Object.keys(roleOfScope).join(", ")}.`,
  });
}

function scopesOf({ scopes }: OAuthIssuer, claims: JWTPayload): NonEmpty<ScopeText> {
  const texts = scopes.flatMap((template) => {
    const [before = "", claim, after = ""] = template.split(/[{}]/u);
    if (claim === undefined) return [before];
    const value = claims[claim];
    return (Array.isArray(value) ? (value as readonly unknown[]) : [value]).flatMap((one) =>
      typeof one === "string" && one !== "" ? [`${before}${one}${after}`] : [],
    );
  });
  const named = [...new Set(texts.map((text) => scopeOf(text)))];
  const [first, ...rest] = named;
  if (first === undefined) throw invalid("Its claims name no scope.");
  if (named.length > mostScopes) throw invalid(`Its claims name more than ${mostScopes} scopes.`);
  return [first, ...rest];
}

function scopeOf(text: string): ScopeText {
  try {
    const scope = formatScope(parseScope(text));
    // Some that a name may have, such as a star at its end, no token may name.
    if (isScopePattern(scope)) return scope;
  } catch {
    // Said below.
  }
  throw invalid("A claim names what cannot be a scope.");
}

function invalid(problem: string): LociError {
  return new LociError("CREDENTIAL_INVALID", {
    message: `The access token is not taken. ${problem}`,
    advice: "Ask the issuer for one that is for this server.",
  });
}

function expired(): LociError {
  return new LociError("CREDENTIAL_EXPIRED", { message: "The access token is over.", advice: "Ask for a new one." });
}
