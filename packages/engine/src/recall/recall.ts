import {
  answerFloorOf,
  asksForAnswers,
  asksForCourse,
  asksForEverything,
  asksForHelp,
  asksForLatest,
  asksOfKnownThing,
  asksWhatIsLeftToDo,
  compareDropped,
  isAmongPeople,
  isPersonalQuestion,
  namedSpeakers,
  namingTerms,
  type PreparedCandidates,
  prepareCandidates,
  questionTimes,
  queryTerms,
  rankingSteps,
  type Ranking,
  type RankingInput,
  type RecallCandidate,
  rerankable,
  speakersOf,
  subQueries,
  type TokenCounter,
} from "@loci/core";
import {
  authorize,
  type Degradation,
  type DroppedCandidate,
  type RecallHit,
  type RecallRequest,
  type RecallResult,
} from "@loci/domain";
import type { Call } from "../calls/call.ts";
import { engineInstruments, isOwnCall } from "../calls/engine-metrics.ts";
import type { BesideFound, CandidateSource } from "./candidate-source.ts";
import type { RecallCall } from "./recall-call.ts";
import type { RecallServices } from "./recall-services.ts";
import { accountsOf } from "./account-for-memories.ts";
import { gatherCandidates } from "./gather-candidates.ts";
import { isAboutThePast, openCurrent, openKnown, type Question } from "./open-candidates.ts";
import { nearerValues } from "./nearer-values.ts";
import { statisticsOf } from "./known-memories.ts";
import { limitThatFills } from "./limit-that-fills.ts";
import { OutdatedHits } from "./outdated-hits.ts";
import { FailingIndexes } from "../projections/searched-indexes.ts";
import type { LimitedReranker } from "./rerank-candidates.ts";
import { recallEverything, recallLeftToDo, recentHits } from "./recall-recent.ts";
import { recallConditions } from "./resolve-candidates.ts";
import { searchedKinds } from "./searched-kinds.ts";
import { StepTimings } from "../calls/step-timings.ts";
import { takeTurns } from "../calls/take-turns.ts";
import type { CheckedRotation } from "./validate-rotation.ts";
import { type CheckedRecallRequest, checkRecallRequest } from "./validate-recall-request.ts";

/** Longest wait for indexes that are far behind. */
const longestOverlayWait = 2_000;

/** What is worth recalling now, and what of it is over. */
export async function recall(services: RecallServices, call: Call, request: RecallRequest): Promise<RecallResult> {
  const { checked, result, besideFound } = await recallAsked(services, call, request);
  const timings = new StepTimings("recall");
  const outdated = new OutdatedHits({ services, call, request: checked });
  const hits = await timings.measure("outdated", () => outdated.mark(result.hits, { besideFound }));
  return { ...result, hits, timings: { ...result.timings, ...timings.result } };
}

/** As `recall`, for whoever shows the hits to nobody: without what of them is over. */
export async function recallUnmarked(
  services: RecallServices,
  call: Call,
  request: RecallRequest,
): Promise<RecallResult> {
  return (await recallAsked(services, call, request)).result;
}

interface AskedRecall extends Pick<LimitedRecall, "besideFound"> {
  readonly checked: CheckedRecallRequest;
  readonly result: RecallResult;
}

async function recallAsked(services: RecallServices, call: Call, request: RecallRequest): Promise<AskedRecall> {
  const { principal } = call;
  const { metadata, profiles } = services;
  const checked = checkRecallRequest(request, {
    now: services.clock(),
    profile: profiles.of(principal.tenant),
    relevanceFloor: profiles.floorOf(principal.tenant),
    metadata,
  });
  const { counter } = await services.tokens.forModel(undefined);
  const {
    overLimit: _,
    overTokens: __,
    limit: ___,
    hasQuery: ____,
    besideFound,
    ...result
  } = await recallChecked(services, call, checked, counter);
  if (checked.recordUsage === "kept")
    services.rotation.record(
      principal,
      checked,
      result.hits.map(({ memory }) => memory.id),
    );
  return { checked, result, besideFound };
}

/** What a recall found, and how many more there were. */
export interface LimitedRecall extends RecallResult {
  /** The places that were given out, but for those of procedures. */
  readonly limit: number;
  /** How many that were relevant had none of them. */
  readonly overLimit: number;
  /** How many had one, and no room within `maxTokens`. */
  readonly overTokens: number;
  /** False when the query names nothing that a memory could be near to. Default true. */
  readonly hasQuery?: boolean;
  /** Absent where nothing was searched for. */
  readonly besideFound?: BesideFound | undefined;
}

/** @param counter counts `maxTokens` */
export async function recallChecked(
  services: RecallServices,
  call: Call,
  request: CheckedRecallRequest,
  counter: TokenCounter,
): Promise<LimitedRecall> {
  const { principal, signal } = call;
  authorize(principal, "read", request.scopes);
  const { tenant } = principal;
  const { embedder } = services;
  const timings = new StepTimings("recall");
  const degraded: Degradation[] = [];

  const conditions = recallConditions(request, services.metadata);
  const recalling: RecallCall = { ...call, request, conditions, counter, timings };
  if (asksForEverything(request.query))
    return newestKnown(
      recalling,
      services,
      await timings.measure("recent", () => recallEverything(services, recalling)),
    );
  const left = asksWhatIsLeftToDo(request.query)
    ? await timings.measure("recent", () => recallLeftToDo(services, recalling))
    : [];
  if (left.length > 0) return newestKnown(recalling, services, left);

  const queries = subQueries(request.query);
  const { analyser } = services.analyses;
  const terms = queryTerms(queries, analyser);
  const texts = queries.map(({ text }) => text);
  const embedding = timings.measure("embed", () => services.embedding.queries(tenant, texts, signal));
  // Should something else fail first, nobody waits for it any more.
  embedding.catch(() => undefined);
  const indexes = new FailingIndexes(signal);
  const { spans, areAskedAlone } = questionTimes(request.query, request.evaluationTime, request.timeZone);
  const kinds = searchedKinds(request, areAskedAlone ? spans : []);
  const question: Question = { terms, embedding, kinds };
  const { source, statistics, isBehind } = isAboutThePast(request)
    ? await openKnown(services, { ...recalling, request }, question)
    : await openCurrent(indexes.over(services), recalling, question, overlayWait(call));
  if (isBehind) degraded.push("INDEX_BEHIND");
  if ((await embedding) === undefined) degraded.push("EMBEDDING_UNAVAILABLE");
  const gathered = await gatherCandidates(source, recalling, { analyser, kinds });
  degraded.push(...indexes.degraded);
  const { rotation } = request;
  // What was shown is a use, and uses are not part of what was known at a time.
  const candidates =
    rotation === undefined || isAboutThePast(request)
      ? gathered.candidates
      : await timings.measure("rotation", () => withRotation(services, call, rotation, gathered.candidates));

  const turn = (): Promise<void> | undefined => services.thread.next(tenant, signal);
  await turn();
  const slotValues = await nearerValues(source, candidates, request, conditions);
  const memories = candidates.map(({ memory }) => memory);
  const named = namedSpeakers(request.query, speakersOf(memories), analyser);
  const isForCourse = asksForCourse(request.query);
  const isOfPeople = isAmongPeople(memories);
  const isPersonal =
    named.size > 0 ||
    isForCourse ||
    isPersonalQuestion(request.query) ||
    (isOfPeople && asksOfKnownThing(request.query));
  const { scopes, profile, evaluationTime, strategy, procedureLimit, maxTokens, maxTokensPerMemory } = request;
  const limit = request.fills === true ? limitThatFills(candidates, request) : request.limit;
  const unranked: RankingInput = {
    candidates,
    subQueries: terms.subQueries,
    // Without the index nobody knows how rare words are, but among what was found.
    textStatistics: indexes.hasWords ? statistics : statisticsOf(candidates, terms),
    embedder: {
      relevanceWeight: embedder.relevanceWeight,
      relevanceFloor: request.relevanceFloor ?? embedder.floors.relevance,
      answerFloor: request.relevanceFloor ?? answerFloorOf(embedder.floors, isPersonal),
      answerFloorGrows: isOfPeople && !isPersonal,
      duplicateGate: embedder.gates.duplicate,
      relatedGate: embedder.gates.related,
      understands: embedder.understands,
    },
    profile,
    queryTags: gathered.queryTags,
    isForLatest: asksForLatest(request.query),
    isForHelp: asksForHelp(request.query),
    isForCourse,
    isForAnswers: asksForAnswers(request.query),
    namingTerms: namingTerms(request.query, terms.terms, analyser),
    namedTimes: spans,
    isForTimeAlone: areAskedAlone,
    namedSpeakers: named,
    evaluationTime,
    scopes,
    strategy,
    limits: { limit, procedureLimit, maxTokens, maxTokensPerMemory },
    counter,
    counted: services.tokens.counted,
    question: { terms: terms.terms, analyser },
    slotValues,
    told: { query: request.query, messages: request.inHistory },
    explain: request.explain,
    countsLeftOut: true,
  };
  // To say why each was dropped, and to ask about the best of all, all must be known.
  const isAllRead = request.explain || services.reranker !== undefined;
  const input = isAllRead ? { ...unranked, candidates: await readAll(source, candidates) } : unranked;
  const prepared = prepareCandidates(input);
  const reranked = await rerankedBy(services.reranker, recalling, input, prepared);
  if (services.reranker !== undefined && reranked === undefined) degraded.push("RERANKER_UNAVAILABLE");
  const ranking = await timings.measure("rank", () => rankReading(source, { ...input, reranked }, prepared, turn));
  const usedFallback = ranking.hits.length === 0 && request.fallback === "recent";
  const hits = usedFallback ? await recentHits(services, recalling) : ranking.hits;
  if (!isOwnCall(principal)) countRecall(ranking.hits.length, degraded);
  return {
    hits,
    dropped: request.explain ? droppedOf(gathered.dropped, ranking.dropped, hits) : [],
    evaluationTime,
    degraded,
    usedFallback,
    limit,
    overLimit: ranking.overLimit ?? 0,
    overTokens: ranking.overTokens ?? 0,
    timings: timings.result,
    besideFound: source,
    ...(request.also.length === 0 ? {} : { accounts: await accountsOf(services, recalling, { hits, ranking }) }),
    ...(request.explain ? { profile } : {}),
  };
}

/** What names nothing is like nothing: no memory answers it more than another one. */
async function newestKnown(
  recalling: RecallCall,
  services: RecallServices,
  hits: readonly RecallHit[],
): Promise<LimitedRecall> {
  const { principal, request, timings } = recalling;
  const { evaluationTime, limit, explain, profile, also } = request;
  if (!isOwnCall(principal)) countRecall(hits.length, []);
  const ranking = { hits: [], dropped: [], unread: [] };
  return {
    hits,
    dropped: [],
    evaluationTime,
    degraded: [],
    usedFallback: true,
    hasQuery: false,
    limit,
    overLimit: 0,
    overTokens: 0,
    timings: timings.result,
    ...(also.length === 0 ? {} : { accounts: await accountsOf(services, recalling, { hits, ranking }) }),
    ...(explain ? { profile } : {}),
  };
}

function countRecall(found: number, degraded: readonly Degradation[]): void {
  engineInstruments.record("loci.recall.hits", found);
  if (found === 0) engineInstruments.add("loci.recall.empty", 1);
  for (const degradation of new Set(degraded))
    engineInstruments.add("loci.recall.degraded", 1, { "loci.recall.degradation": degradation });
}

/**
 * Ranks, and reads the vectors of the few candidates that it takes to tell.
 *
 * @param turn resolves when the thread may be used for some milliseconds
 */
async function rankReading(
  source: CandidateSource,
  input: RankingInput,
  prepared: PreparedCandidates,
  turn: () => Promise<void> | undefined,
): Promise<Ranking> {
  for (let { candidates } = input; ;) {
    const ranking = await takeTurns(rankingSteps({ ...input, candidates }, prepared), turn);
    if (ranking.unread.length === 0) return ranking;
    candidates = await source.read(candidates, new Set(ranking.unread));
  }
}

function readAll(source: CandidateSource, candidates: readonly RecallCandidate[]): Promise<readonly RecallCandidate[]> {
  return source.read(candidates, new Set(candidates.map(({ memory }) => memory.id)));
}

/** `undefined` without a reranker, or without an answer of it. */
async function rerankedBy(
  reranker: LimitedReranker | undefined,
  { request, timings, signal }: RecallCall,
  input: RankingInput,
  prepared: PreparedCandidates,
): Promise<RankingInput["reranked"]> {
  if (reranker === undefined) return undefined;
  return timings.measure("rerank", () =>
    reranker.scores(request.query, rerankable(input, reranker.maxCandidates, prepared), signal),
  );
}

/** When another session, or an earlier turn of this one, was last shown each candidate. */
async function withRotation(
  services: RecallServices,
  { principal, signal }: Call,
  rotation: CheckedRotation,
  candidates: readonly RecallCandidate[],
): Promise<readonly RecallCandidate[]> {
  const refs = candidates.map(({ memory }) => memory.id);
  const shown = await services.rotation.lastShown(principal, rotation, refs, { signal });
  if (shown.size === 0) return candidates;
  return candidates.map((candidate) => {
    const lastRecalledAt = shown.get(candidate.memory.id);
    return lastRecalledAt === undefined ? candidate : { ...candidate, lastRecalledAt };
  });
}

/** Half of the time the call has left: the other half is for answering. */
function overlayWait({ options }: Call): number {
  const left = options?.deadline === undefined ? Infinity : (options.deadline - Date.now()) / 2;
  return Math.min(longestOverlayWait, left);
}

/** Without what stands in the hits after all, as the newest memories of a fallback do. */
function droppedOf(
  beforeScoring: readonly DroppedCandidate[],
  ranked: readonly DroppedCandidate[],
  hits: readonly RecallHit[],
): readonly DroppedCandidate[] {
  const shown = new Set(hits.map(({ memory }) => memory.id));
  return [...beforeScoring, ...ranked].filter(({ id }) => !shown.has(id)).toSorted(compareDropped);
}
