import { analyseQuery, analyseText, termCount, type TermFrequencies } from "@loci/core";
import { Bm25, cosineOfUnitVectors } from "@loci/domain";
import type { Embedder } from "@loci/embedding";
import type { Conversation, ConversationSet, Question, Turn } from "./conversation-data.ts";
import { evidenceShares, type EvidenceShares } from "./evidence-share.ts";

const neighbourFactor = 0.3;
/** Two weeks halve what recency gives; it gives at most 0.4 of a score. The best of the halvings and shares tried. */
const recencyHalfLife = 14 * 86_400_000;
const recencyShare = 0.4;

/**
 * What is easily had without Loci's rules, question by question: a plain scan of every turn.
 *
 * LoCoMo: BM25 and cosine in equal parts, and 0.3 of the better neighbour's score. RealMem: BM25, mildly weighted by
 * recency. Both are the best simple baselines that were found for these sets.
 */
export async function plainBaseline(
  { name, unit }: Pick<ConversationSet, "name" | "unit">,
  conversation: Conversation,
  embedder: Embedder,
): Promise<readonly EvidenceShares[]> {
  const texts = conversation.turns.map(({ speaker, content }) => `${speaker}: ${content}`);
  const terms = texts.map(analyseText);
  const vectors = name === "locomo" ? await embedAll(embedder, texts) : [];
  const shares: EvidenceShares[] = [];
  for (const question of conversation.questions) {
    const turns = knownTurns(conversation, question);
    const words = textShares(question, terms.slice(0, turns.length));
    let scores: readonly number[];
    if (name === "locomo") {
      const [query] = await embedder.embed([question.text], { kind: "query" });
      scores = withNeighbours(
        turns,
        words.map((word, turn) => 0.5 * word + 0.5 * Math.max(0, cosine(query, vectors[turn]))),
      );
    } else scores = withRecency(turns, words);
    const ranked = turns
      .map((turn, index) => ({
        unit: unit === "turn" ? turn.id : String(turn.session),
        score: scores[index] ?? 0,
        index,
      }))
      .toSorted((left, right) => right.score - left.score || left.index - right.index);
    shares.push(
      evidenceShares(
        ranked.map((found) => found.unit),
        question.evidence,
      ),
    );
  }
  return shares;
}

/** The turns that are known when a question is asked. */
export function knownTurns({ turns }: Conversation, { beforeSession }: Question): readonly Turn[] {
  return beforeSession === undefined ? turns : turns.filter(({ session }) => session < beforeSession);
}

async function embedAll(embedder: Embedder, texts: readonly string[]): Promise<readonly Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let start = 0; start < texts.length; start += embedder.maxBatch)
    vectors.push(...(await embedder.embed(texts.slice(start, start + embedder.maxBatch), { kind: "document" })));
  return vectors;
}

function cosine(left: Float32Array | undefined, right: Float32Array | undefined): number {
  return left === undefined || right === undefined ? 0 : cosineOfUnitVectors(left, right);
}

/** BM25 of each text over the best. */
function textShares(question: Question, texts: readonly TermFrequencies[]): readonly number[] {
  const terms = analyseQuery(question.text);
  const lengths = texts.map(termCount);
  const ranking = new Bm25({
    documents: texts.length,
    totalLength: lengths.reduce((sum, length) => sum + length, 0),
    documentFrequencies: terms.map((term) => texts.filter((text) => text.has(term)).length),
  });
  const scores = texts.map((text, index) =>
    ranking.score(
      terms.map((term) => text.get(term) ?? 0),
      lengths[index] as number,
    ),
  );
  const best = scores.reduce((most, score) => Math.max(most, score), 0);
  return scores.map((score) => (best > 0 ? score / best : 0));
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
