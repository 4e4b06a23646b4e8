import { randomBytes } from "node:crypto";
import { LociError } from "@loci/domain";
import { checkEncryptionKeys, encryptionKeyBytes, type EncryptionKeys } from "./encryption-keys.ts";

/**
 * A new key as a line of a file of keys.
 *
 * @param id Default: the day, such as `2026-11-28`
 * @throws LociError `INVALID_CONFIGURATION` for what is no id
 */
export function newEncryptionKey(id: string = new Date().toISOString().slice(0, 10)): string {
  const key = randomBytes(encryptionKeyBytes).toString("base64");
  checkEncryptionKeys({ current: id, keys: { [id]: key } });
  return `${id}:${key}`;
}

/**
 * Reads keys as files and environment variables hold them: `ID:KEY`, one a line or with commas between, the current one first.
 * Empty lines and those that begin with `#` are passed over.
 *
 * @throws LociError `INVALID_CONFIGURATION`, which repeats no key
 */
export function readEncryptionKeys(text: string): EncryptionKeys {
  const keys = new Map<string, string>();
  const lines = text.split(/[\n,]/).map((line) => line.trim());
  for (const [index, line] of lines.entries()) {
    if (line === "" || line.startsWith("#")) continue;
    const colon = line.indexOf(":");
    const id = line.slice(0, Math.max(0, colon)).trim();
    if (colon < 1) throw refused(`Key ${index + 1} has no id before a colon`);
    if (keys.has(id)) throw refused(`Key ${index + 1} has the id of one above it`);
    keys.set(id, line.slice(colon + 1).trim());
  }
  const [current] = keys.keys();
  if (current === undefined) throw refused("There is no key");
  const read = { current, keys: Object.fromEntries(keys) };
  checkEncryptionKeys(read);
  return read;
}

function refused(problem: string): LociError {
  return new LociError("INVALID_CONFIGURATION", {
    message: `${problem} among the encryption keys.`,
    field: "encryption",
    advice: "Write ID:KEY, one a line, the current key first. `loci key encryption` makes one.",
  });
}
