import { scoringProfileNames } from "@loci/core";
import type { Variant } from "./variant.ts";

/** What people get who name no profile. */
export const defaultProfile: Variant = { name: "Loci, default profile", profile: undefined };

/** The default first, then every profile by its name. */
export const shippedProfiles: readonly Variant[] = [
  defaultProfile,
  ...scoringProfileNames.map((profile): Variant => ({ name: `Loci, profile ${profile}`, profile })),
];

/** The published weights, for comparison: they make no claim to be better than a plain search. */
export const unclaimedProfile = "Loci, profile assistant";
