import type { Instant, Principal } from "@loci/loci";

/** What a call was let in with. */
export interface Credential {
  /** Who is calling, and what of the data is open to it. */
  readonly principal: Principal;
  /**
   * The principal of what is configured: of the API key, also when one of its delegated tokens was sent. What is revoked or
   * limited is this one, the same object for as long as its entry stays as it is.
   */
  readonly owner: Principal;
  /** From then on the call and its streams end. Default: never. */
  readonly expiresAt?: Instant | undefined;
}
