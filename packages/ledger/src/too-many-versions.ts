import { LociError } from "@loci/domain";
import type { KnownAtQuery } from "./ledger-memories.ts";

/** What `asKnownAt` rejects with when it would have to give more than it may. */
export function tooManyVersions({ scopes, knownAt, limit }: KnownAtQuery): LociError {
  return new LociError("TOO_MANY_VERSIONS", {
    message: `The ${scopes.length} scopes held more than ${limit} memories at ${new Date(knownAt).toISOString()}. What was known at a time is found by looking at each of them, at most ${limit}.`,
    field: "knownAt",
    details: { limit: String(limit), scopes: String(scopes.length) },
    advice: "Ask fewer or narrower scopes, or leave out knownAt and ask with validAt what was true then.",
  });
}
