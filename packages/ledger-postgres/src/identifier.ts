import { LociError } from "@loci/domain";

/**
 * Checks a name that has to be part of a statement, because parameters cannot stand for names.
 *
 * @throws LociError `INVALID_CONFIGURATION`
 */
export function identifier(name: string, field: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(name)) return name;
  throw new LociError("INVALID_CONFIGURATION", {
    message: `${field} is not a name that needs no quoting: lower-case letters, digits and underscores, at most 63.`,
    field,
    advice: "Choose such a name.",
  });
}
