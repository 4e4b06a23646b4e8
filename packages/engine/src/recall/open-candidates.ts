import type { QueryTerms } from "@loci/core";
import type { Bm25Statistics } from "@loci/domain";
import type { CandidateSource } from "./candidate-source.ts";
import { askAhead } from "./candidate-search.ts";
import { type AskedAhead, currentMemories } from "./current-memories.ts";
import type { IndexServices } from "../projections/index-services.ts";
import { wantsProcedures } from "./procedures-by-tag.ts";
import { type KnownRequest, scanKnownMemories } from "./known-memories.ts";
import { type LatestChanges, type OverlaidIndex, readLatestChanges, readOverlay } from "../projections/overlay.ts";
import type { SearchServices } from "../projections/searched-indexes.ts";
import type { RecallCall } from "./recall-call.ts";
import type { SearchedKind } from "./searched-kinds.ts";
import type { CheckedRecallRequest } from "./validate-recall-request.ts";

/** What is asked, while its vectors are being made. */
export interface Question {
  readonly terms: QueryTerms;
  /** One for each sub-query; `undefined` when the embedder did not answer. */
  readonly embedding: Promise<readonly Float32Array[] | undefined>;
  /** What will be searched for first. */
  readonly kinds: readonly SearchedKind[];
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
  question: Question,
  longestWait: number,
): Promise<OpenedCandidates> {
  const { timings, request, signal } = recalling;
  const { terms } = question;
  const { scopes } = request;
  // Asked together with the overlay, which is awaited first: should that fail, nobody waits for these any more.
  const procedureTags = wantsProcedures(request)
    ? services.ledger.tags(recalling.principal.tenant, { scopes, category: "procedure" }, { signal })
    : Promise.resolve([]);
  procedureTags.catch(() => undefined);
  const latest = await latestAtOnce(services, recalling);
  const readIndex = (): Promise<OverlaidIndex> =>
    timings.measure("overlay", () => readOverlay(services, recalling, { terms: terms.terms, longestWait, latest }));
  const { vectors, overlaid, ahead } =
    latest?.changes.length === 0
      ? await openAhead(services, recalling, question, readIndex)
      : await openBehind(question, readIndex);
  const { overlay, statistics } = overlaid;
  const query = { terms, vectors, statistics };
  const source = currentMemories(services, recalling, { query, overlay, procedureTags, ahead });
  return { source, statistics, isBehind: overlay.isIncomplete };
}

interface OpenedIndex {
  readonly vectors: readonly Float32Array[];
  readonly overlaid: OverlaidIndex;
  readonly ahead: readonly AskedAhead[];
}

/** Reads what the indexes have not seen while the vectors are being made. */
async function openBehind({ embedding }: Question, readIndex: () => Promise<OverlaidIndex>): Promise<OpenedIndex> {
  const [vectors = [], overlaid] = await Promise.all([embedding, readIndex()]);
  return { vectors, overlaid, ahead: [] };
}

/** What has happened since the indexes were asked last. `undefined` where the ledger does not answer at once, too. */
async function latestAtOnce(
  services: SearchServices,
  { principal: { tenant }, signal }: RecallCall,
): Promise<LatestChanges | undefined> {
  return services.ledger.withNeighbours === undefined ? readLatestChanges(services, tenant, signal) : undefined;
}

/**
 * Searches the indexes at the same time as they are asked where they stand, as they have most likely seen everything: so a thread that
 * holds them is woken once. What is found is given up if they are behind after all.
 */
async function openAhead(
  services: SearchServices,
  { principal: { tenant }, request: { scopes }, signal }: RecallCall,
  { terms, embedding, kinds }: Question,
  readIndex: () => Promise<OverlaidIndex>,
): Promise<OpenedIndex> {
  const vectors = (await embedding) ?? [];
  // First: what is found then holds everything up to where they say that they stand.
  const reading = readIndex();
  const ahead = kinds.map(({ where, firstLimit: limit }): AskedAhead => {
    const search = { tenant, scopes, where, limit, query: { terms, vectors } };
    return { where, limit, answers: askAhead(services, search, signal) };
  });
  // Should reading the overlay fail, or there be one, nobody waits for these any more.
  for (const { answers } of ahead)
    for (const asked of [answers.byMeaning, ...answers.byWords]) asked?.hits.catch(() => undefined);
  const overlaid = await reading;
  return { vectors, overlaid, ahead: overlaid.overlay.refs.size === 0 ? ahead : [] };
}

export async function openKnown(
  services: IndexServices,
  recalling: RecallCall<KnownRequest>,
  { terms, embedding }: Pick<Question, "terms" | "embedding">,
): Promise<OpenedCandidates> {
  const vectors = (await embedding) ?? [];
  const source = await recalling.timings.measure("scan", () =>
    scanKnownMemories(services, recalling, { terms, vectors }),
  );
  return { source, statistics: source.statistics, isBehind: false };
}
