import { type Instant, LociError } from "@loci/loci";

/** The longest time that timers can wait, in milliseconds: 24.8 days. */
const longestWait = 2 ** 31 - 1;

/**
 * Ends a call when the credential is over that it was let in with: a stream would go on for as long as its caller likes.
 *
 * @param expiresAt in milliseconds of the clock; `undefined`: never
 * @returns what to call when the call has ended by itself
 */
export function endWhenExpired(end: AbortController, expiresAt: Instant | undefined, clock: () => Instant): () => void {
  if (expiresAt === undefined) return nothing;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    timer = setTimeout(
      () => (clock() < expiresAt ? wait() : end.abort(expired(expiresAt))),
      Math.min(expiresAt - clock(), longestWait),
    );
  };
  wait();
  return () => clearTimeout(timer);
}

function nothing(): void {}

function expired(expiresAt: Instant): LociError {
  return new LociError("CREDENTIAL_EXPIRED", {
    message: `The credential expired at ${new Date(expiresAt).toISOString()}, while the call was under way.`,
    advice: "Go on with a new one: a watch from the cursor that came last.",
  });
}
