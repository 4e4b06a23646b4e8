import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Ledger } from "@loci/ledger";
import { openEmbeddedStore } from "@loci/store-embedded";
import type { PineconeStoreOptions } from "@loci/store-pinecone";
import { ownerOf } from "./index-owner.ts";
import { missingPackage } from "./missing-package.ts";
import type { OpenedIndexes } from "./opened-indexes.ts";
import { vectorsOfRecord } from "./vectors-of-record.ts";

/**
 * Vectors on Pinecone, in indexes of this ledger's own. Words are found by files in the data
 * directory. Needs the package `@loci/store-pinecone` to be installed.
 */
export interface PineconeIndex extends Omit<PineconeStoreOptions, "owner"> {
  readonly kind: "pinecone";
}

const directoryName = "index-pinecone-text";

/** Opens them. The SDK is loaded now and not before. */
export async function openPineconeIndexes(
  index: PineconeIndex,
  directory: string,
  ledger: Ledger,
  reportProblem: (error: unknown, activity: string) => void,
): Promise<OpenedIndexes> {
  const { openPineconeStore } = await import("@loci/store-pinecone").catch(missingPackage("@loci/store-pinecone"));
  const vectorStore = openPineconeStore({ ...index, owner: await ownerOf(ledger) });
  const text = await openEmbeddedStore({
    directory: join(directory, directoryName),
    exactVectors: vectorsOfRecord(ledger),
    reportProblem: (problem) => reportProblem(problem, "keeping the text index"),
  });
  return {
    vectorStore,
    textIndex: text.textIndex,
    close: async () => {
      await vectorStore.close();
      await text.close();
    },
  };
}

/** Removes the files. The indexes on Pinecone go with their collections. */
export async function removePineconeIndexes(directory: string): Promise<void> {
  await rm(join(directory, directoryName), { recursive: true, force: true });
}
