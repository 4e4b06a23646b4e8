import type { FilterValue } from "@loci/domain";

/** A shorter list is looked through faster than it is looked up in. */
const fewValues = 8;

/** The values of a list in a filter, of which there may be a thousand, each compared with every row. */
interface ListedValues {
  readonly values: ReadonlySet<FilterValue>;
  /** What all of them are; `undefined` for a list of several types, and for an empty one. */
  readonly type: string | undefined;
}

const known = new WeakMap<readonly FilterValue[], ListedValues>();

/** Whether a value equals one of a list. */
export function isListed(actual: FilterValue, list: readonly FilterValue[]): boolean {
  return list.length < fewValues ? list.includes(actual) : listedValues(list).values.has(actual);
}

/** Whether a value is of the type of every value of a list, and equals none of them. */
export function differsFromAll(actual: FilterValue, list: readonly FilterValue[]): boolean {
  if (list.length < fewValues) return list.every((value) => typeof value === typeof actual && value !== actual);
  const { values, type } = listedValues(list);
  return type === typeof actual && !values.has(actual);
}

function listedValues(list: readonly FilterValue[]): ListedValues {
  let listed = known.get(list);
  if (listed === undefined) {
    const [first] = list;
    const isOfOneType = list.every((value) => typeof value === typeof first);
    listed = { values: new Set(list), type: isOfOneType ? typeof first : undefined };
    known.set(list, listed);
  }
  return listed;
}
