import type { IndexChoice, OpenEngineOptions } from "@loci/loci";
import { readSecret } from "./read-secret.ts";
import type { ServerConfiguration } from "./server-configuration.ts";

/**
 * Where the configuration has the indexes. PostgreSQL that is configured but not in use can be moved to
 * (`loci reindex --index pgvector`).
 *
 * @throws LociError `INVALID_CONFIGURATION` when the connection string cannot be read
 */
export function configuredIndex({ index }: ServerConfiguration): Pick<OpenEngineOptions, "index" | "indexes"> {
  const { use, pgvector } = index;
  if (pgvector === undefined) return { index: use === "pgvector" ? undefined : use };
  const { connectionString, vectorIndex, ...options } = pgvector;
  const choice: Exclude<IndexChoice, string> = {
    kind: "pgvector",
    ...options,
    connectionString: readSecret(connectionString, "index"),
    index: vectorIndex,
  };
  return use === "pgvector" ? { index: choice } : { index: use, indexes: [choice] };
}
