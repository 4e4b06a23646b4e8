import type { Embedder } from "@loci/embedding";
import type { Loci } from "@loci/loci";
import { storedGrown, storedHistories } from "./conversation-data.ts";
import {
  type FactPair,
  type LatestMemory,
  type LatestStore,
  readFactPairs,
  readFacts,
  readLatestStores,
  readOffTopic,
} from "./labelled-data.ts";
import type { LabelledMeasure } from "./labelled-results.ts";
import {
  asInput,
  joined,
  type Judged,
  judge,
  type LabelledQuestion,
  measured,
  restricted,
  scope,
  withoutBaseline,
} from "./labelled-search.ts";
import { measureKinds } from "./measure-kinds.ts";
import { measureLivedIn } from "./measure-lived-in.ts";
import { measureOwn } from "./measure-own.ts";
import { measurePeople } from "./measure-people.ts";
import { measureToldBefore } from "./measure-told-before.ts";
import { measureUnanswered } from "./measure-unanswered.ts";
import { labelledTargets } from "./quality-targets.ts";

/** The labelled sets that are in the repository and are no conversations. */
export const labelledSets = {
  facts: measureFacts,
  replaced: measureReplaced,
  latest: measureLatest,
  own: measureOwn,
  kinds: measureKinds,
  "lived-in": measureLivedIn,
  "told-before": measureToldBefore,
  histories: (embedder: Embedder) => measureUnanswered("histories", storedHistories(), embedder),
  grown: (embedder: Embedder) => measureUnanswered("grown", storedGrown(), embedder),
  people: measurePeople,
} as const;

/** 100 facts of one user: is the right one among the first three, and does a question that none answers find nothing? */
export async function measureFacts(embedder: Embedder): Promise<readonly LabelledMeasure[]> {
  const facts = readFacts();
  const offTopic = readOffTopic();
  const asked = facts[0]?.asked ?? 0;
  const store = async (loci: Loci): Promise<readonly string[]> => {
    await loci.memories.rememberMany(facts.map(asInput));
    return facts.map(({ text }) => text);
  };
  const questions = [
    ...facts.map(({ id, text, question, ...fact }): LabelledQuestion => ({
      id,
      text: question,
      asked: fact.asked,
      judge: (found) => [found.slice(0, 3).includes(text), found[0] === text, found.length > 0],
    })),
    ...offTopic.map(({ id, question }): LabelledQuestion => ({
      id,
      text: question,
      asked,
      judge: (found) => [found.length === 0, false, false],
    })),
  ];
  const [right, first, any] = (await judge(embedder, store, questions, 3)) as [Judged, Judged, Judged];
  const kinds = new Map(offTopic.map(({ id, kind }) => [id, kind]));
  const isFact = (id: string): boolean => !kinds.has(id);
  const set = "facts";
  return [
    measured(set, "right one in the top 3", restricted(right, isFact), labelledTargets.facts),
    measured(set, "right one first", restricted(first, isFact)),
    measured(set, "anything found", restricted(any, isFact)),
    withoutBaseline(
      measured(
        set,
        "off-topic: nothing found",
        restricted(right, (id) => kinds.has(id)),
        labelledTargets.offTopic,
      ),
    ),
    withoutBaseline(
      measured(
        set,
        "off-topic, of the user's own life: nothing found",
        restricted(right, (id) => kinds.get(id) === "near"),
      ),
    ),
  ];
}

/** 200 pairs of facts: is the newer shown before the older that it replaces, and are both shown where both hold? */
export async function measureReplaced(embedder: Embedder): Promise<readonly LabelledMeasure[]> {
  const pairs = readFactPairs();
  const parts: (readonly Judged[])[] = [];
  for (const store of new Set(pairs.map((pair) => pair.store))) {
    const own = pairs.filter((pair) => pair.store === store);
    const remember = async (loci: Loci): Promise<readonly string[]> => {
      const facts = own.flatMap(({ older, newer }) => [older, newer]).toSorted((left, right) => left.at - right.at);
      await loci.memories.rememberMany(facts.map(asInput));
      return facts.map(({ text }) => text);
    };
    parts.push(await judge(embedder, remember, own.map(pairQuestion), 2));
  }
  const [right, top] = [0, 1].map((at) => joined(parts.map((part) => part[at] as Judged))) as [Judged, Judged];
  const byId = new Map(pairs.map((pair) => [pair.id, pair]));
  const only = (judged: Judged, contradict: boolean, slot?: boolean): Judged =>
    restricted(judged, (id) => {
      const pair = byId.get(id);
      return (
        pair?.contradict === contradict && (slot ?? pair.newer.slot !== undefined) === (pair.newer.slot !== undefined)
      );
    });
  const set = "replaced";
  return [
    measured(set, "newer before older, or both where both hold", right, labelledTargets.replaced),
    measured(set, "newer before older, with a slot", only(right, true, true)),
    measured(set, "newer before older, without slots", only(right, true, false)),
    measured(set, "both hold, slots of their own: both shown", only(right, false, true)),
    measured(set, "both hold, without slots: both shown", only(right, false, false)),
    measured(set, "newer first of all hits", only(top, true)),
  ];
}

function pairQuestion({ id, question, asked, contradict, older, newer }: FactPair): LabelledQuestion {
  return {
    id,
    text: question,
    asked,
    judge: (found) => {
      const [before, now] = [found.indexOf(older.text), found.indexOf(newer.text)];
      const isRight = contradict ? now >= 0 && (before < 0 || now < before) : now >= 0 && before >= 0;
      return [isRight, now === 0];
    },
  };
}

/** 60 questions for the latest: is the newest of the topic the first hit? */
export async function measureLatest(embedder: Embedder): Promise<readonly LabelledMeasure[]> {
  const parts: (readonly Judged[])[] = [];
  for (const stored of readLatestStores())
    parts.push(await judge(embedder, (loci) => rememberDated(loci, stored), latestQuestions(stored), 2));
  const [first, ahead] = [0, 1].map((at) => joined(parts.map((part) => part[at] as Judged))) as [Judged, Judged];
  const set = "latest";
  return [
    measured(set, "newest of the topic first", first, labelledTargets.latest),
    measured(set, "newest shown before the older of its topic", ahead),
  ];
}

async function rememberDated(loci: Loci, { store, memories }: LatestStore): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const memory of memories) {
    const { id, text, at, category, speaker } = memory;
    if (speaker === undefined) {
      await loci.memories.remember({ ...asInput({ text, at }), ...(category === undefined ? {} : { category }) });
    } else {
      const session = `${store}-${id}`;
      await loci.memories.rememberConversation({ session, scope, turns: [{ id, speaker, content: text, at }] });
    }
    texts.push(rememberedText(memory));
  }
  return texts;
}

function latestQuestions({ store, asked, memories, questions }: LatestStore): readonly LabelledQuestion[] {
  return questions.map(({ question, topic, newest }) => {
    const textsOf = (chosen: (memory: LatestMemory) => boolean): readonly string[] =>
      memories.filter(chosen).map(rememberedText);
    const [gold] = textsOf(({ id }) => id === newest);
    if (gold === undefined) throw new Error(`${store} has no memory ${newest}.`);
    const older = textsOf((memory) => memory.topic === topic && memory.id !== newest);
    return {
      id: `${store} ${topic}`,
      text: question,
      asked,
      judge: (found) => {
        const at = found.indexOf(gold);
        return [at === 0, at >= 0 && older.every((text) => !found.slice(0, at).includes(text))];
      },
    };
  });
}

/** A turn is kept as `speaker: content`. */
function rememberedText({ speaker, text }: LatestMemory): string {
  return speaker === undefined ? text : `${speaker}: ${text}`;
}
