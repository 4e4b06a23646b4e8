import { cosinesOfUnitVectors, type TenantId } from "@loci/domain";
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
  const all = texts.flat();
  const nearest = queryVectors.map(() => new Float64Array(texts.length).fill(-Infinity));
  const textOf = texts.flatMap((vectors, text) => vectors.map(() => text));
  const atOnce = Math.ceil(productsBetweenLooks / (all[0]?.length ?? 1));
  let products = 0;
  for (let from = 0; from < all.length; from += atOnce) {
    const some = all.slice(from, from + atOnce);
    for (let query = 0; query < queryVectors.length; query++) {
      if (products >= productsBetweenLooks) {
        products = 0;
        const turn = thread.next(tenant, signal);
        if (turn !== undefined) await turn;
      }
      const vector = queryVectors[query] as Float32Array;
      products += some.length * vector.length;
      const ofQuery = nearest[query] as Float64Array;
      const cosines = cosinesOfUnitVectors(vector, some);
      for (let at = 0; at < cosines.length; at++) {
        const text = textOf[from + at] as number;
        ofQuery[text] = Math.max(ofQuery[text] as number, cosines[at] as number);
      }
    }
  }
  return texts.map((vectors, text) =>
    vectors.length === 0 ? undefined : nearest.map((ofQuery) => ofQuery[text] as number),
  );
}
