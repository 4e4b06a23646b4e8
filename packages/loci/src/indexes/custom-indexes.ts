import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { LociError } from "@loci/domain";
import type { IndexAdapter, IndexStores } from "@loci/store";
import { indexAdapters } from "./index-adapters.ts";

/** Indexes of an adapter that does not come with Loci. See docs/guides/write-a-store-adapter.md. */
export interface CustomIndex {
  readonly kind: "custom";
  /** What they are called in commands and in the ledger: 1 to 40 small letters, digits and `-`, and no name of Loci's own. */
  readonly name: string;
  /**
   * Opens them, again whenever they were closed or removed. On a ledger that several servers share, each server fills them
   * for itself.
   *
   * @param directory in the data directory, theirs alone, made when it is missing and removed with them
   */
  readonly open: (directory: string) => Promise<IndexStores>;
  /**
   * Removes what they hold outside of their directory, while they are closed: when they were moved from, and when other
   * fields or another language make them worthless. Default: they hold nothing there.
   */
  readonly remove?: (() => Promise<void>) | undefined;
}

const namePattern = /^[a-z0-9-]{1,40}$/;

/** The adapter of indexes that a program brought along. Its name is checked when they are opened or removed. */
export function customAdapter(index: CustomIndex): IndexAdapter {
  const { name } = index;
  return {
    name,
    title: name,
    place: "outside",
    ofEachServer: { vectors: true, text: true },
    notErased: [`The indexes ${name} are not Loci's own; what they keep of removed rows is not known.`],
    settings: [],
    open: async (_options, { directory }) => {
      const own = directoryOf(name, directory);
      await mkdir(own, { recursive: true, mode: 0o700 });
      return index.open(own);
    },
    remove: async (_options, { directory }) => {
      await rm(directoryOf(name, directory), { recursive: true, force: true });
      await index.remove?.();
    },
  };
}

/** @throws LociError `INVALID_CONFIGURATION` for the name */
function directoryOf(name: string, directory: string): string {
  const ownNames: readonly string[] = indexAdapters.map((adapter) => adapter.name);
  if (namePattern.test(name) && !ownNames.includes(name)) return join(directory, `index-custom-${name}`);
  throw new LociError("INVALID_CONFIGURATION", {
    message: `${JSON.stringify(String(name).slice(0, 60))} cannot name indexes.`,
    field: "index.name",
    advice: `Use 1 to 40 small letters, digits and -, and none of ${ownNames.join(", ")}.`,
  });
}
