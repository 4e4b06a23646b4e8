import { LociError } from "@loci/domain";

/**
 * What to do when an adapter that not everybody installs cannot be loaded. Bundlers are told to leave its import alone: what is
 * not installed is no error while they build.
 *
 * @throws LociError `INVALID_CONFIGURATION`
 */
export function missingPackage(name: string): (cause: unknown) => never {
  return (cause) => {
    const reason = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
    throw new LociError("INVALID_CONFIGURATION", {
      message: `The chosen index needs the package ${name}, which cannot be loaded: ${reason}.`,
      field: "index",
      advice: `Install it with npm install ${name}, or choose another index.`,
      cause,
    });
  };
}
