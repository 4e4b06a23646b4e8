import {
  type BlockField,
  type BlockOperation,
  type BlockSchema,
  checkList,
  isPlainObject,
  maxBlockOperations,
  shownValue,
} from "@loci/domain";
import { blockEntry, checkBlockValue } from "./block-value.ts";
import { linesOf } from "./block-white-space.ts";
import { invalidOperation } from "./operation-problems.ts";

const namesOf: Readonly<Record<BlockOperation["op"], readonly string[]>> = {
  set: ["op", "field", "value"],
  append: ["op", "field", "value"],
  remove: ["op", "field", "value"],
  replace: ["op", "field", "old", "value"],
};

/**
 * Checks that a block of the schema could take the operations, whatever is in it, and brings their values into normal form.
 *
 * @param operations 1 to 64
 * @throws LociError `INVALID_REQUEST` for too few or too many, `INVALID_BLOCK` for an unknown operation or field, a value of
 *   another type, or an operation that the field's type does not have
 */
export function checkBlockOperations(
  schema: BlockSchema,
  operations: readonly BlockOperation[],
): readonly BlockOperation[] {
  const fields = new Map(schema.fields.map((field) => [field.name, field]));
  return checkList(operations, "operations", { least: 1, most: maxBlockOperations }).map((operation, hunk) =>
    checkOperation(fields, operation, hunk),
  );
}

function checkOperation(
  fields: ReadonlyMap<string, BlockField>,
  operation: BlockOperation,
  hunk: number,
): BlockOperation {
  const ops = Object.keys(namesOf).join(", ");
  if (!isPlainObject(operation)) throw invalidOperation(hunk, "is no object", `Pass one whose op is one of ${ops}.`);
  if (!Object.hasOwn(namesOf, operation.op))
    throw invalidOperation(
      hunk,
      operation.op === undefined ? "has no op" : `has the op ${shownValue(operation.op)}`,
      `Its op must be one of ${ops}.`,
    );
  const names = namesOf[operation.op];
  const unknown = Object.keys(operation).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw invalidOperation(
      hunk,
      `has the unknown part ${shownValue(unknown)}`,
      `${operation.op} has the parts ${names.join(", ")}.`,
    );
  const field = fields.get(operation.field);
  if (field === undefined)
    throw invalidOperation(
      hunk,
      `names the unknown field ${shownValue(operation.field)}`,
      `Fields of the block: ${[...fields.keys()].join(", ")}.`,
    );
  const path = `operations[${hunk}].value`;
  if (operation.op === "set") {
    const empty = field.type === "list" ? [] : "";
    // An empty text empties a field of any type.
    return {
      ...operation,
      value: operation.value === "" ? empty : (checkBlockValue(field, operation.value, path) ?? empty),
    };
  }
  return field.type === "list" ? onEntry(operation, path, hunk) : onText(field, operation, path, hunk);
}

type EntryOperation = Exclude<BlockOperation, { op: "set" }>;

function onEntry(operation: EntryOperation, path: string, hunk: number): BlockOperation {
  const value = blockEntry(operation.value, path);
  if (value === "") throw invalidOperation(hunk, "has an empty entry", "Pass an entry that shows something.");
  return operation.op === "replace"
    ? { ...operation, old: blockEntry(operation.old, `operations[${hunk}].old`), value }
    : { ...operation, value };
}

function onText(field: BlockField, operation: EntryOperation, path: string, hunk: number): BlockOperation {
  const texts = field.type === "text" || (field.type === "string" && operation.op === "replace");
  if (!texts || operation.op === "remove")
    throw invalidOperation(
      hunk,
      `is ${operation.op}, which a field of the type ${field.type} does not have`,
      "Use set.",
    );
  // Checks that it is well-formed text. White space counts here: it is a part of a line.
  checkBlockValue({ name: field.name, type: "text" }, operation.value, path);
  const value = linesOf(operation.value).join("\n");
  if (operation.op === "append") return { ...operation, value };
  checkBlockValue({ name: field.name, type: "text" }, operation.old, `operations[${hunk}].old`);
  if (operation.old === "") throw invalidOperation(hunk, "replaces nothing", "Pass the text to replace as old.");
  return { ...operation, old: linesOf(operation.old).join("\n"), value };
}
