import type { QueryTerms } from "@loci/core";
import type { Bm25Statistics } from "@loci/domain";
import type { CandidateSource } from "./candidate-source.ts";
import { currentMemories } from "./current-memories.ts";
import type { IndexServices } from "../projections/index-services.ts";
import { wantsProcedures } from "./procedures-by-tag.ts";
import { type KnownRequest, scanKnownMemories } from "./known-memories.ts";
import { readOverlay } from "../projections/overlay.ts";
import type { SearchServices } from "../projections/searched-indexes.ts";
import type { RecallCall } from "./recall-call.ts";
import type { CheckedRecallRequest } from "./validate-recall-request.ts";

/** What is asked, while its vectors are being made. */
export interface Question {
  readonly terms: QueryTerms;
  /** One for each sub-query; `undefined` when the embedder did not answer. */
  readonly embedding: Promise<readonly Float32Array[] | undefined>;
}

export interface OpenedCandidates {
  readonly source: CandidateSource;
  /** What words are ranked by. */
  readonly statistics: Bm25Statistics;
  /** True when the indexes were so far behind that some of the latest changes are not in here. */
  readonly isBehind: boolean;
}

export function isAboutThePast(request: CheckedRecallRequest): request is KnownRequest {
  return request.knownAt !== undefined;
}

/** @param longestWait milliseconds to wait for indexes that are far behind */
export async function openCurrent(
  services: SearchServices,
  recalling: RecallCall,
  { terms, embedding }: Question,
  longestWait: number,
): Promise<OpenedCandidates> {
  const { timings, request, signal } = recalling;
  const { scopes } = request;
  // Asked together with the overlay, which is awaited first: should that fail, nobody waits for these any more.
  const procedureTags = wantsProcedures(request)
    ? services.ledger.tags(recalling.principal.tenant, { scopes, category: "procedure" }, { signal })
    : Promise.resolve([]);
  procedureTags.catch(() => undefined);
  const [vectors = [], { overlay, statistics }] = await Promise.all([
    embedding,
    timings.measure("overlay", () => readOverlay(services, recalling, terms.terms, longestWait)),
  ]);
  const query = { terms, vectors, statistics };
  const source = currentMemories(services, recalling, { query, overlay, procedureTags });
  return { source, statistics, isBehind: overlay.isIncomplete };
}

export async function openKnown(
  services: IndexServices,
  recalling: RecallCall<KnownRequest>,
  { terms, embedding }: Question,
): Promise<OpenedCandidates> {
  const vectors = (await embedding) ?? [];
  const source = await recalling.timings.measure("scan", () =>
    scanKnownMemories(services, recalling, { terms, vectors }),
  );
  return { source, statistics: source.statistics, isBehind: false };
}
