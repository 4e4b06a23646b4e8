import type { EncryptionKeys } from "@loci/loci";

const prefix = "LOCI_ENCRYPTION_";

/**
 * The keys that a directory which this process opens is encrypted with: by the variables that a server reads, too,
 * `LOCI_ENCRYPTION_KEYS_FILE` or `LOCI_ENCRYPTION_KEYS_VARIABLE`.
 *
 * @throws LociError `INVALID_CONFIGURATION`, which repeats no key
 */
export async function encryptionSettings(): Promise<EncryptionKeys | undefined> {
  // Other settings of a server are not this command's: they may well be wrong here.
  const said = Object.entries(process.env).filter(([name, value]) => name.startsWith(prefix) && value !== "");
  const environment = Object.fromEntries(
    said.filter(([name]) => name === `${prefix}KEYS_FILE` || name === `${prefix}KEYS_VARIABLE`),
  );
  if (Object.keys(environment).length === 0) return undefined;
  // Takes longer to load than most commands take to run.
  const { configuredEncryption, loadConfiguration } = await import("@loci/server");
  return configuredEncryption(loadConfiguration({ environment }), process.env);
}
