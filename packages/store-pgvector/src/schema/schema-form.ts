import { LociError } from "@loci/domain";

/** Of the tables. Indexes can be made anew, so what is of another form is dropped and filled again, never migrated. */
export const schemaVersion = 4;

/**
 * Says that servers of a newer version have given the tables another form, also while this one had them open.
 *
 * @param version the form they have now
 */
export function tooNew(schema: string, version: number, cause?: unknown): LociError {
  return new LociError("DATA_DIRECTORY_TOO_NEW", {
    message:
      `A newer Loci has given the indexes in the schema ${schema} the form of version ${version}, and this version of Loci ` +
      `knows only up to ${schemaVersion}. Nothing of the call was applied.`,
    resource: schema,
    cause,
    advice:
      "Start the newer version in place of this one. What was written stands in the ledger, and servers of that version bring it " +
      "into the indexes. To stay on this version, stop all newer servers, drop the schema, and start this one again.",
  });
}
