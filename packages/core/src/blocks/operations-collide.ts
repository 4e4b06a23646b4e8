import type { BlockOperation, BlockSchema } from "@loci/domain";
import { onOneLine, trimmed } from "./block-white-space.ts";

/** Whether one of the operations of an edit cannot stand beside one of another. */
export function operationsCollide(
  schema: BlockSchema,
  left: readonly BlockOperation[],
  right: readonly BlockOperation[],
): boolean {
  const lists = new Set(schema.fields.flatMap(({ name, type }) => (type === "list" ? [name] : [])));
  return left.some((operation) => right.some((other) => collide(operation, other, lists)));
}

/** On one field: a `set` with anything, list operations that share an entry, others unless both append. */
function collide(left: BlockOperation, right: BlockOperation, lists: ReadonlySet<string>): boolean {
  if (left.field !== right.field) return false;
  if (left.op === "set" || right.op === "set") return true;
  if (!lists.has(left.field)) return left.op !== "append" || right.op !== "append";
  const entries = entriesOf(left);
  return entriesOf(right).some((entry) => entries.includes(entry));
}

function entriesOf(operation: Exclude<BlockOperation, { op: "set" }>): readonly string[] {
  const entries = operation.op === "replace" ? [operation.old, operation.value] : [operation.value];
  return entries.map((entry) => trimmed(onOneLine(entry)));
}
