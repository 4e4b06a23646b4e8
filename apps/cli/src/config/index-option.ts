import { type IndexChoice, type IndexKind, indexKinds, LociError, type OpenEngineOptions } from "@loci/loci";
import { Option } from "commander";

type OutsideChoice = Exclude<IndexChoice, string>;

/** Indexes outside of the data directory: what it takes to reach them stands in variables. */
type OutsideIndex = "pgvector" | "pinecone";

/** Where the indexes of a data directory live. */
export type IndexOption = IndexKind | OutsideIndex;

/** Not options: other users of this machine see those, and these hold a password and a key. */
const secretVariables: Readonly<Record<OutsideIndex, string>> = {
  pgvector: "LOCI_INDEX_CONNECTION_STRING",
  pinecone: "LOCI_PINECONE_API_KEY",
};

const secretForms: Readonly<Record<OutsideIndex, string>> = {
  pgvector: "postgresql://user:password@host:port/database",
  pinecone: "an API key of a Pinecone project",
};

/** `--index`, which `LOCI_INDEX_USE` gives the default of. */
export function indexOption(): Option {
  return new Option(
    "--index <kind>",
    "where the indexes of a data directory live from now on (default: where they are; for pgvector set " +
      `${secretVariables.pgvector}, for pinecone ${secretVariables.pinecone})`,
  )
    .choices([...indexKinds, "pgvector", "pinecone"])
    .env("LOCI_INDEX_USE");
}

/**
 * Where the indexes are to be, and where else they can be moved to: wherever the environment says how to get there.
 *
 * @param option `undefined`: where they are
 * @throws LociError `INVALID_CONFIGURATION` for one outside of the data directory without its secret
 */
export function chosenIndexes(option: IndexOption | undefined): Pick<OpenEngineOptions, "index" | "indexes"> {
  const outside = [outsideIndex("pgvector"), outsideIndex("pinecone")].filter((choice) => choice !== undefined);
  if (option === undefined || isInside(option)) return { index: option, indexes: outside };
  const index = outside.find(({ kind }) => kind === option);
  if (index !== undefined) return { index, indexes: outside };
  throw new LociError("INVALID_CONFIGURATION", {
    message: `--index ${option} needs a secret, but ${secretVariables[option]} is empty.`,
    field: "--index",
    advice: `Set ${secretVariables[option]} to ${secretForms[option]}.`,
  });
}

function outsideIndex(kind: OutsideIndex): OutsideChoice | undefined {
  const secret = given(secretVariables[kind]);
  if (secret === undefined) return undefined;
  if (kind === "pgvector") return { kind, connectionString: secret };
  return {
    kind,
    apiKey: secret,
    cloud: cloud(given("LOCI_PINECONE_CLOUD")),
    region: given("LOCI_PINECONE_REGION"),
    controllerUrl: given("LOCI_PINECONE_CONTROLLER_URL"),
  };
}

function cloud(name: string | undefined): "aws" | "gcp" | "azure" | undefined {
  if (name === undefined || name === "aws" || name === "gcp" || name === "azure") return name;
  throw new LociError("INVALID_CONFIGURATION", {
    message: `LOCI_PINECONE_CLOUD is ${JSON.stringify(name.slice(0, 60))}, which is none of Pinecone's.`,
    field: "LOCI_PINECONE_CLOUD",
    advice: "Use aws, gcp or azure.",
  });
}

function given(variable: string): string | undefined {
  const value = process.env[variable];
  return value === "" ? undefined : value;
}

function isInside(option: IndexOption): option is IndexKind {
  return (indexKinds as readonly string[]).includes(option);
}
