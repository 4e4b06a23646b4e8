import type { Loci } from "@loci/loci";
import { prose } from "../data/prose.ts";
import { openTemporaryLoci } from "../data/temporary-loci.ts";
import type { BenchmarkCase } from "../measure/benchmark-case.ts";

const exchanges = 450;
const perSession = 10;
const firstSaid = 1_780_000_000_000;
const scope = "user:ann";

/** A person asks in two sentences, an assistant answers in fourteen, and now and then at great length. */
async function talk(loci: Loci): Promise<void> {
  for (let start = 0; start < exchanges; start += perSession)
    await loci.memories.rememberConversation({
      session: `talk-${start}`,
      scope,
      turns: Array.from({ length: perSession }, (_, offset) => start + offset).flatMap((exchange) => [
        {
          id: `${exchange}-asks`,
          role: "person" as const,
          speaker: "Ann",
          content: prose(exchange, 2),
          at: firstSaid + exchange * 120_000,
        },
        {
          id: `${exchange}-answers`,
          role: "assistant" as const,
          speaker: "Assistant",
          content: prose(exchanges + exchange, exchange % 10 === 0 ? 60 : 14),
          at: firstSaid + exchange * 120_000 + 60_000,
        },
      ]),
    });
  await loci.settled();
}

export const contextOfTalk: BenchmarkCase = {
  name: "context-of-talk",
  description:
    "Recall from 900 turns of a person and an assistant who answers at length, and assemble an 8K window of them",
  target: { p50: 30_000, p99: 60_000 },
  publishedClaim: "250–500 ms",
  open: async () => {
    const temporary = await openTemporaryLoci();
    await talk(temporary.loci);
    let question = 2 * exchanges;
    return {
      run: () =>
        temporary.loci.assemble({
          query: prose(++question, 1),
          recall: { scopes: [scope] },
          evaluationTime: 1_790_000_000_000,
        }),
      [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose](),
    };
  },
};
