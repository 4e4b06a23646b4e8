import { recordCalls, registerSuite, type TestApi } from "@loci/conformance";
import type { Embedder } from "../embedder.ts";
import { embedderCases } from "./embedder-cases.ts";

export interface EmbedderConformanceOptions {
  /** Of the embedder, for the test report. */
  readonly name: string;
  /** Called for every case. */
  readonly open: () => Promise<Embedder>;
}

/** Registers every test that an `Embedder` must pass. */
export function embedderConformance(testApi: TestApi, { name, open }: EmbedderConformanceOptions): void {
  registerSuite(testApi, {
    name: `embedder ${name}`,
    methods: { embed: true, close: true },
    files: [embedderCases],
    timeoutMilliseconds: 60_000,
    runCase: async (run) => {
      const called = new Set<string>();
      const embedder = await open();
      try {
        await run(recordCalls(embedder, called));
      } finally {
        await embedder.close();
      }
      return called;
    },
  });
}
