import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  readGrownStores,
  readSample,
  storedGrown,
  storedHistories,
  storedPeople,
} from "../src/quality/conversation-data.ts";
import type { StoredConversation } from "../src/quality/stored-conversation.ts";
import { instantOf } from "../src/quality/spoken-time.ts";
import {
  type OwnStore,
  readFactPairs,
  readFacts,
  readLabelledLines,
  readLatestStores,
  readLivedInStores,
  readKindsOfStores,
  readOwnStores,
  readOffTopic,
} from "../src/quality/labelled-data.ts";

const day = 86_400_000;

function counts(values: readonly unknown[]): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const value of values) found[String(value)] = (found[String(value)] ?? 0) + 1;
  return found;
}

test("there are 100 facts, five of each of 20 domains, and 100 questions that none answers", () => {
  const domains = counts(
    (readLabelledLines("facts.jsonl") as readonly { domain: string }[]).map(({ domain }) => domain),
  );
  expect(Object.keys(domains)).toHaveLength(20);
  expect(new Set(Object.values(domains))).toEqual(new Set([5]));
  const facts = readFacts();
  expect(new Set(facts.map(({ question }) => question)).size).toBe(100);
  expect(facts.every(({ at, asked }) => at < asked)).toBe(true);
  expect(new Set(readOffTopic().map(({ question }) => question)).size).toBe(100);
});

test("there are 200 pairs of facts, 140 that contradict each other, half of them with slots", () => {
  const pairs = readFactPairs();
  expect(new Set(pairs.map(({ id }) => id)).size).toBe(200);
  const kinds = counts(pairs.map(({ contradict, newer }) => `${contradict} ${newer.slot !== undefined}`));
  expect(kinds).toEqual({ "true true": 70, "true false": 70, "false true": 30, "false false": 30 });
  expect(new Set(Object.values(counts(pairs.map(({ store }) => store))))).toEqual(new Set([20]));
  for (const { asked, older, newer, contradict } of pairs) {
    expect(newer.at - older.at).toBeGreaterThanOrEqual(day);
    expect(newer.at - older.at).toBeLessThan(241 * day);
    expect(newer.at).toBeLessThan(asked);
    // A slot holds one value: what holds together has slots of its own.
    expect(older.slot === newer.slot).toBe(contradict || newer.slot === undefined);
  }
});

test("there are 60 questions for the latest, each answered by the newest of several about its topic", () => {
  const stores = readLatestStores();
  expect(stores.flatMap(({ questions }) => questions)).toHaveLength(60);
  for (const { memories, questions, asked } of stores) {
    expect(memories.length).toBeLessThanOrEqual(12);
    expect(memories.map(({ at }) => at)).toEqual(memories.map(({ at }) => at).toSorted((left, right) => left - right));
    expect(memories.every(({ at }) => at < asked)).toBe(true);
    for (const { topic, newest } of questions) {
      const onTopic = memories.filter((memory) => memory.topic === topic);
      expect(onTopic.length).toBeGreaterThanOrEqual(3);
      expect(onTopic.at(-1)?.id).toBe(newest);
    }
  }
});

test("there are 60 questions of one's own, 15 for each of four stores that hold their answers", () => {
  const stores = readOwnStores();
  expect(stores.map(({ store, questions }) => [store, questions.length])).toEqual([
    ["documents", 15],
    ["tutoring", 15],
    ["coding", 15],
    ["twelve facts", 15],
  ]);
  for (const store of stores) {
    const named = "paths" in store ? [] : ("turns" in store ? store.turns : store.facts).map(({ id }) => id);
    const answered = ({ answers }: OwnStore["questions"][number]): boolean =>
      answers.length > 0 &&
      answers.every((answer) =>
        typeof answer === "string" ? named.includes(answer) : documentAt(answer.source).includes(answer.holds),
      );
    expect(store.questions.filter((question) => !answered(question))).toEqual([]);
  }
});

test("every question for a store of some kind is answered by a fact of it", () => {
  const stores = readKindsOfStores();
  expect(stores).toHaveLength(11);
  for (const { store, facts, questions } of stores) {
    const ids = new Set(facts.map(({ id }) => id));
    expect(ids.size).toBe(facts.length);
    expect(facts.every(({ id }) => id.startsWith(`${store}-`))).toBe(true);
    for (const { answers } of questions) {
      expect(answers.length).toBeGreaterThan(0);
      expect(answers.filter((id) => !ids.has(id))).toEqual([]);
    }
  }
});

test("a lived-in store has 20 questions that it answers, eight that it does not, and was told before it was asked", () => {
  const stores = readLivedInStores();
  expect(stores).toHaveLength(9);
  for (const store of stores) {
    const told = "turns" in store ? store.turns : store.facts;
    const ids = new Set(told.map(({ id }) => id));
    expect(ids.size).toBe(told.length);
    expect(ids.size).toBeGreaterThan(50);
    const times = "turns" in store ? store.turns.map(({ time }) => instantOf(time)) : store.facts.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((left, right) => left - right));
    expect(times.at(-1)).toBeLessThan(store.asked);
    expect(store.questions).toHaveLength(20);
    for (const { answers, together } of store.questions) {
      expect(answers.length).toBeGreaterThanOrEqual(together === true ? 2 : 1);
      expect(answers.filter((id) => !ids.has(id))).toEqual([]);
    }
    expect(new Set(store.offTopic).size).toBe(8);
  }
});

function documentAt(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
}

test("every question of the sample has its evidence, and every speaker a role", () => {
  for (const { turns, qas } of readLabelledLines("conversations-sample.jsonl") as readonly StoredConversation[]) {
    const ids = new Set(turns.map(({ id }) => id));
    expect(ids.size).toBe(turns.length);
    for (const { evidence } of qas) {
      expect(evidence.length).toBeGreaterThan(0);
      expect(evidence.filter((id) => !ids.has(id))).toEqual([]);
    }
  }
  const { conversations } = readSample();
  expect(conversations.map(({ questions }) => questions.length)).toEqual([20, 20, 15]);
  expect(counts(conversations.flatMap(({ turns }) => turns.map(({ role }) => role)))).toEqual({
    person: 138,
    assistant: 49,
    tool: 18,
  });
});

test("every history has 30 questions, five of which nothing answers, and what was replaced was told before what answers", () => {
  for (const { turns, qas } of storedHistories()) {
    const places = new Map(turns.map(({ id }, place) => [id, place]));
    expect(places.size).toBe(turns.length);
    expect(qas.map(({ evidence }) => evidence.length === 0).filter(Boolean)).toHaveLength(5);
    expect(qas).toHaveLength(30);
    for (const { evidence, replaced = [] } of qas) {
      expect([...evidence, ...replaced].filter((id) => !places.has(id))).toEqual([]);
      const newest = Math.max(...evidence.map((id) => places.get(id) ?? -1));
      for (const id of replaced) expect(places.get(id)).toBeLessThan(newest);
    }
  }
});

test("a grown store has 250 memories or more, told before they are asked for, 15 questions that they answer and four that they do not", () => {
  const stores = storedGrown();
  expect(stores).toHaveLength(8);
  for (const store of stores) expectToldBeforeAsked(store, { answered: 15, unanswered: 4 });
  const memories = readGrownStores().conversations.filter(({ areMemories }) => areMemories === true);
  expect(memories.map(({ name }) => name)).toEqual(["diary", "extracted-memories"]);
  expect(memories.every(({ turns }) => turns.every(({ speaker, category }) => speaker === "" && category))).toBe(true);
});

test("in a store of people only people speak, and it has 40 questions that are answered and six that are not", () => {
  const stores = storedPeople();
  expect(stores).toHaveLength(3);
  for (const store of stores) {
    expectToldBeforeAsked(store, { answered: 40, unanswered: 6 });
    const { roles = {}, turns } = store;
    expect(turns.filter(({ speaker = "" }) => roles[speaker] !== "person")).toEqual([]);
    expect(new Set(turns.map(({ speaker }) => speaker)).size).toBeGreaterThanOrEqual(6);
  }
});

/** And that it is grown: 250 memories or more. */
function expectToldBeforeAsked(
  { turns, qas }: StoredConversation,
  { answered, unanswered }: { readonly answered: number; readonly unanswered: number },
): void {
  const ids = new Set(turns.map(({ id }) => id));
  expect(ids.size).toBe(turns.length);
  expect(ids.size).toBeGreaterThanOrEqual(250);
  expect(qas.map(({ evidence }) => evidence.length === 0).filter(Boolean)).toHaveLength(unanswered);
  expect(qas).toHaveLength(answered + unanswered);
  const last = Math.max(...turns.map(({ time }) => instantOf(time)));
  for (const { asked = "", evidence } of qas) {
    expect(evidence.filter((id) => !ids.has(id))).toEqual([]);
    expect(Date.parse(asked)).toBeGreaterThan(last);
  }
}
