import { openTemporaryLoci } from "../data/temporary-loci.ts";
import { prose } from "../data/prose.ts";
import type { BenchmarkCase } from "../measure/benchmark-case.ts";

/** The whole call, validation and receipt included, but without a recall. */
export const assembleWindow: BenchmarkCase = {
  name: "assemble-8k",
  description: "Assemble an 8K window from system, project, task and 40 messages, whose counts are known",
  target: { p50: 1000, p99: 5000 },
  publishedClaim: "< 20 ms",
  open: async () => {
    const temporary = await openTemporaryLoci();
    const messages = Array.from({ length: 40 }, (_, index) => ({
      role: index % 2 === 0 ? ("user" as const) : ("assistant" as const),
      content: prose(100 + index, 2),
      id: `m${index}`,
    }));
    const request = {
      model: "gpt-4",
      system: prose(1, 20),
      project: prose(2, 50),
      task: prose(3, 20),
      messages,
      query: "Which of these should we fix first, and why?",
      evaluationTime: 1_790_000_000_000,
    };
    return {
      run: () => temporary.loci.assemble(request),
      [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose](),
    };
  },
};
