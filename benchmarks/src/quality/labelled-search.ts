import type { Embedder } from "@loci/embedding";
import type { Loci, Memory, RememberInput, ScopeText } from "@loci/loci";
import type { LabelledMeasure, Outcomes } from "./labelled-results.ts";
import { PlainSearch } from "./plain-search.ts";
import { openTemporaryLoci } from "./replay.ts";
import { shippedProfiles } from "./shipped-profiles.ts";

/** A question for a store, and what makes an answer right. */
export interface LabelledQuestion {
  readonly id: string;
  readonly text: string;
  readonly asked: number;
  /**
   * @param found the texts of what was found, or what the store calls them, best first
   * @returns for each thing that is measured whether it is right
   */
  readonly judge: (found: readonly string[]) => readonly boolean[];
}

/** What one store and its questions came to: for each thing that is measured, by way to search. */
export interface Judged {
  readonly profiles: readonly Outcomes[];
  readonly baseline: Outcomes;
  readonly ids: readonly string[];
}

/** How many a plain search shows: as many as a recall does when nothing is said. */
const shown = 15;
export const scope: ScopeText = "user:robin";

/** What a store remembered. Each of its names is another one. */
export interface StoredTexts {
  readonly texts: readonly string[];
  /** What a question is judged by, in the order of the texts. */
  readonly names: readonly string[];
  readonly nameOf: (memory: Memory) => string;
}

function byText(texts: readonly string[]): StoredTexts {
  return { texts, names: texts, nameOf: ({ text }) => text };
}

/**
 * Remembers what `store` does in one user's scope of a new tenant, asks every question with every shipped profile and the
 * limits of a recall of which nothing is said, and a plain search over the same texts.
 *
 * @param store gives the texts it remembered, each different from the others, or with names for them
 * @param measures how many things a question is judged by
 */
export async function judge(
  embedder: Embedder,
  store: (loci: Loci) => Promise<readonly string[] | StoredTexts>,
  questions: readonly LabelledQuestion[],
  measures: number,
): Promise<readonly Judged[]> {
  await using loci = await openTemporaryLoci(embedder);
  const stored = await store(loci);
  const { texts, names, nameOf } = "texts" in stored ? stored : byText(stored);
  if (new Set(names).size !== names.length) throw new Error("A store has a text twice, so a hit has no one label.");
  await loci.settled();
  const verdicts: { readonly name: string; readonly rows: (readonly boolean[])[] }[] = [];
  for (const { name, profile } of shippedProfiles) {
    const rows: (readonly boolean[])[] = [];
    for (const { text, asked, judge: right } of questions) {
      const { hits } = await loci.recall({ query: text, scopes: [scope], evaluationTime: asked, profile });
      rows.push(right(hits.map(({ memory }) => nameOf(memory))));
    }
    verdicts.push({ name, rows });
  }
  const search = await PlainSearch.over(texts, embedder);
  const plain: (readonly boolean[])[] = [];
  for (const { text, judge: right } of questions) {
    const ranking = await search.ranking(text);
    plain.push(right(ranking.slice(0, shown).map((index) => names[index] as string)));
  }
  const outcomes = (name: string, rows: readonly (readonly boolean[])[], measure: number): Outcomes => ({
    name,
    right: rows.map((row) => (row[measure] === true ? 1 : 0)),
  });
  return Array.from({ length: measures }, (_, measure) => ({
    profiles: verdicts.map(({ name, rows }) => outcomes(name, rows, measure)),
    baseline: outcomes("plain search (BM25 + cosine), this run", plain, measure),
    ids: questions.map(({ id }) => id),
  }));
}

/** One measure over several stores. */
export function joined(parts: readonly Judged[]): Judged {
  const [first] = parts;
  if (first === undefined) throw new Error("There is no store.");
  return {
    profiles: first.profiles.map(({ name }, profile) => ({
      name,
      right: parts.flatMap(({ profiles }) => profiles[profile]?.right ?? []),
    })),
    baseline: { name: first.baseline.name, right: parts.flatMap(({ baseline }) => baseline.right) },
    ids: parts.flatMap(({ ids }) => ids),
  };
}

/** The same measure on some of the questions only. */
export function restricted(judged: Judged, chosen: (id: string) => boolean): Judged {
  const at = judged.ids.map(chosen);
  const pick = <Value>(values: readonly Value[]): readonly Value[] => values.filter((_, index) => at[index]);
  const some = ({ name, right }: Outcomes): Outcomes => ({ name, right: pick(right) });
  return { profiles: judged.profiles.map(some), baseline: some(judged.baseline), ids: pick(judged.ids) };
}

/** The questions that the default profile has wrong. */
export function wrongOf({ profiles, ids }: Judged): readonly string[] {
  return ids.filter((_, index) => profiles[0]?.right[index] === 0);
}

/** Facts as memories of the scope that is asked. */
export function asInput({ text, at, slot }: { text: string; at: number; slot?: string | undefined }): RememberInput {
  return { text, scope, createdAt: at, ...(slot === undefined ? {} : { slot }) };
}

/** What was judged, as it is reported. */
export function measured(set: string, name: string, judged: Judged, target?: number): LabelledMeasure {
  const { profiles, baseline } = judged;
  return { set, name, target, profiles, baseline, wrong: wrongOf(judged) };
}

/** A plain search always finds something. */
export function withoutBaseline(measure: LabelledMeasure): LabelledMeasure {
  return { ...measure, baseline: undefined };
}

/** Remembers facts that have ids, and is judged by these. */
export async function rememberFacts(
  loci: Loci,
  facts: readonly { readonly id: string; readonly text: string; readonly at: number }[],
): Promise<StoredTexts> {
  const memories = await loci.memories.rememberMany(facts.map(asInput));
  return namedTexts(
    memories,
    facts.map(({ id }) => id),
  );
}

/** @param names of the memories, in their order */
export function namedTexts(memories: readonly Memory[], names: readonly string[]): StoredTexts {
  const byId = new Map(memories.map(({ id }, index) => [id, names[index] as string]));
  return { texts: memories.map(({ text }) => text), names, nameOf: ({ id }) => byId.get(id) ?? "" };
}
