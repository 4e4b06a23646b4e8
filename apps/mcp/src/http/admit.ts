import { hash, hkdfSync } from "node:crypto";
import { idOfApiKey, readDelegatedToken } from "@loci/api";
import { formatScope, type NonEmpty, parseScope, type ScopeText } from "@loci/loci";
import type { AccessTokens } from "../oauth/access-tokens.ts";
import type { Admission } from "./admission.ts";

/**
 * Reads the credential of a request. An API key or delegated token of Loci goes on as it is, to be looked at by the Loci server.
 *
 * @throws LociError what `AccessTokens.admit` throws
 */
export async function admit(bearer: string, tokens: AccessTokens | undefined): Promise<Admission> {
  const delegated = readDelegatedToken(bearer);
  // API keys have no dots.
  if (tokens !== undefined && delegated === undefined && bearer.includes(".")) return tokens.admit(bearer);
  return {
    apiKey: bearer,
    principal: hash("sha256", bearer, "base64url"),
    owner: delegated?.keyId ?? idOfApiKey(bearer) ?? "",
    secret: new Uint8Array(hkdfSync("sha256", bearer, "", "loci mcp request state 1", 32)),
    scopes: namedWhole(delegated?.claims.scopes ?? []),
    expiresAt: delegated && delegated.claims.expiresAt * 1_000,
  };
}

/** Of patterns those that name one scope. What is true of them is said by the server that is called with the token. */
function namedWhole(patterns: readonly string[]): NonEmpty<ScopeText> | undefined {
  const [first, ...rest] = patterns
    .filter((pattern) => !pattern.endsWith("*"))
    .map((pattern) => formatScope(parseScope(pattern)));
  return first === undefined ? undefined : [first, ...rest];
}
