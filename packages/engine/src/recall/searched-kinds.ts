import type { TimeSpan } from "@loci/core";
import type { Filter } from "@loci/domain";
import { wantsProcedures } from "./procedures-by-tag.ts";
import type { CheckedRecallRequest } from "./validate-recall-request.ts";

const leastLimit = 200;

/** Memories of one kind, and how many of them are wanted. */
export interface SearchedKind {
  readonly where: Filter;
  readonly wanted: number;
  /** How many are asked for at first. */
  readonly firstLimit: number;
  readonly ofProcedures: boolean;
  /** True when others of the kind are searched for besides. */
  readonly isPart?: boolean;
}

const isProcedure: Filter = { field: "category", operator: "equals", value: "procedure" };

/**
 * Procedures and the rest are searched for separately, so that neither pushes the other out; and so is what was made at a time
 * that is asked for, as among many others it is hardly near.
 */
export function searchedKinds(request: CheckedRecallRequest, times: readonly TimeSpan[]): readonly SearchedKind[] {
  const kinds: SearchedKind[] = [];
  const archival = archivalFilter(request);
  if (archival !== undefined) {
    const ofArchival = { wanted: request.limit, firstLimit: firstLimit(request.limit), ofProcedures: false };
    kinds.push({ where: archival, ...ofArchival });
    const made = madeIn(times);
    if (made !== undefined) kinds.push({ where: both(archival, made), ...ofArchival, isPart: true });
  }
  if (wantsProcedures(request)) {
    const wanted = request.procedureLimit;
    kinds.push({ where: both(isProcedure, request.where), wanted, firstLimit: firstLimit(wanted), ofProcedures: true });
  }
  return kinds;
}

function firstLimit(wanted: number): number {
  return Math.max(3 * wanted, leastLimit);
}

function madeIn(times: readonly TimeSpan[]): Filter | undefined {
  const spans = times.map(({ start, end }): Filter => ({
    and: [
      { field: "createdAt", operator: "atLeast", value: start },
      { field: "createdAt", operator: "lessThan", value: end },
    ],
  }));
  return spans.length > 1 ? { or: spans } : spans[0];
}

/** Selects what is no procedure; `undefined` when none of it is asked for. */
export function archivalFilter({ categories, where }: CheckedRecallRequest): Filter | undefined {
  if (categories === undefined) return both({ not: isProcedure }, where);
  const archival = categories.filter((category) => category !== "procedure");
  if (archival.length === 0) return undefined;
  // Every store can compare for equality; not every one knows lists.
  return both({ or: archival.map((value) => ({ field: "category", operator: "equals", value })) }, where);
}

function both(first: Filter, second: Filter | undefined): Filter {
  return second === undefined ? first : { and: [first, second] };
}
