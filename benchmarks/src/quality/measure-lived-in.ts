import type { Embedder } from "@loci/embedding";
import { type LivedInQuestion, type LivedInStore, readLivedInStores } from "./labelled-data.ts";
import type { LabelledMeasure } from "./labelled-results.ts";
import {
  joined,
  type Judged,
  judge,
  type LabelledQuestion,
  measured,
  rememberFacts,
  restricted,
  withoutBaseline,
} from "./labelled-search.ts";
import { labelledTargets } from "./quality-targets.ts";
import { rememberTurns } from "./remember-turns.ts";

/** How many of the best hits are looked at. */
const cuts = [1, 3, 5, 10] as const;

/** 180 questions over nine stores of some sixty memories each, as they are after weeks of use: is what answers among the best? */
export async function measureLivedIn(embedder: Embedder): Promise<readonly LabelledMeasure[]> {
  const stores = readLivedInStores();
  const parts: (readonly Judged[])[] = [];
  for (const store of stores)
    parts.push(
      await judge(
        embedder,
        (loci) => ("turns" in store ? rememberTurns(loci, store) : rememberFacts(loci, store.facts)),
        questionsOf(store),
        cuts.length,
      ),
    );
  const set = "lived-in";
  const three = cuts.indexOf(3);
  const isAsked = (id: string): boolean => !id.includes("-off-topic-");
  const at = (column: number): Judged => joined(parts.map((part) => part[column] as Judged));
  return [
    ...cuts.map((cut, column) =>
      measured(
        set,
        `an answer in the top ${cut} of its store`,
        restricted(at(column), isAsked),
        cut === 3 ? labelledTargets.livedIn : undefined,
      ),
    ),
    ...stores.map(({ store }, index) =>
      measured(set, `– ${store}, top 3`, restricted(parts[index]?.[three] as Judged, isAsked)),
    ),
    withoutBaseline(
      measured(
        set,
        "off-topic: nothing found in a lived-in store",
        restricted(at(0), (id) => !isAsked(id)),
      ),
    ),
  ];
}

function questionsOf({ store, asked, questions, offTopic }: LivedInStore): readonly LabelledQuestion[] {
  return [
    ...questions.map((question): LabelledQuestion => ({
      id: question.id,
      text: question.question,
      asked,
      judge: (found) => cuts.map((cut) => answersIt(found.slice(0, cut), question)),
    })),
    ...offTopic.map((text, place): LabelledQuestion => ({
      id: `${store}-off-topic-${place + 1}`,
      text,
      asked,
      judge: (found) => cuts.map(() => found.length === 0),
    })),
  ];
}

function answersIt(found: readonly string[], { answers, together }: LivedInQuestion): boolean {
  // One place cannot hold two: there either of them is enough.
  const isFound = (id: string): boolean => found.includes(id);
  return together === true && found.length > 1 ? answers.every(isFound) : answers.some(isFound);
}
