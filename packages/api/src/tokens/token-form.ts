import { type Role, roles } from "@loci/domain";

/** A delegated token is over after this time at the latest. */
export const longestDelegationSeconds: number = 24 * 60 * 60;
export const mostDelegatedScopes = 50;

/** The type in the header of each delegated token, so that no other signed token is taken for one (RFC 8725, section 3.11). */
export const tokenType = "loci-token+jwt";
/** Ed25519. There is no choice, and so nothing to confuse (RFC 8725, section 3.1). */
export const tokenAlgorithm = "EdDSA";

export function isRole(value: unknown): value is Role {
  return roles.some((role) => role === value);
}
