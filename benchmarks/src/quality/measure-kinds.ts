import type { Embedder } from "@loci/embedding";
import { type KindOfStore, readKindsOfStores } from "./labelled-data.ts";
import type { LabelledMeasure } from "./labelled-results.ts";
import { labelledTargets } from "./quality-targets.ts";
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

/** Stores whose language the local model does not know. */
const foreign: ReadonlySet<string> = new Set(["german", "spanish", "japanese", "chinese"]);

/** 120 questions over 11 small stores, each of another kind or language: does one of the first three hits answer, and is it the first? */
export async function measureKinds(embedder: Embedder): Promise<readonly LabelledMeasure[]> {
  const stores = readKindsOfStores();
  const parts: (readonly Judged[])[] = [];
  for (const store of stores)
    parts.push(await judge(embedder, (loci) => rememberFacts(loci, store.facts), questionsOf(store), 2));
  const [right, first] = [0, 1].map((at) => joined(parts.map((part) => part[at] as Judged))) as [Judged, Judged];
  const isAsked = (id: string): boolean => !id.includes("off-topic");
  const ofStores = (chosen: (store: string) => boolean) => (id: string) => chosen(id.slice(0, id.indexOf("-")));
  const inEnglish = ofStores((store) => !foreign.has(store));
  const set = "kinds";
  return [
    measured(
      set,
      "in English, right one in the top 3 of its store",
      restricted(right, (id) => isAsked(id) && inEnglish(id)),
      labelledTargets.kindsInEnglish,
    ),
    measured(
      set,
      "in English, right one first",
      restricted(first, (id) => isAsked(id) && inEnglish(id)),
    ),
    measured(
      set,
      "in other languages, right one in the top 3 of its store",
      restricted(right, (id) => isAsked(id) && !inEnglish(id)),
      labelledTargets.kindsInOtherLanguages,
    ),
    ...stores.map(({ store }) =>
      measured(
        set,
        `– ${store}`,
        restricted(right, (id) => isAsked(id) && ofStores((name) => name === store)(id)),
      ),
    ),
    withoutBaseline(
      measured(
        set,
        "off-topic, in English: nothing found",
        restricted(right, (id) => !isAsked(id) && inEnglish(id)),
      ),
    ),
  ];
}

function questionsOf({ store, asked, questions, offTopic }: KindOfStore): readonly LabelledQuestion[] {
  return [
    ...questions.map(({ id, question, answers }): LabelledQuestion => ({
      id,
      text: question,
      asked,
      judge: (found) => [
        found.slice(0, 3).some((name) => answers.includes(name)),
        found[0] !== undefined && answers.includes(found[0]),
      ],
    })),
    ...offTopic.map((question, place): LabelledQuestion => ({
      id: `${store}-off-topic-${place + 1}`,
      text: question,
      asked,
      judge: (found) => [found.length === 0, false],
    })),
  ];
}
