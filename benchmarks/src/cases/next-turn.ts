import { hash } from "node:crypto";
import {
  assembleContext,
  type AssemblyInput,
  HistoryCache,
  loadTokenCounter,
  memoryBlocks,
  planWindow,
  resolveModel,
  TokenCountCache,
} from "@loci/core";
import type { ChatMessage } from "@loci/domain";
import { madeUpMessages } from "../data/full-window.ts";
import { prose } from "../data/prose.ts";
import { openTemporaryLoci } from "../data/temporary-loci.ts";
import type { BenchmarkCase, OpenCase } from "../measure/benchmark-case.ts";

const sessionLengths = [100, 500, 1000, 2000] as const;
/** For compressing a history; of what length is not said. */
const publishedClaim = "10–50 ms";
const target = { p50: 2000, p99: 5000 };

/** Runs each time with a last message nobody has seen. The list does not grow meanwhile. */
function turnsOf(turns: number): () => readonly ChatMessage[] {
  const said = madeUpMessages(turns * 2);
  let turn = turns;
  return () => [...said, { role: "user", content: `${turn++}. ${prose(1, 1)}` }];
}

async function inputOf(): Promise<Omit<AssemblyInput, "messages">> {
  return {
    layout: memoryBlocks,
    profile: "conversation",
    mode: "fill",
    plan: planWindow({ resolved: resolveModel("gpt-4") }),
    counter: await loadTokenCounter("o200k_base"),
    query: "What next?",
    evaluationTime: 0,
    sha256: (text) => hash("sha256", text, "hex"),
  };
}

async function openTurns(turns: number): Promise<OpenCase> {
  const input = await inputOf();
  const known = { counts: new TokenCountCache(), conversations: new HistoryCache() };
  const next = turnsOf(turns);
  const run = (): unknown => assembleContext({ ...input, ...known, messages: next() });
  run();
  return { run, [Symbol.asyncDispose]: () => Promise.resolve() };
}

/** The next turn of sessions of growing length, summary included: it costs what is new in it. */
export const nextTurns: readonly BenchmarkCase[] = sessionLengths.map((turns): BenchmarkCase => ({
  name: `next-turn-${turns}`,
  description: `Assemble the next turn of a conversation of ${turns} turns, most of it summarised, in an 8K window`,
  target,
  publishedClaim,
  open: () => openTurns(turns),
}));

/** The same through the public API, which checks the messages and counts with the model's own tokenizer. */
export const nextTurnsInProcess: readonly BenchmarkCase[] = sessionLengths.map((turns): BenchmarkCase => ({
  name: `next-turn-in-process-${turns}`,
  description: `The same through loci.assemble, checks and receipt included: ${turns} turns`,
  target,
  publishedClaim,
  open: async () => {
    const temporary = await openTemporaryLoci();
    const next = turnsOf(turns);
    const run = (): Promise<unknown> =>
      temporary.loci.assemble({ model: "gpt-4", messages: next(), query: "What next?", evaluationTime: 0 });
    await run();
    return { run, [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose]() };
  },
}));

export const firstTurn: BenchmarkCase = {
  name: "first-turn-1000",
  description:
    "Assemble a turn of a conversation of 1,000 turns of which nothing was seen before: all is counted and read",
  open: async () => {
    const input = await inputOf();
    const messages = madeUpMessages(2000);
    const run = (): unknown =>
      assembleContext({ ...input, messages, counts: new TokenCountCache(), conversations: new HistoryCache() });
    return { run, [Symbol.asyncDispose]: () => Promise.resolve() };
  },
};
