import type { Loci, RecallRequest, RememberInput } from "@loci/domain";
import type { Embedder } from "@loci/embedding";
import type { FurtherMeasure } from "./further-measures.ts";
import { topics } from "./made-up-session.ts";
import { openTemporaryLoci } from "./replay.ts";

const minute = 60_000;
const now = Date.UTC(2026, 5, 1);
const scope = "team:orchard";
/** Places a turn has for memories. */
const limit = 8;

/** How sessions are divided among the turns, and what gives way. */
interface Rule {
  readonly name: string;
  /** Near-duplicates of what is shown are dropped. */
  readonly isDiverse: boolean;
  readonly rotation: (turn: number) => RecallRequest["rotation"];
}

const rules: readonly Rule[] = [false, true].flatMap((isDiverse): readonly Rule[] => {
  const duplicates = isDiverse ? "near-duplicates dropped" : "near-duplicates kept";
  return [
    { name: `no rotation, ${duplicates}`, isDiverse, rotation: () => undefined },
    {
      name: `rotation within the session, ${duplicates}`,
      isDiverse,
      rotation: () => ({ owner: "ada", session: "one", key: "session" }),
    },
    {
      name: `rotation among 5 sessions of 10 turns, ${duplicates}`,
      isDiverse,
      rotation: (turn) => ({ owner: "ada", session: `session ${Math.floor(turn / 10)}` }),
    },
  ];
});

/**
 * Asks 50 questions about 10 topics, one a minute and every topic once before any comes again, of a store of 200 facts in
 * two wordings each, and counts what comes up: facts that were seen at least once, and how much of what was shown is about
 * the topic that was asked for.
 */
export async function sessionCoverage(embedder: Embedder): Promise<readonly FurtherMeasure[]> {
  const measures: FurtherMeasure[] = [];
  for (const { name, isDiverse, rotation } of rules) {
    const duplicate = isDiverse ? embedder.gates.duplicate : 2;
    await using loci = await openTemporaryLoci({ ...embedder, gates: { ...embedder.gates, duplicate } });
    const factOf = await rememberTopics(loci);
    const seen = new Set<string>();
    let shown = 0;
    let onTopic = 0;
    for (const [turn, { question, topic }] of turnsOf().entries()) {
      const { hits } = await loci.recall({
        query: question,
        scopes: [scope],
        limit,
        evaluationTime: now + turn * minute,
        rotation: rotation(turn),
        recordUsage: "kept",
      });
      for (const { memory } of hits) {
        const fact = factOf.get(memory.text);
        shown++;
        if (fact?.topic === topic) onTopic++;
        if (fact !== undefined) seen.add(`${fact.topic} ${fact.number}`);
      }
    }
    const facts = topics.reduce((sum, topic) => sum + topic.facts.length, 0);
    measures.push({ name: `made-up session of 50 turns, ${name}: facts seen`, value: seen.size, unit: `of ${facts}` });
    measures.push({
      name: `made-up session of 50 turns, ${name}: memories shown that are about the topic`,
      value: Math.round((1_000 * onTopic) / shown) / 10,
      unit: `percent of ${shown}`,
    });
  }
  return measures;
}

interface Fact {
  readonly topic: string;
  readonly number: number;
}

async function rememberTopics(loci: Loci): Promise<ReadonlyMap<string, Fact>> {
  const facts = new Map<string, Fact>();
  const inputs: RememberInput[] = [];
  for (const topic of topics)
    for (const [number, { wordings }] of topic.facts.entries())
      for (const text of wordings) {
        facts.set(text, { topic: topic.name, number });
        inputs.push({ text, scope, createdAt: now - inputs.length * 60 * minute });
      }
  await loci.memories.rememberMany(inputs);
  await loci.settled();
  return facts;
}

/** Every topic's first question, then every topic's second one, and so on. */
function turnsOf(): readonly { readonly question: string; readonly topic: string }[] {
  const [first] = topics;
  return (first?.questions ?? []).flatMap((_, round) =>
    topics.flatMap(({ name, questions }) => {
      const question = questions[round];
      return question === undefined ? [] : [{ question, topic: name }];
    }),
  );
}
