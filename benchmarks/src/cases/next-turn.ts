import { createHash } from "node:crypto";
import {
  assembleContext,
  HistoryCache,
  loadTokenCounter,
  memoryBlocks,
  planWindow,
  resolveModel,
  TokenCountCache,
} from "@loci/core";
import type { ChatMessage } from "@loci/domain";
import { prose } from "../data/prose.ts";
import type { BenchmarkCase } from "../measure/benchmark-case.ts";

const sessionLengths = [100, 500, 1000, 2000] as const;

/**
 * The next turn of sessions of growing length, summary included. What was said before is known by then: what still grows
 * is the passing over a longer list.
 */
export const nextTurns: readonly BenchmarkCase[] = sessionLengths.map((turns): BenchmarkCase => ({
  name: `next-turn-${turns}`,
  description: `Assemble the next turn of a conversation of ${turns} turns, most of it summarised, in an 8K window`,
  ...(turns === 1000 ? { target: { p50: 2000, p99: 5000 }, publishedClaim: "10–50 ms" } : {}),
  open: async () => {
    const counter = await loadTokenCounter("o200k_base");
    const counts = new TokenCountCache();
    const conversations = new HistoryCache();
    const plan = planWindow({ resolved: resolveModel("gpt-4") });
    const said = Array.from({ length: turns }, (_, turn): readonly ChatMessage[] => [
      { role: "user", content: `${turn}. ${prose(turn, 2)}` },
      { role: "assistant", content: `We decided on plan ${turn}. ${prose(turn + 100_000, 2)}` },
    ]).flat();
    let turn = turns;
    const run = (): unknown => {
      turn++;
      // One message more than before, so that each run is a turn nobody has seen; the list does not grow meanwhile.
      const messages = [...said, { role: "user", content: `${turn}. ${prose(1, 1)}` } satisfies ChatMessage];
      return assembleContext({
        layout: memoryBlocks,
        profile: "conversation",
        mode: "fill",
        plan,
        counter,
        messages,
        query: "What next?",
        evaluationTime: 0,
        sha256: (text) => createHash("sha256").update(text).digest("hex"),
        counts,
        conversations,
      });
    };
    run();
    return { run, [Symbol.asyncDispose]: async () => {} };
  },
}));
