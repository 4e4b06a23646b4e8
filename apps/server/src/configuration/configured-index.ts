import type { IndexChoice, OpenEngineOptions } from "@loci/loci";
import { readSecret } from "./read-secret.ts";
import type { ServerConfiguration } from "./server-configuration.ts";

/**
 * Where the configuration has the indexes. What is configured but not in use can be moved to
 * (`loci reindex --to pgvector`).
 *
 * @throws LociError `INVALID_CONFIGURATION` when a connection string or key cannot be read
 */
export function configuredIndex({ index }: ServerConfiguration): Pick<OpenEngineOptions, "index" | "indexes"> {
  const { use } = index;
  const choices = [...pgvectorIndex(index), ...pineconeIndex(index)];
  const used = choices.find(({ kind }) => kind === use);
  if (used === undefined)
    return { index: use === "pgvector" || use === "pinecone" ? undefined : use, indexes: choices };
  return { index: used, indexes: choices.filter((choice) => choice !== used) };
}

type OutsideChoice = Exclude<IndexChoice, string>;

function pgvectorIndex({ pgvector }: ServerConfiguration["index"]): readonly OutsideChoice[] {
  if (pgvector === undefined) return [];
  const { connectionString, vectorIndex, ...options } = pgvector;
  return [
    { kind: "pgvector", ...options, connectionString: readSecret(connectionString, "index"), index: vectorIndex },
  ];
}

function pineconeIndex({ pinecone }: ServerConfiguration["index"]): readonly OutsideChoice[] {
  if (pinecone === undefined) return [];
  return [{ kind: "pinecone", ...pinecone, apiKey: readSecret(pinecone.apiKey, "Pinecone index") }];
}
