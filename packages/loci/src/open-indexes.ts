import { rm } from "node:fs/promises";
import { join } from "node:path";
import { ledgerIdentity } from "@loci/engine";
import type { Ledger } from "@loci/ledger";
import { openEmbeddedStore } from "@loci/store-embedded";
import { openMemoryTextIndex, openMemoryVectorStore } from "@loci/store-memory";
import { type CustomIndex, openCustomIndexes, removeCustomIndexes } from "./open-custom-indexes.ts";
import { type LanceIndex, openLanceIndexes, removeLanceIndexes } from "./open-lance-indexes.ts";
import { openPgvectorIndexes, type PgvectorIndex, removePgvectorIndexes } from "./open-pgvector-indexes.ts";
import { openPineconeIndexes, type PineconeIndex, removePineconeIndexes } from "./open-pinecone-indexes.ts";
import type { OpenedIndexes } from "./opened-indexes.ts";
import { vectorsOfRecord } from "./vectors-of-record.ts";

/**
 * Where the indexes of a data directory live. `memory`: exact, in this process, made anew at every start from the ledger.
 * `embedded`: in files beside the ledger, searched in a thread of their own, for more memories than start-up should read.
 * `lancedb`: in LanceDB, a package to be installed beside, for more memories than fit in memory.
 */
export type IndexKind = "memory" | "embedded" | "lancedb";

/** A kind, also with settings of its own, or where indexes outside the data directory are. */
export type IndexChoice = IndexKind | LanceIndex | PgvectorIndex | PineconeIndex | CustomIndex;

/** What indexes are called in commands and in the ledger: their kind, or the name that custom ones were given. */
export type IndexName = IndexKind | Exclude<IndexChoice, string | CustomIndex>["kind"] | string;

export function indexNameOf(choice: IndexChoice): IndexName {
  if (typeof choice === "string") return choice;
  return choice.kind === "custom" ? choice.name : choice.kind;
}

/** Every kind that a data directory can hold. */
export const indexKinds: readonly IndexKind[] = ["memory", "embedded", "lancedb"];

/** Opens the indexes of a data directory. */
export async function openIndexes(
  choice: IndexChoice,
  directory: string,
  ledger: Ledger,
  reportProblem: (error: unknown, activity: string) => void,
): Promise<OpenedIndexes> {
  if (typeof choice !== "string" && choice.kind === "custom") return openCustomIndexes(choice, directory);
  if (typeof choice !== "string" && choice.kind === "pgvector") return openPgvectorIndexes(choice, ledger);
  if (typeof choice !== "string" && choice.kind === "pinecone")
    return openPineconeIndexes(choice, directory, ledger, reportProblem);
  if (indexNameOf(choice) === "lancedb")
    return openLanceIndexes(typeof choice === "string" ? {} : choice, directory, reportProblem);
  if (choice === "embedded")
    return openEmbeddedStore({
      directory: join(directory, "index"),
      ledger: await ledgerIdentity(ledger),
      exactVectors: vectorsOfRecord(ledger),
      reportProblem: (problem) => reportProblem(problem, "keeping the indexes"),
    });
  const vectorStore = openMemoryVectorStore();
  const textIndex = openMemoryTextIndex();
  return {
    vectorStore,
    textIndex,
    close: async () => {
      await vectorStore.close();
      await textIndex.close();
    },
  };
}

/** Removes what indexes, which are closed, have left in the data directory or elsewhere. */
export async function removeIndexes(choice: IndexChoice, directory: string): Promise<void> {
  if (typeof choice !== "string" && choice.kind === "custom") await removeCustomIndexes(choice, directory);
  else if (typeof choice !== "string" && choice.kind === "pgvector") await removePgvectorIndexes(choice);
  else if (typeof choice !== "string" && choice.kind === "pinecone") await removePineconeIndexes(choice, directory);
  else if (indexNameOf(choice) === "lancedb") await removeLanceIndexes(directory);
  else if (choice === "embedded") await rm(join(directory, "index"), { recursive: true, force: true });
}
