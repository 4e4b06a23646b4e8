import type { Bm25Statistics } from "@loci/domain";
import type { OpenIndexes } from "./open-indexes.ts";
import type { IndexOperation, SentNearRows, SentOperation, SentTexts } from "./protocol.ts";
import { searchTexts } from "./search-texts.ts";
import { searchVectors } from "./search-vectors.ts";

type VectorOperation = Extract<IndexOperation, { type: "searchVectors" }>;
type TextOperation = Extract<IndexOperation, { type: "searchTexts" }>;

interface Asked<Operation> {
  readonly id: number;
  readonly operation: Operation;
}

/** What became of one of the searches. */
export interface SearchOutcome {
  readonly id: number;
  readonly result?: SentNearRows | SentTexts;
  readonly error?: unknown;
}

/** Throws when the caller of an operation has given up. */
type ThrowIfOver = (id: number) => void;

/**
 * Does the vector searches among operations that came together. Those that differ in nothing but filter and limit, as a
 * recall's for memories and for procedures do, share one pass over the rows.
 *
 * @param throwIfOver a pass ends when all of its callers have given up
 */
export function searchVectorsTogether(
  indexes: OpenIndexes,
  operations: readonly SentOperation[],
  throwIfOver: ThrowIfOver,
): readonly SearchOutcome[] {
  const asked = operations.flatMap(({ id, operation }): readonly Asked<VectorOperation>[] =>
    operation.type === "searchVectors" ? [{ id, operation }] : [],
  );
  return searchInPasses(asked, isSameVectorPass, throwIfOver, (group, checkpoint) => {
    const { address, queries, scopes, exactRows } = group[0].operation;
    const selections = group.map(({ operation: { where, limit, bounds } }) => ({ where, limit, bounds }));
    return searchVectors(indexes.vectors(address), { queries, scopes, exactRows, selections }, checkpoint);
  });
}

/** As `searchVectorsTogether`, of the searches by words. */
export function searchTextsTogether(
  indexes: OpenIndexes,
  operations: readonly SentOperation[],
  throwIfOver: ThrowIfOver,
): readonly SearchOutcome[] {
  const asked = operations.flatMap(({ id, operation }): readonly Asked<TextOperation>[] =>
    operation.type === "searchTexts" ? [{ id, operation }] : [],
  );
  return searchInPasses(asked, isSameTextPass, throwIfOver, (group, checkpoint) => {
    const { address, scopes, terms, statistics } = group[0].operation;
    const selections = group.map(({ operation: { where, limit } }) => ({ where, limit }));
    return searchTexts(indexes.texts(address), { scopes, terms, statistics, selections }, checkpoint);
  });
}

type Pass<Operation> = readonly [Asked<Operation>, ...Asked<Operation>[]];

/** @param search gives an answer to each of the operations of one pass, in their order */
function searchInPasses<Operation>(
  asked: readonly Asked<Operation>[],
  isSamePass: (first: Operation, second: Operation) => boolean,
  throwIfOver: ThrowIfOver,
  search: (pass: Pass<Operation>, checkpoint: () => void) => readonly (SentNearRows | SentTexts)[],
): readonly SearchOutcome[] {
  const passes: [Asked<Operation>, ...Asked<Operation>[]][] = [];
  for (const one of asked) {
    const pass = passes.find(([first]) => isSamePass(first.operation, one.operation));
    if (pass === undefined) passes.push([one]);
    else pass.push(one);
  }
  return passes.flatMap((pass): readonly SearchOutcome[] => {
    try {
      const found = search(pass, () => throwIfAllOver(pass, throwIfOver));
      return pass.map(({ id }, place) => ({ id, result: found[place] as SentNearRows | SentTexts }));
    } catch (error) {
      return pass.map(({ id }) => ({ id, error }));
    }
  });
}

function throwIfAllOver<Operation>(pass: Pass<Operation>, throwIfOver: ThrowIfOver): void {
  for (const [place, { id }] of pass.entries())
    try {
      throwIfOver(id);
      return;
    } catch (error) {
      if (place === pass.length - 1) throw error;
    }
}

/** Operations of one message: what was one object on the other side is one object here. */
function isSameVectorPass(first: VectorOperation, second: VectorOperation): boolean {
  return (
    first.queries === second.queries &&
    first.exactRows === second.exactRows &&
    first.address.tenant === second.address.tenant &&
    first.address.name === second.address.name &&
    areEqual(first.scopes, second.scopes)
  );
}

function isSameTextPass(first: TextOperation, second: TextOperation): boolean {
  return (
    first.address.tenant === second.address.tenant &&
    areEqual(first.scopes, second.scopes) &&
    areEqual(first.terms, second.terms) &&
    areSameStatistics(first.statistics, second.statistics)
  );
}

function areSameStatistics(first: Bm25Statistics | undefined, second: Bm25Statistics | undefined): boolean {
  if (first === undefined || second === undefined) return first === second;
  return (
    first.documents === second.documents &&
    first.totalLength === second.totalLength &&
    areEqual(first.documentFrequencies, second.documentFrequencies)
  );
}

function areEqual<Element>(first: readonly Element[], second: readonly Element[]): boolean {
  return first.length === second.length && first.every((element, place) => element === second[place]);
}
