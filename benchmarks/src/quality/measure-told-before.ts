import type { Embedder } from "@loci/embedding";
import { type OwnConversation, readOwnStores, readToldBefore, type ToldBefore } from "./labelled-data.ts";
import type { LabelledMeasure } from "./labelled-results.ts";
import { joined, type Judged, judge, type LabelledQuestion, measured, restricted } from "./labelled-search.ts";
import { rememberTurns } from "./remember-turns.ts";

/**
 * 24 questions for what an assistant said, and 12 for the course of something, to a tutoring chat and a coding chat: is the answer among the first
 * three, and each part of the course among the first ten?
 */
export async function measureToldBefore(embedder: Embedder): Promise<readonly LabelledMeasure[]> {
  const asked = Map.groupBy(readToldBefore(), ({ store }) => store);
  const parts: Judged[] = [];
  for (const store of readOwnStores()) {
    const questions = asked.get(store.store);
    if (questions === undefined || !("turns" in store)) continue;
    const [part] = await judge(embedder, (loci) => rememberTurns(loci, store), questions.flatMap(judgedIn(store)), 1);
    if (part !== undefined) parts.push(part);
  }
  const set = "told-before";
  const ofKind = (kind: string): Judged => restricted(joined(parts), (id) => id.startsWith(kind));
  return [
    measured(set, "what the assistant said: in the top 3", ofKind("said")),
    measured(set, "the course of something: a part of it in the top 10", ofKind("course")),
  ];
}

function judgedIn({ asked }: OwnConversation): (question: ToldBefore) => readonly LabelledQuestion[] {
  return ({ id, question: text, answers, parts = [] }) => [
    ...(answers === undefined ? [] : [{ id, text, asked, judge: holds(answers, 3) }]),
    ...parts.map((part, index) => ({ id: `${id}-${index + 1}`, text, asked, judge: holds(part, 10) })),
  ];
}

function holds(any: readonly string[], cut: number): LabelledQuestion["judge"] {
  return (found) => [found.slice(0, cut).some((id) => any.includes(id))];
}
