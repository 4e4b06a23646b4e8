import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from "jose";
import { LociError } from "@loci/loci";

/** How long the keys of an issuer may take to come, in milliseconds. */
const timeLimit = 5_000;
/** Of what an issuer answers. Keys take a kilobyte or two each. */
const mostBytes = 1024 * 1024;
/** So long nobody asks again after an answer that was none, in milliseconds: whoever sends a token makes this server ask. */
const pauseMilliseconds = 2_000;
/** For a key that is not known it is asked again after so long, in milliseconds: an issuer may sign with a new one as soon as it is published. */
const newKeyMilliseconds = 5_000;
/** Keys that came longer ago are asked for again, in milliseconds: some may be taken back. */
const freshMilliseconds = 10 * 60_000;
/**
 * So long the keys that came last count while the issuer does not answer, in milliseconds. Longer would trust one that was taken back, and few
 * access tokens are good for longer.
 */
const longestMilliseconds = 60 * 60_000;

/** What has become of the keys of an issuer. */
export type IssuerNews =
  | { readonly came: true }
  /** `problem` is for people, and holds nothing of what was answered. */
  | { readonly came: false; readonly problem: string };

/** The issuer has not answered with its keys. */
export class IssuerAway extends Error {
  override readonly name = "IssuerAway";
}

/**
 * The public keys of an issuer. They are asked for when a token names one that is not known, and every ten minutes. While the issuer does not
 * answer, those that came last count for an hour.
 *
 * @param onNews hears when keys do not come, and when they come again
 */
export function issuerKeys(url: URL, onNews: (news: IssuerNews) => void = () => undefined): JWTVerifyGetKey {
  let cameAt = -Infinity;
  let failedAt = -Infinity;
  let answers = 0;
  let isFailing = false;
  const ask: FetchImplementation = async (...request) => {
    if (performance.now() - failedAt < pauseMilliseconds) throw new IssuerAway("The issuer has just failed to answer.");
    try {
      const keys = await keySetOf(await askOnce(...request));
      cameAt = Date.now();
      answers++;
      if (isFailing) onNews({ came: true });
      isFailing = false;
      return Response.json(keys);
    } catch (cause) {
      failedAt = performance.now();
      const problem = problemOf(cause);
      if (!isFailing) onNews({ came: false, problem });
      isFailing = true;
      throw new IssuerAway(problem, { cause });
    }
  };
  const keys = createRemoteJWKSet(url, {
    timeoutDuration: timeLimit,
    cooldownDuration: newKeyMilliseconds,
    cacheMaxAge: longestMilliseconds,
    [customFetch]: ask,
  });
  return async (header, token) => {
    const before = answers;
    const age = Date.now() - cameAt;
    if (age > freshMilliseconds && age < longestMilliseconds) {
      const coming = keys.reload().catch(() => undefined);
      // Nobody waits for one that did not answer before.
      if (!isFailing) await coming;
    }
    try {
      return await keys(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey && answers === before) throw maybePublished();
      throw error;
    }
  };
}

/** One that says that the token is wrong would have a client throw away what may be good in a moment. */
function maybePublished(): LociError {
  return new LociError("SERVER_UNAVAILABLE", {
    message: `The access token is signed with a key that its issuer had not published when it was asked last, less than ${newKeyMilliseconds / 1_000} seconds ago.`,
    advice: "Try again in a few seconds.",
  });
}

async function askOnce(...[url, options]: Parameters<FetchImplementation>): Promise<Buffer> {
  const answer = await fetch(url, options);
  if (!answer.ok) {
    await answer.body?.cancel();
    // A redirect would have this server ask wherever the answer says.
    const more = answer.status >= 300 && answer.status < 400 ? ", and it is not followed elsewhere" : "";
    throw new IssuerAway(`It answers with ${answer.status}${more}.`);
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    if (bytes > mostBytes) throw new IssuerAway(`It answers with more than ${mostBytes} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function keySetOf(body: Buffer): Promise<JSONWebKeySet> {
  try {
    const keys = JSON.parse(body.toString()) as JSONWebKeySet;
    createLocalJWKSet(keys);
    return keys;
  } catch {
    throw new IssuerAway("It answers with what is no set of keys (JWKS).");
  }
}

function problemOf(error: unknown): string {
  if (error instanceof IssuerAway) return error.message;
  if (!(error instanceof Error)) return "It cannot be reached.";
  if (error.name === "TimeoutError") return `It does not answer within ${timeLimit / 1_000} seconds.`;
  const code = error.cause instanceof Error && "code" in error.cause ? ` (${String(error.cause.code)})` : "";
  return `It cannot be reached${code}.`;
}
