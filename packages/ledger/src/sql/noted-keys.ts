import { LociError } from "@loci/domain";
import { encryptionKeyMissing, type Sealing } from "@loci/encryption";

/** Begins the names of settings that note the keys anything may be sealed with, each with a text that only it opens. */
export const keySettingPrefix = "encryption:key:";
/** The setting with the id of the key that is current for the whole ledger. */
export const currentKeySetting = "encryption:columns";
/** The setting that changes whenever rows may have come under keys that were not needed any more. */
export const arrivalsSetting = "encryption:arrivals";

const noteText = "loci";

/** A key that a ledger has noted. */
export interface NotedKey {
  readonly id: string;
  readonly note: string;
}

/** What a ledger notes of its current key. */
export function noteOf(sealing: Sealing): NotedKey {
  const id = sealing.current;
  return { id, note: sealing.seal(placeOf(id), noteText) };
}

/**
 * Checks that all keys are there that a ledger has noted, and are what they were.
 *
 * @param where what is encrypted, for the messages
 * @param sealing of the keys that were given. `undefined`: none
 * @throws LociError `ENCRYPTION_KEY_MISSING` when something may be sealed under a key that was not given;
 *   `INVALID_CONFIGURATION` for another key under its id
 */
export function checkNotedKeys(noted: readonly NotedKey[], where: string, sealing: Sealing | undefined): void {
  const missing = noted.filter(({ id }) => sealing?.has(id) !== true).map(({ id }) => id);
  if (missing.length > 0) throw encryptionKeyMissing(missing, where);
  for (const { id, note } of noted) {
    try {
      if (sealing?.open(placeOf(id), note) === noteText) continue;
    } catch (error) {
      if (!LociError.is(error)) throw error;
    }
    throw new LociError("INVALID_CONFIGURATION", {
      message: `${where} is encrypted with another key than the one that was given under the id ${JSON.stringify(id)}.`,
      field: `encryption.keys.${id}`,
      resource: where,
      advice: "Give the key that had this id when it was first used, and any new key under an id of its own.",
    });
  }
}

function placeOf(id: string): { readonly tenant: string; readonly path: readonly string[] } {
  return { tenant: "", path: ["key", id] };
}
