import {
  type CallOptions,
  everyMemory,
  formatScope,
  type Loci,
  type MemoryId,
  parseScopes,
  type RecallRequest,
} from "@loci/domain";
import type { EvaluatedQuestion, MissingAnswer } from "./evaluation.ts";
import { ExpectedMemory, searchedMemory } from "./expected-memory.ts";

/** A question as it was asked, and what came of it. */
export interface AskedQuestion {
  readonly request: RecallRequest;
  readonly question: Omit<EvaluatedQuestion, "missing">;
}

/** Of each answer. */
const mostMemories = 5;
/** A recall accounts for no more. */
const mostAccounts = 20;

/**
 * Says of each expected answer that is none of the hits which memories would have been it, and what became of them. All memories of
 * the scopes are read once for it, unless nothing is missing.
 */
export async function explainMissing(
  loci: Loci,
  asked: readonly AskedQuestion[],
  call: CallOptions | undefined,
): Promise<readonly EvaluatedQuestion[]> {
  const ofPlaces = new Map<string, ReadonlyMap<string, readonly MemoryId[]>>();
  for (const [place, questions] of Map.groupBy(asked, placeOf)) {
    const missing = new Set(questions.flatMap(missingOf));
    const { scopes, evaluationTime } = (questions[0] as AskedQuestion).request;
    if (missing.size > 0) ofPlaces.set(place, await memoriesThatSay(loci, missing, { scopes, evaluationTime }, call));
  }
  const explained: EvaluatedQuestion[] = [];
  for (const each of asked) {
    const ids = ofPlaces.get(placeOf(each));
    const missing = missingOf(each).map((expected) => ({ expected, memories: ids?.get(expected) ?? [] }));
    explained.push({ ...each.question, missing: await withAccounts(loci, each.request, missing, call) });
  }
  return explained;
}

/** What became of memories that would have been an answer. */
async function withAccounts(
  loci: Loci,
  request: RecallRequest,
  missing: readonly Omit<MissingAnswer, "accounts">[],
  call: CallOptions | undefined,
): Promise<readonly MissingAnswer[]> {
  const also = [...new Set(missing.flatMap(({ memories }) => memories))].slice(0, mostAccounts);
  const { accounts = [] } = also.length === 0 ? {} : await loci.recall({ ...request, explain: true, also }, call);
  return missing.map((each) => ({ ...each, accounts: accounts.filter(({ id }) => each.memories.includes(id)) }));
}

/** The newest memories that would be each of the answers, by what was expected. */
async function memoriesThatSay(
  loci: Loci,
  answers: ReadonlySet<string>,
  place: Pick<RecallRequest, "scopes" | "evaluationTime">,
  call: CallOptions | undefined,
): Promise<ReadonlyMap<string, readonly MemoryId[]>> {
  const found = [...answers].map((given) => ({ expected: new ExpectedMemory(given), ids: [] as MemoryId[] }));
  for await (const memory of everyMemory(loci.memories, place, call)) {
    const searched = searchedMemory(memory);
    for (const { expected, ids } of found)
      if (ids.length < mostMemories && expected.isIn(searched)) ids.push(memory.id);
  }
  return new Map(found.map(({ expected, ids }) => [expected.given, ids]));
}

function missingOf({ question }: AskedQuestion): readonly string[] {
  return question.expected.filter((_, index) => question.places[index] === undefined);
}

/** The scopes in which a question is asked, as one text. */
function placeOf({ request }: AskedQuestion): string {
  return parseScopes(request.scopes).map(formatScope).toSorted().join(" ");
}
