import type { VectorStoreCapabilities } from "@loci/store";
import type { CallFigure } from "../measure/measure-calls.ts";
import type { StoreKind } from "./measured-kinds.ts";
import type { Traffic } from "./count-traffic.ts";

/** How quickly rows came in. */
export interface RateFigure {
  readonly perSecond: number;
  /** By CPU time of this process and, if it has one, of the server. */
  readonly perCpuSecond: number;
}

/** What writing every row into an empty store took, in batches through the contract. */
export interface FillFigures {
  readonly ingest: RateFigure;
  /** Of the vectors alone. */
  readonly vectors: RateFigure;
  /** The same rows in the database's own words, batch by batch in turns with ours. */
  readonly bareVectors?: RateFigure;
  /** Seconds of `maintain` afterwards, which also builds indexes over vectors. */
  readonly maintainSeconds: number;
  /** Bytes of files or tables of both indexes. */
  readonly disk: number;
}

/** What searches and single updates of a full store take. */
export interface SearchFigures {
  readonly capabilities: VectorStoreCapabilities;
  /** MiB that opening and searching added to this process. */
  readonly memory: number;
  /** MiB of the database's processes, shared pages counted once. */
  readonly serverMemory?: number;
  /** The best 60 by meaning and the best 60 by words, of one user's scopes. */
  readonly candidates: CallFigure;
  /** The best ten by meaning of all rows. */
  readonly broad: CallFigure;
  /** Shares of the exact best ten that were found. */
  readonly agreement: number;
  readonly broadAgreement: number;
  /** One changed row in both indexes. */
  readonly update: CallFigure;
  /**
   * The same vector search in the database's own words, in turns with ours: with bounds, as a recall asks, and with exact
   * cosines.
   */
  readonly overhead?: { readonly bare: CallFigure; readonly ours: CallFigure; readonly exact: CallFigure };
  /** Of one operation each. */
  readonly traffic?: { readonly search: Traffic; readonly update: Traffic };
}

/** The whole of Loci on the store. */
export interface LociFigures {
  /** `maintenance.reindex` from other indexes, in memories. */
  readonly reindex: RateFigure;
  readonly recall: CallFigure;
}

export interface StoreFigures {
  readonly store: StoreKind;
  readonly fill: FillFigures & { readonly traffic?: Traffic };
  readonly search: SearchFigures;
  readonly loci?: LociFigures;
  /** Average over a minute before and after. */
  readonly load: readonly [before: number, after: number];
}

export interface StoresReport {
  readonly time: string;
  readonly processor: string;
  readonly cores: number;
  readonly node: string;
  readonly rows: number;
  readonly dimensions: number;
  readonly stores: readonly StoreFigures[];
}
