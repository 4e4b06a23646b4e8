import type { Bm25Statistics, Filter, LociErrorJson, Ref, ScopeText, Sequence, TenantId, Version } from "@loci/domain";
import type { IndexFields, TermFrequencies, TextStatistics } from "@loci/store";
import type { QuantisedQuery } from "../vectors/quantise.ts";

/** What the thread is started with. */
export interface IndexThreadSettings {
  readonly directory: string;
  /** Most indexes of tenants that are kept open. */
  readonly maxOpenIndexes: number;
  /** Rows and tombstones that are held outside segments, at most about. */
  readonly maxHeadRows: number;
  /** Changes up to which an index is kept in memory alone. */
  readonly maxUnfiledChanges: number;
  /** The identity of the ledger that the indexes follow. */
  readonly ledger?: string | undefined;
}

/** One tenant's index: its texts, or its vectors in one collection. */
export interface IndexAddress {
  readonly tenant: TenantId;
  /** Its directory inside the tenant's. */
  readonly name: string;
  /** Of the vectors; absent for texts. */
  readonly dimensions?: number | undefined;
}

/** A change on its way to the thread. */
export interface SentChange {
  readonly ref: Ref;
  readonly version: Version;
  /** Absent for a delete. */
  readonly scope?: ScopeText | undefined;
  readonly fields?: IndexFields | undefined;
  readonly terms?: TermFrequencies | undefined;
  /** How many of the packed vectors are its own. */
  readonly vectors?: number | undefined;
}

/** Rows as bytes: 16 a ref, in the order of `versions`. */
export interface SentRows {
  readonly refs: Uint8Array<ArrayBuffer>;
  readonly versions: Float64Array<ArrayBuffer>;
}

/** Rows that were found by nearness. */
export interface SentNearRows extends SentRows {
  /** What each row's cosine is at most, query by query for one row after the other; empty unless asked for. */
  readonly uppers: Float64Array<ArrayBuffer>;
}

/** The words of rows, `frequencies` row by row. */
export interface SentWords {
  readonly lengths: Float64Array<ArrayBuffer>;
  readonly frequencies: Float64Array<ArrayBuffer>;
}

export interface SentTexts extends SentRows, SentWords {}

/** The words of rows that were asked for. */
export interface SentFrequencies extends SentWords {
  /** Which of those asked for they are, ascending. */
  readonly places: Uint32Array<ArrayBuffer>;
  readonly versions: Float64Array<ArrayBuffer>;
}

interface Selection {
  readonly address: IndexAddress;
  readonly scopes: readonly ScopeText[];
  readonly where: Filter | undefined;
  readonly limit: number;
}

export type IndexOperation =
  | {
      readonly type: "apply";
      readonly address: IndexAddress;
      readonly changes: readonly SentChange[];
      /** All vectors of the changes, one after the other. */
      readonly values: Float32Array<ArrayBuffer>;
      readonly through: Sequence;
      /** Where the index has to stand at least. */
      readonly after: Sequence | undefined;
    }
  | { readonly type: "checkpoint"; readonly address: IndexAddress }
  | { readonly type: "count"; readonly address: IndexAddress }
  | { readonly type: "refs"; readonly address: IndexAddress }
  | ({
      readonly type: "searchVectors";
      /** Searches sent together that have the very same list share one pass over the rows. */
      readonly queries: readonly QuantisedQuery[];
      readonly exactRows: number;
      /** Whether to say what the cosines are at most. */
      readonly bounds: boolean;
    } & Selection)
  | ({
      readonly type: "searchTexts";
      readonly terms: readonly string[];
      readonly statistics: Bm25Statistics | undefined;
    } & Selection)
  | {
      readonly type: "frequencies";
      readonly address: IndexAddress;
      /** As bytes, 16 each. */
      readonly refs: Uint8Array<ArrayBuffer>;
      readonly terms: readonly string[];
    }
  | { readonly type: "statistics"; readonly address: IndexAddress; readonly terms: readonly string[] }
  | ({
      readonly type: "compact";
      /** Those that are not open, too. */
      readonly everyTenant: boolean;
    } & Omit<IndexAddress, "tenant">)
  | { readonly type: "reset"; readonly address: IndexAddress }
  | { readonly type: "drop"; readonly name: string }
  | { readonly type: "close" };

export type ResultOf<Operation extends IndexOperation> = Operation extends { type: "checkpoint" | "count" }
  ? number
  : Operation extends { type: "refs" }
    ? SentRows
    : Operation extends { type: "searchVectors" }
      ? SentNearRows
      : Operation extends { type: "searchTexts" }
        ? SentTexts
        : Operation extends { type: "frequencies" }
          ? SentFrequencies
          : Operation extends { type: "statistics" }
            ? TextStatistics
            : undefined;

/** An operation on its way to the thread. What was asked for in one turn of the event loop travels together. */
export interface SentOperation {
  readonly id: number;
  readonly operation: IndexOperation;
}

export type Answer =
  | { readonly type: "done"; readonly id: number; readonly result: unknown }
  | { readonly type: "failed"; readonly id: number; readonly error: LociErrorJson }
  /** Something went wrong that no call waits for. */
  | { readonly type: "problem"; readonly error: LociErrorJson };

/**
 * Tells the thread which calls are over, while it is busy: a call's id in the place `id % length`. When two share a place
 * the earlier is searched to its end for nothing.
 */
export const cancellationPlaces = 256;
