import { checkOptionValue, LociError, shownValue } from "@loci/domain";
import type { CustomIndex } from "./custom-indexes.ts";
import { type ConfiguredIndex, indexAdapters, type OwnAdapter } from "./index-adapters.ts";

type InsideAdapter = Exclude<OwnAdapter, { readonly place: "outside" }>;

/**
 * Where the indexes of a data directory live. `memory`: exact, in this process, made anew at every start from the ledger.
 * `embedded`: in files beside the ledger, searched in a thread of their own, for more memories than start-up should read.
 * `lancedb`: in LanceDB, a package to be installed beside, for more memories than fit in memory.
 */
export type IndexKind = InsideAdapter["name"];

/** Indexes outside the data directory, which take settings to be reached. */
export type OutsideIndexKind = Exclude<OwnAdapter, InsideAdapter>["name"];

/** A kind, also with settings of its own, or where indexes outside the data directory are. */
export type IndexChoice = IndexKind | ConfiguredIndex<OwnAdapter> | CustomIndex;

/** What indexes are called in commands and in the ledger: their kind, or the name that custom ones were given. */
export type IndexName = OwnAdapter["name"] | string;

/** Every kind that a data directory can hold. */
export const indexKinds: readonly IndexKind[] = indexAdapters.flatMap((adapter) =>
  adapter.place === "outside" ? [] : [adapter.name],
);

export function indexNameOf(choice: IndexChoice): IndexName {
  if (typeof choice === "string") return choice;
  return choice.kind === "custom" ? choice.name : choice.kind;
}

/** @throws LociError `INVALID_CONFIGURATION` for what names no index that comes with Loci, and is none that was put together */
export function checkIndexChoice(choice: IndexChoice): void {
  if (typeof choice === "string") return void checkOptionValue(choice, indexKinds, "index");
  if (typeof choice !== "object" || choice === null)
    throw new LociError("INVALID_CONFIGURATION", {
      message: `index cannot be ${shownValue(choice)}.`,
      field: "index",
      advice: `Use one of ${indexKinds.join(", ")}, or an object with its kind and settings.`,
    });
  checkOptionValue(choice.kind, [...indexAdapters.map(({ name }) => name), "custom"], "index.kind");
}
