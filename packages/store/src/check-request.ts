import {
  checkFilter,
  checkVector,
  type Filter,
  type FilterOperator,
  LociError,
  type NonEmpty,
  parseScopes,
  type Scope,
  type Sequence,
  type TenantId,
} from "@loci/domain";
import type { TextSearch } from "./text-index.ts";
import type { VectorSearch, VectorStoreCapabilities } from "./vector-store.ts";

/** The checks every adapter makes before it does anything, so that all refuse the same things in the same words. */

/** @throws LociError `INVALID_REQUEST`: an index never answers for "any tenant" */
export function checkTenant(tenant: TenantId): void {
  if (typeof tenant !== "string" || tenant === "") refuse("tenant", "is missing", "Pass the tenant of the credential.");
}

/**
 * @returns the distinct scopes
 * @throws LociError `INVALID_REQUEST`, `SCOPE_REQUIRED`, `INVALID_SCOPE`, `INVALID_VECTOR`, `INVALID_FILTER`;
 *   `UNSUPPORTED_OPERATION` for a filter operator or a limit that the store does not declare
 */
export function checkVectorSearch(
  request: VectorSearch,
  dimensions: number,
  capabilities: VectorStoreCapabilities,
): NonEmpty<Scope> {
  checkTenant(request.tenant);
  const scopes = parseScopes(request.scopes);
  if (!Array.isArray(request.vectors) || request.vectors.length === 0)
    refuse("vectors", "is empty", "Pass at least one query vector.");
  for (const [index, vector] of request.vectors.entries()) checkVector(vector, dimensions, `vectors[${index}]`);
  checkLimit(request.limit);
  if (request.limit > capabilities.maxLimit)
    unsupported("limit", `is ${request.limit}, but the store returns at most ${capabilities.maxLimit} rows`);
  if (request.where !== undefined) checkOperators(checkFilter(request.where), capabilities.filterOperators);
  return scopes;
}

/**
 * @returns the distinct scopes
 * @throws LociError `INVALID_REQUEST`, `SCOPE_REQUIRED`, `INVALID_SCOPE`, `INVALID_FILTER`
 */
export function checkTextSearch(request: TextSearch): NonEmpty<Scope> {
  checkTenant(request.tenant);
  const scopes = parseScopes(request.scopes);
  if (!Array.isArray(request.terms) || request.terms.length === 0)
    refuse("terms", "is empty", "Pass at least one term.");
  if (new Set(request.terms).size !== request.terms.length)
    refuse("terms", "names a term twice", "Pass each term once.");
  checkLimit(request.limit);
  if (request.where !== undefined) checkFilter(request.where);
  return scopes;
}

/** @throws LociError `INVALID_REQUEST` unless it is a whole number from 0 */
export function checkThrough(through: Sequence): void {
  if (!Number.isSafeInteger(through) || through < 0)
    refuse("through", `is ${String(through)}`, "Pass the sequence of the last change.");
}

function checkLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1) refuse("limit", `is ${String(limit)}`, "Pass a whole number from 1.");
}

function checkOperators(filter: Filter, known: readonly FilterOperator[]): void {
  if ("and" in filter) filter.and.forEach((part) => checkOperators(part, known));
  else if ("or" in filter) filter.or.forEach((part) => checkOperators(part, known));
  else if ("not" in filter) checkOperators(filter.not, known);
  else if (!known.includes(filter.operator))
    unsupported("where", `compares with ${filter.operator}, which the store cannot do`);
}

function refuse(field: string, problem: string, advice: string): never {
  throw new LociError("INVALID_REQUEST", { message: `${field} ${problem}.`, field, advice });
}

function unsupported(field: string, problem: string): never {
  throw new LociError("UNSUPPORTED_OPERATION", {
    message: `${field} ${problem}.`,
    field,
    advice: "Ask for what the store's capabilities declare, or use another store.",
  });
}
