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
import { IssuerAway, issuerKeys, type IssuerNews } from "./issuer-keys.ts";
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
  readonly #audience: string[];
  readonly #issuers: ReadonlyMap<string, { readonly issuer: OAuthIssuer; readonly keys: JWTVerifyGetKey }>;

  /** @param onNews hears when the keys of an issuer do not come, and when they come again */
  constructor({ resource, issuers }: OAuthConfiguration, onNews?: (issuer: string, news: IssuerNews) => void) {
    // One without a path is written with and without a slash, and an issuer sends what was entered there.
    this.#audience =
      resource.pathname === "/" && resource.search === "" ? [resource.href, resource.origin] : [resource.href];
    this.#issuers = new Map(
      issuers.map((one) => {
        const keys = issuerKeys(one.keys, (news) => onNews?.(one.issuer, news));
        return [one.issuer, { issuer: one, keys }];
      }),
    );
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
      audience: this.#audience,
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

type Verifying = NonNullable<Parameters<typeof jwtVerify>[2]>;

async function verified(token: string, keys: JWTVerifyGetKey, options: Verifying): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keys, options)).payload;
  } catch (cause) {
    if (!(cause instanceof errors.JWKSMultipleMatchingKeys)) throw refusalOf(cause, options);
    return verifiedByOneOf(cause, token, options);
  }
}

/** Not every issuer names its keys, and then several may be the one. */
async function verifiedByOneOf(
  keys: errors.JWKSMultipleMatchingKeys,
  token: string,
  options: Verifying,
): Promise<JWTPayload> {
  for await (const key of keys)
    try {
      return (await jwtVerify(token, key, options)).payload;
    } catch (cause) {
      if (!(cause instanceof errors.JWSSignatureVerificationFailed)) throw refusalOf(cause, options);
    }
  throw refusalOf(new errors.JWSSignatureVerificationFailed(), options);
}

function refusalOf(cause: unknown, { audience }: Verifying): LociError {
  if (LociError.is(cause)) return cause;
  if (cause instanceof errors.JWTExpired) return expired();
  if (cause instanceof errors.JWTClaimValidationFailed) return invalidClaim(cause, [audience].flat()[0] ?? "");
  if (cause instanceof errors.JWKSNoMatchingKey)
    return invalid("It is signed with a key that its issuer does not publish.");
  if (cause instanceof errors.JOSEError) return invalid("Its signature is none of its issuer's.");
  const problem = cause instanceof IssuerAway ? "did not come" : "cannot be used";
  return new LociError("SERVER_UNAVAILABLE", {
    message: `The keys of the token's issuer ${problem}.`,
    advice: "Try again later. If it stays so, look at what jwks_uri in the file of --oauth answers with.",
    cause,
  });
}

/** What is said of the audience is no secret: everybody gets it with the metadata of this server. */
function invalidClaim({ claim, reason }: errors.JWTClaimValidationFailed, audience: string): LociError {
  if (claim === "aud") return invalid(`It is for another server: its aud is not ${audience}.`);
  if (claim === "nbf" && reason === "check_failed")
    return new LociError("CREDENTIAL_INVALID", {
      message: "The access token is not good yet: its nbf is later than it is here.",
      advice: "Set the clocks of the issuer and of this server.",
    });
  return invalid(reason === "missing" ? `It has no ${claim}.` : `Its ${claim} is not what it must be.`);
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
