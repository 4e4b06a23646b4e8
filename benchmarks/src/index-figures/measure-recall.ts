import type { CallOptions } from "@loci/domain";
import { openLocalEmbedder } from "@loci/embedding";
import { type ClusteredData, evaluationTime, openClusteredLoci, questionText } from "../data/clustered-loci.ts";
import { clusteredQueries } from "../data/clustered-memories.ts";
import { type CallFigure, measureCalls } from "../measure/measure-calls.ts";
import type { IndexFigure } from "./index-figure.ts";

/** Asked before anything is measured: until some thousand, code is still being compiled, by other threads of the process too. */
const warmQuestions = 1_500;
/** So many that the slowest in a hundred are not one alone. */
const measuredQuestions = 500;
/** Contexts that are assembled before those that are measured. */
const warmContexts = 100;
/** Of nine sub-queries: enough for a median. */
const longQuestions = 40;
/** Sentences beside the whole prompt: nine sub-queries in all. */
const sentences = 8;

/** Whole recalls through the public interface, and from prompt to context with the local model's cost in it. */
export async function measureRecall(few: ClusteredData): Promise<readonly IndexFigure[]> {
  const data = { ...few, queries: clusteredQueries(few.memories, warmQuestions + measuredQuestions) };
  const isLarge = data.dimensions > 384;
  await using loci = await openClusteredLoci(data, isLarge ? undefined : await openLocalEmbedder());
  const scopesOf = (number: number): ["global", ...`user:${string}`[]] =>
    data.queries[number]?.scopes.map((place) => data.memories.scopeNames[place]) as ["global"];
  const recall =
    (count: number, options?: CallOptions) =>
    (number: number): Promise<unknown> =>
      loci.recall({ query: questionText(data, number, count), scopes: scopesOf(number), evaluationTime }, options);
  const context = (number: number): Promise<unknown> => {
    const query = questionText(data, number, 0);
    return loci.assemble({
      messages: [{ role: "user", content: query }],
      query,
      recall: { scopes: scopesOf(number) },
      evaluationTime,
    });
  };
  const measure = (call: (number: number) => Promise<unknown>, count = measuredQuestions): Promise<CallFigure> =>
    measureCalls(
      Array.from({ length: count }, (_, at) => warmQuestions + at),
      call,
    );
  const target = isLarge ? { p50: 8, p99: 16 } : { p50: 4, p99: 8 };
  for (let number = 0; number < warmQuestions; number++) await recall(0)(number);
  const figures: IndexFigure[] = [
    { name: "whole recall, asked for the first time", calls: await measure(recall(0)), target },
    { name: "whole recall, asked again", calls: await measure(recall(0)), target },
    { name: "whole recall of nine sub-queries", calls: await measure(recall(sentences), longQuestions) },
  ];
  if (!isLarge) {
    for (let number = 0; number < warmContexts; number++) await context(number);
    figures.push({ name: "prompt in to context out", calls: await measure(context), target: { p50: 8, p99: 15 } });
  }
  figures.push({
    name: "memory of the process after all that",
    value: process.memoryUsage.rss() / 2 ** 20,
    unit: "MiB",
    target: { most: 700 },
  });
  return figures;
}
