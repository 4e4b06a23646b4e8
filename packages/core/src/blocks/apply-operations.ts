import {
  type ArchivedEntry,
  type BlockField,
  type BlockOperation,
  type BlockSchema,
  type BlockValue,
  type BlockValues,
  LociError,
} from "@loci/domain";
import { checkBlockValues } from "./check-block-values.ts";
import { checkBlockOperations } from "./check-operations.ts";
import { limitedEntries } from "./limited-entries.ts";
import { editConflict } from "./operation-problems.ts";

/** What operations made of a block. */
export interface AppliedOperations {
  readonly values: BlockValues;
  /** Entries that lists had to give up, oldest first. */
  readonly archived: readonly ArchivedEntry[];
}

/** The operations to apply, all of them unless some positions are named. */
export interface ChosenOperations {
  readonly operations: readonly BlockOperation[];
  readonly hunks?: readonly number[] | undefined;
}

/**
 * Applies operations in their order.
 *
 * @param values in normal form
 * @throws LociError `EDIT_CONFLICT` with the operation's place in `details.hunk` when one cannot be applied,
 *   `BLOCK_LIMIT_EXCEEDED` when a field or the block would be too long, `INVALID_BLOCK` for what no version could take
 */
export function applyBlockOperations(
  schema: BlockSchema,
  values: BlockValues,
  { operations, hunks }: ChosenOperations,
): AppliedOperations {
  const checked = checkBlockOperations(schema, operations);
  const chosen = checkHunks(hunks, checked.length);
  const fields = new Map(schema.fields.map((field) => [field.name, field]));
  const changed = new Map<string, BlockValue>(Object.entries(values));
  const archived: ArchivedEntry[] = [];
  for (const hunk of chosen) {
    const operation = checked[hunk] as BlockOperation;
    const field = fields.get(operation.field) as BlockField;
    const value = valueAfter(field, changed.get(field.name), operation, hunk);
    if (value === "") changed.delete(field.name);
    else changed.set(field.name, typeof value === "object" ? limitedEntries(field, value, archived) : value);
  }
  return { values: checkBlockValues(schema, Object.fromEntries(changed)), archived };
}

/** @throws LociError `INVALID_REQUEST` unless the positions are of operations, each named once */
function checkHunks(hunks: readonly number[] | undefined, count: number): readonly number[] {
  if (hunks === undefined) return Array.from({ length: count }, (_, hunk) => hunk);
  const positions = new Set(hunks);
  const known = hunks.every((hunk) => Number.isSafeInteger(hunk) && hunk >= 0 && hunk < count);
  if (known && hunks.length > 0 && positions.size === hunks.length)
    return hunks.toSorted((left, right) => left - right);
  throw new LociError("INVALID_REQUEST", {
    message: `hunks must name at least one of the ${count} operations, each once, as positions from 0.`,
    field: "hunks",
    advice: "Leave hunks out to take all operations, or reject the edit.",
  });
}

function valueAfter(
  field: BlockField,
  before: BlockValue | undefined,
  operation: BlockOperation,
  hunk: number,
): BlockValue {
  if (operation.op === "set") return operation.value;
  if (field.type === "list") return entriesAfter((before ?? []) as readonly string[], operation, hunk);
  const text = typeof before === "string" ? before : "";
  if (operation.op === "append") return text === "" ? operation.value : `${text}\n${operation.value}`;
  return operation.op === "replace" ? textAfter(text, operation, hunk) : text;
}

function entriesAfter(
  entries: readonly string[],
  operation: Exclude<BlockOperation, { op: "set" }>,
  hunk: number,
): readonly string[] {
  const { op, field, value } = operation;
  if (op === "append") return entries.includes(value) ? entries : [...entries, value];
  const place = entries.indexOf(op === "replace" ? operation.old : value);
  if (place < 0) throw editConflict(hunk, field, "the entry is not");
  if (op === "remove") return entries.toSpliced(place, 1);
  // An entry that is there already takes the place of two.
  return entries.flatMap((entry, index) => (index === place ? [value] : entry === value ? [] : [entry]));
}

function textAfter(text: string, operation: Extract<BlockOperation, { op: "replace" }>, hunk: number): string {
  const place = text.indexOf(operation.old);
  if (place < 0) throw editConflict(hunk, operation.field, "the text to replace is not");
  if (text.includes(operation.old, place + 1))
    throw editConflict(hunk, operation.field, "the text to replace stands more than once");
  return text.slice(0, place) + operation.value + text.slice(place + operation.old.length);
}
