import type { OpenIndexes } from "./open-indexes.ts";
import type { IndexOperation, SentNearRows, SentOperation } from "./protocol.ts";
import { searchVectors } from "./search-vectors.ts";

type VectorOperation = Extract<IndexOperation, { type: "searchVectors" }>;

interface Asked {
  readonly id: number;
  readonly operation: VectorOperation;
}

/** What became of one of the searches. */
export interface SearchOutcome {
  readonly id: number;
  readonly result?: SentNearRows;
  readonly error?: unknown;
}

/**
 * Does the vector searches among operations that came together. Those that differ in nothing but filter and limit, as a
 * recall's for memories and for procedures do, share one pass over the rows.
 *
 * @param throwIfOver throws when the caller of an operation has given up; a pass ends when all of its callers have
 */
export function searchTogether(
  indexes: OpenIndexes,
  operations: readonly SentOperation[],
  throwIfOver: (id: number) => void,
): readonly SearchOutcome[] {
  const groups: Asked[][] = [];
  for (const { id, operation } of operations) {
    if (operation.type !== "searchVectors") continue;
    const group = groups.find(([first]) => first !== undefined && isSamePass(first.operation, operation));
    if (group === undefined) groups.push([{ id, operation }]);
    else group.push({ id, operation });
  }
  return groups.flatMap((group) => searchGroup(indexes, group, throwIfOver));
}

function searchGroup(
  indexes: OpenIndexes,
  group: readonly Asked[],
  throwIfOver: (id: number) => void,
): readonly SearchOutcome[] {
  const [first] = group;
  if (first === undefined) return [];
  const { address, queries, scopes, exactRows } = first.operation;
  try {
    const selections = group.map(({ operation: { where, limit, bounds } }) => ({ where, limit, bounds }));
    const checkpoint = (): void => throwIfAllOver(group, throwIfOver);
    const found = searchVectors(indexes.vectors(address), { queries, scopes, exactRows, selections }, checkpoint);
    return group.map(({ id }, place) => ({ id, result: found[place] as SentNearRows }));
  } catch (error) {
    return group.map(({ id }) => ({ id, error }));
  }
}

function throwIfAllOver(group: readonly Asked[], throwIfOver: (id: number) => void): void {
  for (const [place, { id }] of group.entries())
    try {
      throwIfOver(id);
      return;
    } catch (error) {
      if (place === group.length - 1) throw error;
    }
}

/** Operations of one message: what was one object on the other side is one object here. */
function isSamePass(first: VectorOperation, second: VectorOperation): boolean {
  return (
    first.queries === second.queries &&
    first.exactRows === second.exactRows &&
    first.address.tenant === second.address.tenant &&
    first.address.name === second.address.name &&
    first.scopes.length === second.scopes.length &&
    first.scopes.every((scope, place) => scope === second.scopes[place])
  );
}
