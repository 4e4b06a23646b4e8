import { LociError } from "@loci/domain";
import { migrations } from "./migrations.ts";

/** @throws LociError `DATA_DIRECTORY_TOO_NEW` */
export function checkVersion(found: number, schema: string, where: string): void {
  if (found <= migrations.length) return;
  throw new LociError("DATA_DIRECTORY_TOO_NEW", {
    message: `The schema ${schema} of ${where} has version ${found}, but this version of Loci knows only up to ${migrations.length}.`,
    resource: where,
    advice: "Use the Loci version that migrated it, or a newer one.",
  });
}

/**
 * Says that a newer server has migrated a schema while this one uses it.
 *
 * @param cause what was refused because of it. Absent: nothing yet
 */
export function overtaken(found: number, schema: string, where: string, cause?: unknown): LociError {
  const known = migrations.length;
  return new LociError("DATA_DIRECTORY_TOO_NEW", {
    message:
      `A newer Loci has migrated the schema ${schema} of ${where} to version ${found}, and this server knows only up to ${known}. ` +
      (cause === undefined
        ? "It goes on with what it has open, and cannot be started again."
        : "What it asked does not fit any more. Nothing was written."),
    resource: where,
    advice: "Start the newer version of Loci in place of this server.",
    cause,
  });
}
