import { cosineOfUnitVectors, type TenantId } from "@loci/domain";
import type { ThreadTurns } from "../calls/thread-turns.ts";

/** Numbers that are multiplied between two looks at whose turn it is: about a millisecond of work. */
const productsBetweenLooks = 1_000_000;

export interface NearnessQuery {
  readonly tenant: TenantId;
  /** One for each sub-query. */
  readonly queryVectors: readonly Float32Array[];
  /** Of the call. */
  readonly signal: AbortSignal;
}

/**
 * The best cosine of each text's vectors with each query vector; `undefined` for a text without vectors. In turns with other calls:
 * a long text has a vector for each of its passages, and a long question one for each of its sentences.
 *
 * @throws LociError `CANCELLED`, `DEADLINE_EXCEEDED`
 */
export async function nearnessOf(
  thread: ThreadTurns,
  { tenant, queryVectors, signal }: NearnessQuery,
  texts: readonly (readonly Float32Array[])[],
): Promise<readonly (readonly number[] | undefined)[]> {
  let products = 0;
  const nearness: (readonly number[] | undefined)[] = [];
  for (const vectors of texts) {
    const [first] = vectors;
    if (first === undefined) {
      nearness.push(undefined);
      continue;
    }
    const best: number[] = [];
    for (const query of queryVectors) {
      if (products >= productsBetweenLooks) {
        products = 0;
        const turn = thread.next(tenant, signal);
        if (turn !== undefined) await turn;
      }
      products += vectors.length * first.length;
      let nearest = -Infinity;
      for (const vector of vectors) nearest = Math.max(nearest, cosineOfUnitVectors(vector, query));
      best.push(nearest);
    }
    nearness.push(best);
  }
  return nearness;
}
