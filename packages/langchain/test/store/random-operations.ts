import { isDeepStrictEqual } from "node:util";
import { InMemoryStore, type Item, type Operation, type PutOperation } from "@langchain/langgraph-checkpoint";
import type { LociStore } from "@loci/langchain/store";
import fc from "fast-check";

const labels = ["a", "ab", "b", "A", "é", "e\u0301", "x y", '"]'] as const;
const namespace = fc.array(fc.constantFrom(...labels), { minLength: 1, maxLength: 3 });
const key = fc.constantFrom("a", "b", "ab", '","', "ключ");
const field = fc.constantFrom("n", "s", "o");
const value = fc.record(
  {
    n: fc.integer({ min: -3, max: 3 }),
    s: fc.constantFrom("", "tea", "tee", "$eq"),
    o: fc.record({ deep: fc.boolean() }, { noNullPrototype: true }),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const comparison = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom("", "tea", "$eq"),
  fc.dictionary(fc.constantFrom("$eq", "$ne", "$gt", "$gte", "$lt", "$lte"), fc.integer({ min: -3, max: 3 }), {
    minKeys: 1,
    maxKeys: 2,
    noNullPrototype: true,
  }),
);
const filter = fc.option(fc.dictionary(field, comparison, { maxKeys: 2, noNullPrototype: true }), { nil: undefined });
const page = { limit: fc.integer({ min: 0, max: 12 }), offset: fc.integer({ min: 0, max: 4 }) };
const matchConditions = fc.option(
  fc.array(
    fc.record({
      matchType: fc.constantFrom("prefix" as const, "suffix" as const),
      path: fc.array(fc.constantFrom(...labels, "*" as const), { minLength: 1, maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  { nil: undefined },
);

const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ namespace, key, value }, { noNullPrototype: true }) },
  { weight: 2, arbitrary: fc.record({ namespace, key, value: fc.constant(null) }, { noNullPrototype: true }) },
  { weight: 3, arbitrary: fc.record({ namespace, key }, { noNullPrototype: true }) },
  {
    weight: 2,
    arbitrary: fc.record(
      { namespacePrefix: fc.oneof(namespace, fc.constant([])), filter, ...page },
      { noNullPrototype: true },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record(
      { matchConditions, maxDepth: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }), ...page },
      { noNullPrototype: true },
    ),
  },
) as fc.Arbitrary<Operation>;

/** LangGraph's own store, with what its contract says and it does not: the oldest item first, and no namespace without items. */
class Model {
  readonly #store = new InMemoryStore();
  readonly #made = new Map<string, number>();
  #count = 0;

  async batch(operations: readonly Operation[]): Promise<readonly unknown[]> {
    // What it gives changes with what is written later.
    const reads = operations.filter((one) => !("value" in one));
    const whole = reads.map((one) => ("limit" in one ? { ...one, limit: 1e9, offset: 0 } : one));
    const given = structuredClone((await this.#store.batch(whole)) as unknown[]);
    const answers = operations.map((one) => ("value" in one ? null : given[reads.indexOf(one)]));
    await this.#store.batch(structuredClone(operations.filter((one) => "value" in one)));
    const results = operations.map((one, place) => {
      if (!("limit" in one)) return answers[place];
      const { offset = 0, limit = 10 } = one;
      if (!("namespacePrefix" in one))
        return (answers[place] as string[][]).toSorted(byName).slice(offset, offset + limit);
      const items = answers[place] as Item[];
      return items.toSorted((left, right) => this.#order(left) - this.#order(right)).slice(offset, offset + limit);
    });
    const last = new Map<string, PutOperation>();
    for (const one of operations) if ("value" in one) last.set(placeOf(one), one);
    for (const [place, one] of last) {
      if (one.value === null) this.#made.delete(place);
      else if (!this.#made.has(place)) this.#made.set(place, this.#count++);
    }
    const { data } = this.#store as unknown as { data: Map<string, Map<string, Item>> };
    for (const [name, items] of data) if (items.size === 0) data.delete(name);
    return results;
  }

  #order(item: Item): number {
    return this.#made.get(placeOf(item)) ?? Number.NaN;
  }
}

/** Those that look the same stand as their letters do. */
function byName(left: readonly string[], right: readonly string[]): number {
  const [one, other] = [left.join(":"), right.join(":")];
  return one.localeCompare(other) || (one < other ? -1 : 1);
}

function placeOf(item: Pick<Item, "namespace" | "key">): string {
  return JSON.stringify([item.namespace, item.key]);
}

/** What has to be the same: both have clocks of their own. */
function shown(answer: unknown): unknown {
  if (answer === null || typeof answer !== "object") return answer;
  if (Array.isArray(answer)) return answer.map(shown);
  const { createdAt, updatedAt, ...item } = answer as Item;
  return { ...item, isDated: createdAt instanceof Date && createdAt <= updatedAt };
}

/** What a batch was answered, and what LangGraph's own store answers. */
interface OtherAnswer {
  readonly batch: readonly Operation[];
  readonly answers: unknown;
  readonly expected: unknown;
}

/** Runs random batches on an empty store until there were so many operations. @returns the first that is answered otherwise */
export async function firstOtherAnswer(
  store: LociStore,
  operations: number,
  seed: number,
): Promise<OtherAnswer | undefined> {
  const model = new Model();
  const batches = fc.sample(fc.array(operation, { minLength: 1, maxLength: 4 }), { seed, numRuns: operations });
  let done = 0;
  for (const batch of batches) {
    const expected = (await model.batch(batch)).map(shown);
    const answers = (await store.batch(batch)).map(shown);
    if (!isDeepStrictEqual(answers, expected)) return { batch, answers, expected };
    done += batch.length;
    if (done >= operations) break;
  }
  return undefined;
}
