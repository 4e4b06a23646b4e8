import { LociError, shownText } from "@loci/domain";

type Compare = (found: unknown, wanted: unknown) => boolean;

const operators: Readonly<Record<string, Compare>> = {
  $eq: isSame,
  $ne: (found, wanted) => !isSame(found, wanted),
  $gt: (found, wanted) => Number(found) > Number(wanted),
  $gte: (found, wanted) => Number(found) >= Number(wanted),
  $lt: (found, wanted) => Number(found) < Number(wanted),
  $lte: (found, wanted) => Number(found) <= Number(wanted),
};

/** What a caller asks of the fields of a value. */
export type ItemFilter = Readonly<Record<string, unknown>>;

/** @throws LociError `UNSUPPORTED_OPERATION` for an operator that is none, so that it is no empty answer */
export function checkFilter(filter: ItemFilter): void {
  for (const wanted of Object.values(filter)) {
    if (!isObject(wanted)) continue;
    for (const name of Object.keys(wanted))
      if (name.startsWith("$") && !Object.hasOwn(operators, name))
        throw new LociError("UNSUPPORTED_OPERATION", {
          message: `The filter has the operator ${shownText(name, 40)}, which is none.`,
          field: "filter",
          advice: `Use ${Object.keys(operators).join(", ")}, or the value itself.`,
        });
    checkFilter(wanted);
  }
}

/** Whether a value has all that the filter names. */
export function matchesFilter(value: ItemFilter, filter: ItemFilter): boolean {
  return Object.entries(filter).every(([name, wanted]) => matches(ownField(value, name), wanted));
}

function matches(found: unknown, wanted: unknown): boolean {
  if (!isObject(wanted)) return isSame(found, wanted);
  const names = Object.keys(wanted);
  if (names.some((name) => name.startsWith("$")))
    return names.every((name) => operators[name]?.(found, wanted[name]) ?? false);
  return isObject(found) && matchesFilter(found, wanted);
}

/** Equal as JSON: what is nested, too. */
function isSame(found: unknown, wanted: unknown): boolean {
  if (Array.isArray(found) && Array.isArray(wanted))
    return found.length === wanted.length && found.every((one, place) => isSame(one, wanted[place]));
  if (!isObject(found) || !isObject(wanted)) return found === wanted;
  const names = Object.keys(wanted);
  return (
    names.length === Object.keys(found).length &&
    names.every((name) => Object.hasOwn(found, name) && isSame(found[name], wanted[name]))
  );
}

function ownField(value: ItemFilter, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function isObject(value: unknown): value is ItemFilter {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
