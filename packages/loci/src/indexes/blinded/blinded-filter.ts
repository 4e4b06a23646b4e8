import { type Filter, type FilterComparison, type FilterValue, LociError, type TenantId } from "@loci/domain";
import type { IndexFields } from "@loci/store";
import type { BlindedWords } from "./blinded-words.ts";

/** Comparisons of which a stand-in says the same as the word. */
const comparable: ReadonlySet<FilterComparison["operator"]> = new Set([
  "equals",
  "notEquals",
  "in",
  "notIn",
  "contains",
]);

/** Whether a field holds people's words. The others hold numbers, or one of a few words of Loci's own. */
function holdsWords(field: string): boolean {
  return field === "tags" || field === "slot" || field.startsWith("metadata.");
}

/** The fields of a row with stand-ins for words. */
export function blindedFields(words: BlindedWords, tenant: TenantId, fields: IndexFields): IndexFields {
  const blinded: Record<string, IndexFields[string]> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (!holdsWords(name)) blinded[name] = value;
    else if (typeof value === "string") blinded[name] = words.of(tenant, name, value);
    else if (typeof value === "object") blinded[name] = value.map((word) => words.of(tenant, name, word));
    else blinded[name] = value;
  }
  return blinded;
}

/**
 * The filter that finds the same rows by stand-ins for words.
 *
 * @throws LociError `UNSUPPORTED_OPERATION` where words are compared by their order, which stand-ins do not have
 */
export function blindedFilter<Where extends Filter | undefined>(
  words: BlindedWords,
  tenant: TenantId,
  filter: Where,
): Where | Filter {
  if (filter === undefined) return filter;
  if ("and" in filter) return { and: filter.and.map((part) => blindedFilter(words, tenant, part)) };
  if ("or" in filter) return { or: filter.or.map((part) => blindedFilter(words, tenant, part)) };
  if ("not" in filter) return { not: blindedFilter(words, tenant, filter.not) };
  const { field, operator, value } = filter;
  if (!holdsWords(field)) return filter;
  const of = (one: FilterValue): FilterValue => (typeof one === "string" ? words.of(tenant, field, one) : one);
  if (typeof value === "string" && !comparable.has(operator)) throw noOrder(filter);
  return { ...filter, value: typeof value === "object" ? value.map(of) : of(value) };
}

function noOrder({ field, operator }: FilterComparison): LociError {
  return new LociError("UNSUPPORTED_OPERATION", {
    message: `${field} cannot be compared by ${operator} with a text: the ledger is encrypted, and its indexes do not know the order of words.`,
    field: "where",
    advice: "Compare texts by equals, notEquals, in and notIn, or keep what is to be ordered as a number.",
  });
}
