import type { Embedder } from "@loci/embedding";
import { storedHistories } from "./conversation-data.ts";
import type { LabelledMeasure } from "./labelled-results.ts";
import { joined, type Judged, judge, type LabelledQuestion, measured, withoutBaseline } from "./labelled-search.ts";
import { rememberTurns } from "./remember-turns.ts";

/** The 20 questions about the user's own life that nothing in their histories with an assistant answers: is there no hit at all? */
export async function measureHistories(embedder: Embedder): Promise<readonly LabelledMeasure[]> {
  const parts: Judged[] = [];
  for (const { conv_id: store, roles = {}, turns, qas } of storedHistories()) {
    const unanswered = qas.filter(({ evidence }) => evidence.length === 0);
    const questions = unanswered.map(({ question: text, asked = "" }, place): LabelledQuestion => ({
      id: `${store}-off-topic-${place + 1}`,
      text,
      asked: Date.parse(asked),
      judge: (found) => [found.length === 0],
    }));
    const [part] = await judge(embedder, (loci) => rememberTurns(loci, { store, roles, turns }), questions, 1);
    if (part !== undefined) parts.push(part);
  }
  return [withoutBaseline(measured("histories", "off-topic: nothing found", joined(parts)))];
}
