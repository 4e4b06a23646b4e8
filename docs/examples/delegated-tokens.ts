import { delegatedToken } from "@loci/client";

/** What an agent gets that works for one user: no more than that user's memories, for a quarter of an hour. */
export function tokenFor(user: string, apiKey: string): string {
  return delegatedToken({ apiKey, scopes: [`user:${user}`], roles: ["read", "write"], expiresInSeconds: 15 * 60 });
}
