import { Code, ConnectError } from "@connectrpc/connect";
import { idOfApiKey, readDelegatedToken } from "@loci/api";
import { type Caller, ErrorInfoSchema, StatusService } from "@loci/api-web";
import { delegatedToken, LociError, roles } from "@loci/client";
import { hashOf, longestMilliseconds, type SessionCredential } from "./browser-sessions.ts";
import type { CalledServer } from "./called-server.ts";

const { getCaller } = StatusService.method;

/**
 * Exchanges an API key for what a session calls with: a delegated token of the key, for as long as a session may last and without the role
 * `admin`, which the page has no use for. The key is forgotten. A delegated token is taken as it is.
 *
 * @throws LociError `CREDENTIAL_INVALID` for what the server does not know, or a key that makes no tokens; ConnectError what the server
 *   says otherwise
 */
export async function signIn(server: CalledServer, bearer: string, signal: AbortSignal): Promise<SessionCredential> {
  // What no header can hold is nobody's key.
  if (!/^[\x21-\x7e]{1,8192}$/.test(bearer)) throw notKnown();
  const holder = hashOf(bearer);
  const caller = await callerOf(server, bearer, signal);
  // True now that the server knows it.
  const delegated = readDelegatedToken(bearer);
  const owner = delegated?.keyId ?? idOfApiKey(bearer) ?? "";
  if (delegated !== undefined) return { token: bearer, holder, owner };
  const token = tokenFor(bearer, caller);
  try {
    await callerOf(server, token, signal);
  } catch (error) {
    if (ConnectError.from(error).code !== Code.Unauthenticated && !LociError.is(error)) throw error;
    throw new LociError("CREDENTIAL_INVALID", {
      message: "This key opens the server, but no delegated token can be made of it.",
      advice: "Its entry has no token_key: loci key token-key prints it. Or sign in with a token of another key.",
    });
  }
  return { token, holder, owner };
}

async function callerOf(server: CalledServer, bearer: string, signal: AbortSignal): Promise<Caller> {
  const headers = new Headers({ authorization: `Bearer ${bearer}` });
  try {
    const { message } = await server.run(
      ({ transport }) => transport.unary(getCaller, signal, undefined, headers, {}),
      "caller",
    );
    if (message.caller !== undefined) return message.caller;
  } catch (error) {
    const refusal = ConnectError.from(error);
    if (refusal.code !== Code.Unauthenticated) throw error;
    throw whyRefused(refusal);
  }
  throw notKnown();
}

/** Who comes with what was good once is told so: a key that is not known would be looked for. */
function whyRefused(refusal: ConnectError): LociError {
  const [info] = refusal.findDetails(ErrorInfoSchema);
  if (info?.reason !== "CREDENTIAL_EXPIRED") return notKnown();
  return new LociError("CREDENTIAL_EXPIRED", { message: refusal.rawMessage, advice: info.metadata["advice"] });
}

function tokenFor(apiKey: string, { scopePatterns, roles: given }: Caller): string {
  try {
    return delegatedToken({
      apiKey,
      scopes: scopePatterns,
      roles: roles.filter((role) => role !== "admin" && given.includes(role)),
      expiresInSeconds: longestMilliseconds / 1_000,
    });
  } catch (cause) {
    throw new LociError("CREDENTIAL_INVALID", {
      message: "Of this key no token for the page can be made.",
      advice: "It has no role but admin, or too many scopes for one token. Sign in with a token: loci token makes one.",
      cause,
    });
  }
}

function notKnown(): LociError {
  return new LociError("CREDENTIAL_INVALID", {
    message: "The server does not know this key.",
    advice: "Pass the whole key as it was issued, or a delegated token that is not over.",
  });
}
