import { LociError } from "@loci/domain";

/**
 * Something is sealed under keys that were not given.
 *
 * @param ids of those keys
 */
export function encryptionKeyMissing(ids: readonly string[], resource?: string): LociError {
  const [first] = ids;
  const named = ids.map((id) => JSON.stringify(id)).join(", ");
  return new LociError("ENCRYPTION_KEY_MISSING", {
    message:
      ids.length === 1
        ? `The encryption key ${named} is needed to read what is here, and it was not given.`
        : `The encryption keys ${named} are needed to read what is here, and not all of them were given.`,
    ...(resource === undefined ? {} : { resource }),
    details: first === undefined ? {} : { keyIds: ids.join(",") },
    advice:
      "Give the keys with these ids, beside the current one: in the file or variable that [encryption] or LOCI_ENCRYPTION_KEYS_FILE names, " +
      "or as the option `encryption`. A key can be taken away once `loci maintenance encrypt` has sealed everything under the current one.",
  });
}

/** What was sealed is not what stands there now, or it was sealed for another place. @param place what it is, without its text */
export function sealedTextDamaged(place: string): LociError {
  return new LociError("DATA_DIRECTORY_CORRUPT", {
    message: `${place} cannot be decrypted: it was altered, cut off, or put in the place of another one.`,
    advice: "Keep a copy of the data and restore the last backup.",
  });
}
