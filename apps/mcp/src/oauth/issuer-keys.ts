import { createRemoteJWKSet, customFetch, type FetchImplementation, type JWTVerifyGetKey } from "jose";

/** How long the keys of an issuer may take to come, in milliseconds. */
const timeLimit = 5_000;
/** Of what an issuer answers. Keys take a kilobyte or two each. */
const mostBytes = 1024 * 1024;
/** So long nobody asks again after an answer that was none, in milliseconds: whoever sends a token makes this server ask. */
const pauseMilliseconds = 2_000;

/** The public keys of an issuer, asked for when a token names one that is not known, every 30 s at most. */
export function issuerKeys(url: URL): JWTVerifyGetKey {
  let failedAt = -Infinity;
  const ask: FetchImplementation = async (...request) => {
    if (performance.now() - failedAt < pauseMilliseconds) throw new Error("The issuer has just failed to answer.");
    try {
      return await askOnce(...request);
    } catch (error) {
      failedAt = performance.now();
      throw error;
    }
  };
  return createRemoteJWKSet(url, { timeoutDuration: timeLimit, [customFetch]: ask });
}

async function askOnce(...[url, options]: Parameters<FetchImplementation>): Promise<Response> {
  // A redirect would have this server ask wherever the answer says.
  const answer = await fetch(url, options);
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new Error(`The issuer answers with ${answer.status}.`);
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    if (bytes > mostBytes) throw new Error(`The issuer answers with more than ${mostBytes} bytes.`);
    parts.push(part);
  }
  return new Response(Buffer.concat(parts));
}
