import { readFileSync } from "node:fs";
import { LociError } from "@loci/loci";
import type { SecretPlace } from "./server-configuration.ts";

/** More than any key takes. */
const maxSecretLength = 64 * 1024;

/**
 * Reads a secret from its file or environment variable.
 *
 * @param what it is, such as "the key of the embedder", for errors, which never hold the secret
 * @throws LociError `INVALID_CONFIGURATION` when the place is empty or cannot be read
 */
export function readSecret(place: SecretPlace, what: string, environment?: NodeJS.ProcessEnv): string;
export function readSecret(
  place: SecretPlace | undefined,
  what: string,
  environment?: NodeJS.ProcessEnv,
): string | undefined;
export function readSecret(
  place: SecretPlace | undefined,
  what: string,
  environment: NodeJS.ProcessEnv = process.env,
): string | undefined {
  if (place === undefined) return undefined;
  const { file, variable = "" } = place;
  const name = file ?? `The environment variable ${variable}`;
  const text = file === undefined ? environment[variable] : fileText(file, what);
  if (text === undefined) throw unreadable(what, `${name} is not set`);
  const secret = text.trim();
  if (secret === "" || secret.length > maxSecretLength) throw unreadable(what, `${name} is empty or too long`);
  return secret;
}

function fileText(file: string, what: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown reason";
    throw unreadable(what, `${file} cannot be read (${code})`);
  }
}

function unreadable(what: string, problem: string): LociError {
  return new LociError("INVALID_CONFIGURATION", {
    message: `${problem}. It should hold ${what}.`,
    advice: "Put that there, and nothing else, or take the setting away.",
  });
}
