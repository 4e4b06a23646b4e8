import type { NonEmpty, ScopeText } from "@loci/loci";

/** What somebody is let in with. */
export interface Admission {
  /** What goes to Loci for them: an API key, or a delegated token. */
  readonly apiKey: string;
  /** The same for each of their requests, and nobody else's. */
  readonly principal: string;
  /** The same for all that share what there is a limited amount of: an API key with its tokens, or who an access token is for. */
  readonly owner: string;
  /** What is signed for them is signed with this. Every server derives the same. */
  readonly secret: Uint8Array;
  /** Absent: those of the configuration. */
  readonly scopes?: NonEmpty<ScopeText> | undefined;
  /** From then on it is over. Absent: Loci says so. */
  readonly expiresAt?: number | undefined;
}
