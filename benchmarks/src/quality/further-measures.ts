import type { Embedder } from "@loci/embedding";
import type { RememberInput, ScoringProfileName } from "@loci/domain";
import type { ConversationSet } from "./conversation-data.ts";
import { changedFacts, taggedProcedures } from "./made-up-memories.ts";
import { openTemporaryLoci, replay } from "./replay.ts";

/** One figure that is no recall of evidence. */
export interface FurtherMeasure {
  readonly name: string;
  readonly value: number;
  /** What the value is of, such as `of 20 facts`. */
  readonly unit: string;
}

const day = 86_400_000;
const now = Date.UTC(2026, 5, 1);
const scope = "user:ada";

/** Does an updated fact beat the old one, and does a procedure come up when its tag is named? */
export async function storyMeasures(embedder: Embedder): Promise<readonly FurtherMeasure[]> {
  const measures: FurtherMeasure[] = [];
  await using loci = await openTemporaryLoci(embedder);
  await loci.memories.rememberMany(changedFacts.flatMap(bothVersions));
  await loci.memories.rememberMany(
    taggedProcedures.map(({ text, tags }) => ({ text, tags, scope, category: "procedure" })),
  );
  for (const profile of ["assistant", "archive"] as const satisfies readonly ScoringProfileName[]) {
    let ahead = 0;
    for (const { question, updated, old } of changedFacts) {
      const { hits } = await loci.recall({ query: question, scopes: [scope], evaluationTime: now, profile });
      const texts = hits.map(({ memory }) => memory.text);
      if (texts.includes(updated) && (!texts.includes(old) || texts.indexOf(updated) < texts.indexOf(old))) ahead++;
    }
    measures.push({
      name: `updated fact ahead of the old one, both current, profile ${profile}`,
      value: ahead,
      unit: `of ${changedFacts.length} facts`,
    });
  }
  let found = 0;
  for (const { question, text } of taggedProcedures) {
    const { hits } = await loci.recall({ query: question, scopes: [scope], evaluationTime: now });
    if (hits.some(({ memory }) => memory.text === text)) found++;
  }
  measures.push({
    name: "procedure found when only its tag is named",
    value: found,
    unit: `of ${taggedProcedures.length} procedures`,
  });
  return measures;
}

function bothVersions({ old, updated }: (typeof changedFacts)[number]): readonly RememberInput[] {
  return [
    { text: old, scope, createdAt: now - 61 * day },
    { text: updated, scope, createdAt: now - 3 * day },
  ];
}

const sessionTurns = 50;

/**
 * How many memories of a conversation come up at least once while 50 of its questions are asked one after the other, with
 * the default limits; with the embedder's duplicate gate and without any.
 */
export async function coverage(
  { name, unit, conversations }: ConversationSet,
  embedder: Embedder,
): Promise<readonly FurtherMeasure[]> {
  const [conversation] = conversations;
  if (conversation === undefined) return [];
  const measures: FurtherMeasure[] = [];
  for (const [label, duplicate] of [
    ["with", embedder.gates.duplicate],
    ["without", 2],
  ] as const) {
    await using loci = await openTemporaryLoci({ ...embedder, gates: { ...embedder.gates, duplicate } });
    const seen = new Set<string>();
    const questions = conversation.questions.slice(-sessionTurns);
    await replay(loci, { name, unit }, { ...conversation, questions }, async ({ question, ...asked }) => {
      const { hits } = await loci.recall({
        query: question.text,
        scopes: [asked.scope],
        evaluationTime: asked.evaluationTime,
        profile: "archive",
      });
      for (const { memory } of hits) seen.add(memory.id);
    });
    measures.push({
      name: `${name}: memories seen in ${questions.length} turns ${label} the duplicate gate`,
      value: seen.size,
      unit: `of ${conversation.turns.length} memories`,
    });
  }
  return measures;
}
