import { isConversationTurn, leftToDoSlot, recentFallbackSteps, saidAlready, type TokenCounter } from "@loci/core";
import { authorize, type Memory, type RecallHit, type RecallResult } from "@loci/domain";
import type { Call } from "../calls/call.ts";
import type { RecallCall } from "./recall-call.ts";
import type { RecallServices } from "./recall-services.ts";
import { asKnown, type KnownRequest, readKnownMemories } from "./known-memories.ts";
import { memoryViews } from "../memories/memory-views.ts";
import { isAboutThePast } from "./open-candidates.ts";
import { dropReasonOf, type RecallConditions, recallConditions } from "./resolve-candidates.ts";
import type { StoredMemory } from "@loci/ledger";
import { StepTimings } from "../calls/step-timings.ts";
import { takeTurns } from "../calls/take-turns.ts";
import type { CheckedRecallRequest } from "./validate-recall-request.ts";

/** The newest memories of the request's scopes, whatever its query says. */
export async function recallRecent(
  services: RecallServices,
  call: Call,
  request: CheckedRecallRequest,
  counter: TokenCounter,
): Promise<RecallResult> {
  authorize(call.principal, "read", request.scopes);
  const { evaluationTime } = request;
  const conditions = recallConditions(request, services.metadata);
  const timings = new StepTimings("recall");
  const recalling = { ...call, request, conditions, counter, timings };
  const hits = await timings.measure("recent", () => recentHits(services, recalling));
  return { hits, dropped: [], evaluationTime, degraded: [], usedFallback: true, timings: timings.result };
}

/**
 * All that is known of who asks, as far as there is room: the newest that were remembered for themselves. Where there are none, the newest turns of
 * conversations.
 */
export async function recallEverything(services: RecallServices, recalling: RecallCall): Promise<readonly RecallHit[]> {
  const facts = await recentHits(services, recalling, isOfItself);
  return facts.length > 0 ? facts : recentHits(services, recalling);
}

/** What was said last to be left to do, newest first. */
export function recallLeftToDo(services: RecallServices, recalling: RecallCall): Promise<readonly RecallHit[]> {
  return recentHits(services, recalling, ({ slot }) => slot === leftToDoSlot);
}

/** Which of the newest are wanted. */
type Wanted = (memory: StoredMemory["memory"]) => boolean;

function isOfItself(memory: StoredMemory["memory"]): boolean {
  return !isConversationTurn(memory);
}

/** The newest that meet the conditions, within the limits of number and tokens. */
export async function recentHits(
  services: RecallServices,
  recalling: RecallCall,
  isWanted?: Wanted,
): Promise<readonly RecallHit[]> {
  const { request, counter, signal } = recalling;
  const { tenant } = recalling.principal;
  const { limit, profile, evaluationTime, maxTokens, maxTokensPerMemory } = request;
  const memories = isAboutThePast(request)
    ? await recentKnownMemories(services, { ...recalling, request }, isWanted)
    : await recentMemories(services, recalling, isWanted);
  const tokenLimits = { maxTokens, maxTokensPerMemory };
  const turn = (): Promise<void> | undefined => services.thread.next(tenant, signal);
  await turn();
  return takeTurns(recentFallbackSteps({ memories, profile, evaluationTime, limit, tokenLimits, counter }), turn);
}

/** So many pages are looked through for memories that are wanted. */
const mostPages = 20;

/** The newest memories that meet the request's conditions, a page of the ledger at a time. */
async function recentMemories(
  services: RecallServices,
  { principal: { tenant }, request, conditions, signal }: RecallCall,
  isWanted?: Wanted,
): Promise<readonly Memory[]> {
  const { scopes, categories, evaluationTime, limit } = request;
  const pageSize = Math.max(limit, 100);
  const found: Memory[] = [];
  let after: { readonly createdAt: number; readonly ref: Memory["id"] } | undefined;
  for (let pages = 1; ; pages++) {
    const query = { scopes, categories, evaluationTime, limit: pageSize, after };
    const page = await services.ledger.list(tenant, query, { signal });
    const suitable = page.filter(
      (stored) => isWanted?.(stored.memory) !== false && maySuit(stored, request, conditions),
    );
    found.push(...(await memoryViews(services.ledger, tenant, services.space, suitable)));
    const last = page.at(-1);
    const isLooked = isWanted !== undefined && pages >= mostPages;
    if (found.length >= limit || last === undefined || page.length < pageSize || isLooked) return found;
    after = { createdAt: last.memory.createdAt, ref: last.memory.id };
  }
}

async function recentKnownMemories(
  services: RecallServices,
  { principal: { tenant }, request, conditions, signal }: RecallCall<KnownRequest>,
  isWanted?: Wanted,
): Promise<readonly Memory[]> {
  const { categories } = request;
  const known = await readKnownMemories(services.ledger, tenant, request, signal);
  const suitable = known
    .filter(
      (stored) =>
        isWanted?.(stored.memory) !== false &&
        maySuit(stored, request, conditions) &&
        (categories === undefined || categories.includes(stored.memory.category)),
    )
    .map(asKnown);
  return memoryViews(services.ledger, tenant, services.space, suitable);
}

/** Whether it can be recalled, is what the filter asks for, and is not said to the model anyway. */
function maySuit(
  stored: StoredMemory,
  { query, where, inHistory }: CheckedRecallRequest,
  conditions: RecallConditions,
): boolean {
  return (
    dropReasonOf(stored, conditions) === undefined &&
    (where === undefined || conditions.metadata.matches(where, stored.memory)) &&
    saidAlready(stored.memory, { query, messages: inHistory }) === undefined
  );
}
