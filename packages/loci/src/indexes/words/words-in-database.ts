import type { PostgresLedgerOptions } from "@loci/ledger-postgres";
import type { Words } from "./words.ts";
import { wordsInFiles } from "./words-in-files.ts";

/** After the ledger's schema, which holds memories and no index. */
const schemaEnding = "_words";

/**
 * Words in the ledger's database, in a schema beside its own: no server has anything that another one lacks. Files from before it was
 * so are removed.
 */
export function wordsInDatabase(
  { connectionString, schema: ledgerSchema = "loci" }: Pick<PostgresLedgerOptions, "connectionString" | "schema">,
  directory: string,
): Words {
  const schema = `${ledgerSchema}${schemaEnding}`;
  const files = wordsInFiles(directory);
  return {
    open: async (directoryName, { ledger }) => {
      const { openPostgresWords } = await import("@loci/store-pgvector");
      const words = await openPostgresWords({ connectionString, schema, owner: ledger });
      await files.remove(directoryName);
      return words;
    },
    remove: async (directoryName) => {
      const { removePgvectorStore } = await import("@loci/store-pgvector");
      await removePgvectorStore({ connectionString, schema });
      await files.remove(directoryName);
    },
  };
}
