import type { Embedder } from "@loci/embedding";
import type { LabelledMeasure } from "./labelled-results.ts";
import { joined, type Judged, judge, type LabelledQuestion, measured, withoutBaseline } from "./labelled-search.ts";
import { rememberTurns } from "./remember-turns.ts";
import type { StoredConversation } from "./stored-conversation.ts";

/** The questions of a set of conversations that nothing in their store answers: is there no hit at all? */
export async function measureUnanswered(
  set: string,
  conversations: readonly StoredConversation[],
  embedder: Embedder,
): Promise<readonly LabelledMeasure[]> {
  const parts: Judged[] = [];
  for (const { conv_id: store, areMemories = false, roles = {}, turns, qas } of conversations) {
    const unanswered = qas.filter(({ evidence }) => evidence.length === 0);
    const questions = unanswered.map(({ question: text, asked = "" }, place): LabelledQuestion => ({
      id: `${store}-off-topic-${place + 1}`,
      text,
      asked: Date.parse(asked),
      judge: (found) => [found.length === 0],
    }));
    const [part] = await judge(
      embedder,
      (loci) => rememberTurns(loci, { store, areMemories, roles, turns }),
      questions,
      1,
    );
    if (part !== undefined) parts.push(part);
  }
  return [withoutBaseline(measured(set, "off-topic: nothing found", joined(parts)))];
}
