import type { TextIndex, VectorStore } from "@loci/store";
import type { TenantEmbedder } from "../embedding/text-embedding.ts";
import type { HistoryNote } from "./index-history.ts";

/** Whose indexes they are, where servers share a ledger and each has some of its own. Absent: of all of them. */
export interface IndexOwners {
  readonly vectors?: string | undefined;
  readonly text?: string | undefined;
}

/** What a place holds: vector collections and a text index, of files or tables of its own. */
export interface OpenPlace {
  readonly vectorStore: VectorStore;
  readonly textIndex: TextIndex;
  /** Default: whoever uses the ledger uses these indexes. */
  readonly owners?: IndexOwners | undefined;
  /** Where it is noted which ledger the indexes follow. Default: nowhere, as they end with the process or many servers share them. */
  readonly note?: HistoryNote | undefined;
}

/** The places where indexes can live, by name. Whoever gives them closes what is still open after the engine. */
export interface IndexPlaces {
  /** The one that is open when the engine begins. */
  readonly active: string;
  /** Every name that can be opened, `active` among them. */
  readonly available: readonly string[];
  /** Opens a place, or gives it again while it is open. */
  open(name: string): Promise<OpenPlace>;
  /** Where a purged row's bytes may still be, out of Loci's sight: one sentence each. Default: nowhere. */
  unproven?(name: string): readonly string[];
  /** Closes a place and keeps what it holds. */
  close(name: string): Promise<void>;
  /** Closes a place, if it is open, and removes all it holds. */
  drop(name: string): Promise<void>;
}

/** The embedders that can be used, by name. Whoever gives them closes what is still open after the engine. */
export interface EmbedderChoice {
  /** The one in use when the engine begins. */
  readonly active: string;
  readonly available: readonly string[];
  open(name: string): Promise<TenantEmbedder>;
}
