import { type Embedder, openEngine, type OpenedEngine, type OpenEngineOptions } from "@loci/loci";
import { deterministicEmbedder } from "@loci/embedding/testing";

/** An embedder that answers at once until its gate is shut, and then only when it is opened. */
export interface GatedEmbedder extends Embedder {
  shut(): void;
  open(): void;
  /** Calls at work now, the most there were at once, and those that were told to stop. */
  readonly counts: { running: number; most: number; started: number; aborted: number };
}

export function gatedEmbedder(): GatedEmbedder {
  const inner = deterministicEmbedder();
  let gate: PromiseWithResolvers<void> | undefined;
  const counts = { running: 0, most: 0, started: 0, aborted: 0 };
  return {
    ...inner,
    counts,
    shut: () => {
      gate ??= Promise.withResolvers<void>();
    },
    open: () => {
      gate?.resolve();
      gate = undefined;
    },
    embed: async (texts, options) => {
      counts.started++;
      counts.running++;
      counts.most = Math.max(counts.most, counts.running);
      try {
        const aborted = Promise.withResolvers<never>();
        const onAbort = (): void => {
          counts.aborted++;
          aborted.reject(options.signal?.reason as Error);
        };
        options.signal?.addEventListener("abort", onAbort, { once: true });
        if (gate !== undefined) await Promise.race([gate.promise, aborted.promise]);
        options.signal?.removeEventListener("abort", onAbort);
        return await inner.embed(texts, options);
      } finally {
        counts.running--;
      }
    },
  };
}

/** Opens an engine with the embedder. */
export function engineWith(embedder: Embedder): (options: OpenEngineOptions) => Promise<OpenedEngine> {
  return (options) => openEngine({ ...options, embedder });
}
