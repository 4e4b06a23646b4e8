import { readFileSync } from "node:fs";
import { LociError } from "@loci/loci";
import type { SecretPlace } from "./server-configuration.ts";

/** More than any key takes. */
const maxSecretLength = 64 * 1024;

/**
 * Reads a secret from its file or environment variable.
 *
 * @param of what it belongs to, for errors, which never hold the secret
 * @throws LociError `INVALID_CONFIGURATION` when the place is empty or cannot be read
 */
export function readSecret(place: SecretPlace, of: string, environment?: NodeJS.ProcessEnv): string;
export function readSecret(
  place: SecretPlace | undefined,
  of: string,
  environment?: NodeJS.ProcessEnv,
): string | undefined;
export function readSecret(
  place: SecretPlace | undefined,
  of: string,
  environment: NodeJS.ProcessEnv = process.env,
): string | undefined {
  if (place === undefined) return undefined;
  const { file, variable = "" } = place;
  const name = file ?? `the environment variable ${variable}`;
  const secret = (file === undefined ? environment[variable] : fileText(file, of))?.trim() ?? "";
  if (secret === "" || secret.length > maxSecretLength) throw unreadable(of, `${name} is empty or too long`);
  return secret;
}

function fileText(file: string, of: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown reason";
    throw unreadable(of, `${file} cannot be read (${code})`);
  }
}

function unreadable(of: string, problem: string): LociError {
  return new LociError("INVALID_CONFIGURATION", {
    message: `The key of the ${of}: ${problem}.`,
    advice: "Put the key there, and nothing else, or take the setting away.",
  });
}
