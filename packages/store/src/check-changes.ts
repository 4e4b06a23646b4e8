import { checkVector, LociError, parseKeptScope } from "@loci/domain";
import type { IndexChange, TermFrequencies } from "./index-change.ts";

/**
 * Checks every change before the first is applied, as `apply` is all or nothing.
 *
 * @param dimensions of the vectors; a text index passes `undefined` and has the terms checked instead
 * @throws LociError `INVALID_REQUEST`, `INVALID_SCOPE`, `INVALID_VECTOR`; the field says which change it was
 */
export function checkChanges(changes: readonly IndexChange[], dimensions: number | undefined): void {
  for (const [index, change] of changes.entries()) {
    const field = `changes[${index}]`;
    if (typeof change.ref !== "string" || change.ref === "") refuse(`${field}.ref`, "is missing");
    if (!Number.isSafeInteger(change.version) || change.version < 1)
      refuse(`${field}.version`, `is ${String(change.version)}, but versions count from 1`);
    if (change.type === "delete") continue;
    parseKeptScope(change.scope, `${field}.scope`);
    if (dimensions === undefined) checkTerms(change.terms, field);
    else
      for (const [at, vector] of change.vectors.entries()) checkVector(vector, dimensions, `${field}.vectors[${at}]`);
  }
}

function checkTerms(terms: TermFrequencies, field: string): void {
  for (const frequency of terms.values())
    if (!Number.isSafeInteger(frequency) || frequency < 1)
      refuse(`${field}.terms`, `counts a term ${String(frequency)} times, but counts are whole numbers from 1`);
}

function refuse(field: string, problem: string): never {
  throw new LociError("INVALID_REQUEST", {
    message: `${field} ${problem}.`,
    field,
    advice: "Pass changes made from the change log.",
  });
}
