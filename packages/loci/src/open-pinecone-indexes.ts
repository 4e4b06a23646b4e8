import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ledgerIdentity } from "@loci/engine";
import type { Ledger } from "@loci/ledger";
import { openEmbeddedStore } from "@loci/store-embedded";
import type { PineconeStoreOptions } from "@loci/store-pinecone";
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
/** Says whose the indexes on Pinecone are, for whoever removes them without a ledger. */
const ownerFileName = "index-pinecone-owner";

/** Opens them. The SDK is loaded now and not before. */
export async function openPineconeIndexes(
  index: PineconeIndex,
  directory: string,
  ledger: Ledger,
  reportProblem: (error: unknown, activity: string) => void,
): Promise<OpenedIndexes> {
  const { openPineconeStore } = await import("@loci/store-pinecone").catch(missingPackage("@loci/store-pinecone"));
  const owner = await ledgerIdentity(ledger);
  await writeFile(join(directory, ownerFileName), owner, { mode: 0o600 });
  const vectorStore = openPineconeStore({ ...index, owner });
  const text = await openEmbeddedStore({
    directory: join(directory, directoryName),
    ledger: owner,
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

/** Removes the files, and the indexes on Pinecone. */
export async function removePineconeIndexes(index: PineconeIndex, directory: string): Promise<void> {
  const ownerFile = join(directory, ownerFileName);
  const owner = await readFile(ownerFile, "utf8").catch(() => undefined);
  if (owner !== undefined) {
    const { removePineconeStore } = await import("@loci/store-pinecone").catch(missingPackage("@loci/store-pinecone"));
    await removePineconeStore({ ...index, owner });
  }
  await rm(join(directory, directoryName), { recursive: true, force: true });
  await rm(ownerFile, { force: true });
}
