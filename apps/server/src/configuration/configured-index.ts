import { type IndexAdapter, indexAdapters, indexKinds, type IndexChoice, type OpenEngineOptions } from "@loci/loci";
import { readSecret } from "./read-secret.ts";
import type { SecretPlace, ServerConfiguration } from "./server-configuration.ts";

type OutsideChoice = Exclude<IndexChoice, string>;

/**
 * Where the configuration has the indexes. What is configured but not in use can be moved to
 * (`loci reindex --to pgvector`).
 *
 * @throws LociError `INVALID_CONFIGURATION` when a connection string or key cannot be read
 */
export function configuredIndex({ index }: ServerConfiguration): Pick<OpenEngineOptions, "index" | "indexes"> {
  const choices = indexAdapters.flatMap((adapter) => configuredChoice(adapter, index));
  const used = choices.find(({ kind }) => kind === index.use);
  if (used === undefined) return { index: indexKinds.find((kind) => kind === index.use), indexes: choices };
  return { index: used, indexes: choices.filter((choice) => choice !== used) };
}

/** One outside of the data directory, if it is configured, with its secret. */
function configuredChoice(
  { name, secret }: IndexAdapter,
  configuration: ServerConfiguration["index"],
): readonly OutsideChoice[] {
  const options = (configuration as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>)[name];
  if (options === undefined || secret === undefined) return [];
  const value = readSecret(options[secret.option] as SecretPlace, `${secret.called} of the ${secret.of}`);
  return [{ kind: name, ...options, [secret.option]: value } as OutsideChoice];
}
