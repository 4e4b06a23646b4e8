import type { QueryTerms } from "@loci/core";
import type { Bm25Statistics, TenantId } from "@loci/domain";
import type { CandidateSource } from "./candidate-source.ts";
import { currentMemories } from "./current-memories.ts";
import type { IndexServices } from "../projections/index-services.ts";
import { type KnownRequest, scanKnownMemories } from "./known-memories.ts";
import { readOverlay } from "../projections/overlay.ts";
import type { SearchServices } from "../projections/searched-indexes.ts";
import type { StepTimings } from "../calls/step-timings.ts";
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
  tenant: TenantId,
  request: CheckedRecallRequest,
  { terms, embedding }: Question,
  timings: StepTimings,
  longestWait: number,
  signal: AbortSignal,
): Promise<OpenedCandidates> {
  const [vectors = [], { overlay, statistics }] = await Promise.all([
    embedding,
    timings.measure("overlay", () => readOverlay(services, tenant, terms.terms, longestWait, signal)),
  ]);
  const query = { terms, vectors, statistics };
  const source = currentMemories(services, tenant, request, query, overlay, signal);
  return { source, statistics, isBehind: overlay.isIncomplete };
}

export async function openKnown(
  services: IndexServices,
  tenant: TenantId,
  request: KnownRequest,
  { terms, embedding }: Question,
  timings: StepTimings,
  signal: AbortSignal,
): Promise<OpenedCandidates> {
  const vectors = (await embedding) ?? [];
  const source = await timings.measure("scan", () =>
    scanKnownMemories(services, tenant, request, { terms, vectors }, signal),
  );
  return { source, statistics: source.statistics, isBehind: false };
}
