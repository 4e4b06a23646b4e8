import { LociError } from "@loci/domain";

/** The keys that text at rest is encrypted with. */
export interface EncryptionKeys {
  /** The id of the key that everything new is sealed with. */
  readonly current: string;
  /** By id, the current one among them: 32 bytes, or those in Base64. The others are for reading only. */
  readonly keys: Readonly<Record<string, Uint8Array | string>>;
}

/** Bytes of a key of AES-256. */
export const encryptionKeyBytes = 32;
const mostKeys = 64;
/** No dot: it ends the id in what is sealed. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/;
/** 32 bytes, in either alphabet of Base64. */
const base64Pattern = /^[A-Za-z0-9+/_-]{43}=?$/;

/**
 * Checks keys that came from outside.
 *
 * @returns the bytes of each key by its id, as a copy
 * @throws LociError `INVALID_CONFIGURATION`, which repeats no key
 */
export function checkEncryptionKeys({ current, keys }: EncryptionKeys): ReadonlyMap<string, Uint8Array> {
  if (typeof keys !== "object" || keys === null) throw refused("encryption.keys", "must be keys by their ids");
  const entries = Object.entries(keys);
  if (entries.length === 0 || entries.length > mostKeys)
    throw refused("encryption.keys", `has ${entries.length} keys, but 1 to ${mostKeys} are allowed`);
  const checked = new Map<string, Uint8Array>();
  for (const [place, [id, key]] of entries.entries()) {
    // What stands in the place of an id may be a key: it is not repeated.
    if (!idPattern.test(id))
      throw refused(
        "encryption.keys",
        `has an id that is none, of key ${place + 1}: letters, digits, _ and -, at most 40`,
      );
    checked.set(id, bytesOf(id, key));
  }
  if (typeof current !== "string" || !checked.has(current))
    throw refused("encryption.current", "is not the id of one of the keys");
  return checked;
}

function bytesOf(id: string, key: unknown): Uint8Array {
  if (key instanceof Uint8Array && key.length === encryptionKeyBytes) return Uint8Array.from(key);
  if (typeof key === "string" && base64Pattern.test(key)) {
    const bytes = Buffer.from(key, "base64");
    if (bytes.length === encryptionKeyBytes) return Uint8Array.from(bytes);
  }
  throw refused(`encryption.keys.${id}`, `must be ${encryptionKeyBytes} random bytes, or those in Base64`);
}

function refused(field: string, problem: string): LociError {
  return new LociError("INVALID_CONFIGURATION", {
    message: `${field} ${problem}.`,
    field,
    advice: "`loci key encryption` makes a key, as does `openssl rand -base64 32`.",
  });
}
