import { type IndexChoice, type IndexKind, indexKinds, LociError } from "@loci/loci";
import { Option } from "commander";

/** Where the indexes of a data directory live. */
export type IndexOption = IndexKind | "pgvector";

/** Not an option: other users of this machine see those, and it holds a password. */
const connectionVariable = "LOCI_INDEX_CONNECTION_STRING";

/** `--index`, which `LOCI_INDEX_USE` gives the default of. */
export function indexOption(): Option {
  return new Option(
    "--index <kind>",
    `where the indexes of a data directory live (pgvector: in the database that ${connectionVariable} names)`,
  )
    .choices([...indexKinds, "pgvector"])
    .env("LOCI_INDEX_USE");
}

/** @throws LociError `INVALID_CONFIGURATION` for `pgvector` without a connection string */
export function indexChoice(option: IndexOption | undefined): IndexChoice | undefined {
  if (option !== "pgvector") return option;
  const connectionString = process.env[connectionVariable] ?? "";
  if (connectionString !== "") return { kind: "pgvector", connectionString };
  throw new LociError("INVALID_CONFIGURATION", {
    message: `--index pgvector needs a database, but ${connectionVariable} is empty.`,
    field: "--index",
    advice: `Set ${connectionVariable} to postgresql://user:password@host:port/database.`,
  });
}
