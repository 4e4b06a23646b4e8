import { analyseText } from "@loci/core";
import type { Embedder } from "@loci/embedding";
import { type Conversation, type ConversationSet, type Question, textOf, type Turn } from "./conversation-data.ts";
import { evidenceShares, type EvidenceShares } from "./evidence-share.ts";
import { bestFirst, PlainSearch, textShares } from "./plain-search.ts";

const neighbourFactor = 0.3;
/** Two weeks halve what recency gives; it gives at most 0.4 of a score. The best of the halvings and shares tried. */
const recencyHalfLife = 14 * 86_400_000;
const recencyShare = 0.4;

/**
 * What is easily had without Loci's rules, question by question: a plain scan of every turn by BM25 and cosine in equal
 * parts, and 0.3 of the better neighbour's score. Of texts and memories that are of no conversation nobody knows the neighbours.
 */
export async function plainBaseline(
  { unit, areTexts = false }: Pick<ConversationSet, "unit" | "areTexts">,
  conversation: Conversation,
  embedder: Embedder,
): Promise<readonly EvidenceShares[]> {
  const areApart = areTexts || conversation.areMemories === true;
  const search = await PlainSearch.over(spokenTexts(conversation), embedder);
  const shares: EvidenceShares[] = [];
  for (const question of conversation.questions) {
    const turns = knownTurns(conversation, question);
    const scores = await search.scores(question.text, turns.length);
    shares.push(sharesOf(unit, turns, areApart ? scores : withNeighbours(turns, scores), question));
  }
  return shares;
}

/** BM25 alone, mildly weighted by recency: what was found to be the best simple search of RealMem. */
export function recentWordsBaseline(
  { unit }: Pick<ConversationSet, "unit">,
  conversation: Conversation,
): readonly EvidenceShares[] {
  const terms = spokenTexts(conversation).map(analyseText);
  return conversation.questions.map((question) => {
    const turns = knownTurns(conversation, question);
    const words = textShares(question.text, terms.slice(0, turns.length));
    return sharesOf(unit, turns, withRecency(turns, words), question);
  });
}

/** The turns that are known when a question is asked. */
export function knownTurns({ turns }: Conversation, { beforeSession }: Question): readonly Turn[] {
  return beforeSession === undefined ? turns : turns.filter(({ session }) => session < beforeSession);
}

function spokenTexts({ turns }: Conversation): readonly string[] {
  return turns.map(textOf);
}

function sharesOf(
  unit: ConversationSet["unit"],
  turns: readonly Turn[],
  scores: readonly number[],
  { evidence }: Question,
): EvidenceShares {
  const ranked = bestFirst(scores).map((index) => {
    const { id, session } = turns[index] as Turn;
    return unit === "turn" ? id : String(session);
  });
  return evidenceShares(ranked, evidence);
}

function withNeighbours(turns: readonly Turn[], scores: readonly number[]): readonly number[] {
  const neighbour = (turn: Turn, index: number): number =>
    turns[index]?.session === turn.session ? (scores[index] ?? 0) : 0;
  return turns.map(
    (turn, index) =>
      (scores[index] ?? 0) + neighbourFactor * Math.max(neighbour(turn, index - 1), neighbour(turn, index + 1)),
  );
}

function withRecency(turns: readonly Turn[], scores: readonly number[]): readonly number[] {
  const now = turns.at(-1)?.at ?? 0;
  return turns.map(
    ({ at }, index) => (scores[index] ?? 0) * (1 - recencyShare + recencyShare * 0.5 ** ((now - at) / recencyHalfLife)),
  );
}
