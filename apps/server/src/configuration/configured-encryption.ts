import { type EncryptionKeys, LociError, readEncryptionKeys } from "@loci/loci";
import { readSecret } from "./read-secret.ts";
import type { ServerConfiguration } from "./server-configuration.ts";

/**
 * The keys that the configuration says the place of. `undefined`: nothing is encrypted.
 *
 * @throws LociError `INVALID_CONFIGURATION`, which repeats no key
 */
export function configuredEncryption(
  { encryption }: Pick<ServerConfiguration, "encryption">,
  environment?: NodeJS.ProcessEnv,
): EncryptionKeys | undefined {
  const secret = readSecret(encryption, "the encryption keys, as ID:KEY, the current one first", environment);
  if (secret === undefined) return undefined;
  try {
    return readEncryptionKeys(secret);
  } catch (error) {
    if (!LociError.is(error) || encryption === undefined) throw error;
    throw new LociError("INVALID_CONFIGURATION", {
      message: `${encryption.file ?? `The environment variable ${encryption.variable ?? ""}`}: ${error.message}`,
      field: "encryption",
      advice: error.advice ?? "`loci key encryption` makes a key.",
    });
  }
}
