import { LociError } from "@loci/domain";
import { ledgerIdentity } from "@loci/engine";
import type { Ledger } from "@loci/ledger";
import type { IndexAdapter, IndexStores } from "@loci/store";
import { blindedStores } from "./blinded/blinded-stores.ts";
import { customAdapter } from "./custom-indexes.ts";
import { type IndexChoice, indexNameOf } from "./index-choice.ts";
import { indexAdapters } from "./index-adapters.ts";
import { vectorsOfRecord } from "./vectors-of-record.ts";
import type { Words } from "./words/words.ts";
import { wordsInFiles } from "./words/words-in-files.ts";

/**
 * The adapter of a choice. What a choice says besides its kind is its adapter's own, as its type says.
 *
 * @throws LociError `INVALID_CONFIGURATION` for a kind that there is not
 */
export function adapterOf(choice: IndexChoice): IndexAdapter {
  if (typeof choice !== "string" && choice.kind === "custom") return customAdapter(choice);
  const name = indexNameOf(choice);
  const adapters: readonly IndexAdapter[] = indexAdapters;
  const adapter = adapters.find((known) => known.name === name);
  if (adapter !== undefined) return adapter;
  throw new LociError("INVALID_CONFIGURATION", {
    message: `There are no indexes of the kind ${JSON.stringify(String(name).slice(0, 60))}.`,
    field: "index",
    advice: `Use one of ${adapters.map((known) => known.name).join(", ")}.`,
  });
}

/** What indexes are opened beside. */
export interface IndexSurroundings {
  /** The data directory. */
  readonly directory: string;
  readonly ledger: Ledger;
  /** For indexes that have vectors alone. Default: files in the data directory. */
  readonly words?: Words | undefined;
  readonly reportProblem: (error: unknown, activity: string) => void;
}

/** Opens the indexes of a data directory. Of an encrypted ledger they are told no words. */
export async function openIndexes(choice: IndexChoice, surroundings: IndexSurroundings): Promise<IndexStores> {
  const opened = await openPlain(choice, surroundings);
  const { encryption } = surroundings.ledger;
  return encryption === undefined ? opened : blindedStores(opened, encryption);
}

async function openPlain(
  choice: IndexChoice,
  { directory, ledger, words = wordsInFiles(directory), reportProblem }: IndexSurroundings,
): Promise<IndexStores> {
  const identity = await ledgerIdentity(ledger);
  const exactVectors = vectorsOfRecord(ledger);
  return adapterOf(choice).open(optionsOf(choice), {
    directory,
    ledger: identity,
    exactVectors,
    reportProblem: (problem) => reportProblem(problem, "keeping the indexes"),
    openWords: (directoryName) =>
      words.open(directoryName, {
        ledger: identity,
        exactVectors,
        reportProblem: (problem) => reportProblem(problem, "keeping the text index"),
      }),
  });
}

/** Removes what indexes, which are closed, have left in the data directory or elsewhere. */
export async function removeIndexes(
  choice: IndexChoice,
  { directory, words }: { readonly directory: string; readonly words: Words },
): Promise<void> {
  await adapterOf(choice).remove(optionsOf(choice), {
    directory,
    removeWords: (directoryName) => words.remove(directoryName),
  });
}

function optionsOf(choice: IndexChoice): object {
  return typeof choice === "string" ? {} : choice;
}
