import { type BlockOperation, isPlainObject, LociError, shownValue } from "@loci/domain";
import { type BlockOperation as ProtoBlockOperation, BlockOperationKind } from "../gen/loci/v1/block.ts";
import { blockValueFromProto, blockValueToProto } from "./block-value.ts";
import { Enumeration } from "./enumeration.ts";
import { writableList, writableText } from "./writable-value.ts";

const kinds = new Enumeration<BlockOperation["op"], BlockOperationKind>({
  set: BlockOperationKind.SET,
  append: BlockOperationKind.APPEND,
  remove: BlockOperationKind.REMOVE,
  replace: BlockOperationKind.REPLACE,
});

const reason = "INVALID_BLOCK";
const parts: ReadonlySet<string> = new Set(["op", "field", "value", "old"]);

/** @throws LociError `INVALID_REQUEST`, `INVALID_BLOCK` */
export function blockOperationsToProto(operations: readonly BlockOperation[], path: string): ProtoBlockOperation[] {
  return writableList(operations, path).map((operation, hunk) => operationToProto(operation, `${path}[${hunk}]`));
}

/** What is not an operation after all the engine refuses. @throws LociError `INVALID_BLOCK` */
export function blockOperationsFromProto(
  operations: readonly ProtoBlockOperation[],
  path: string,
): readonly BlockOperation[] {
  return operations.map(({ op: number, field, value, old }, hunk) => {
    const op = kinds.wordOf(number);
    if (op === undefined) return refuse(`${path}[${hunk}].op`, "is missing, or none that blocks know");
    const given = { op, field, value: blockValueFromProto(value, `${path}[${hunk}].value`) };
    return (old === undefined ? given : { ...given, old }) as BlockOperation;
  });
}

function operationToProto(operation: BlockOperation, path: string): ProtoBlockOperation {
  if (!isPlainObject(operation)) return refuse(path, "is no object");
  if (kinds.numberOf(operation.op) === undefined) return refuse(`${path}.op`, `is ${shownValue(operation.op)}`);
  const unknown = Object.keys(operation).find((name) => !parts.has(name));
  if (unknown !== undefined) return refuse(path, `has the unknown part ${shownValue(unknown)}`);
  const { op, field, value, old } = operation as BlockOperation & { readonly old?: string };
  return {
    op: kinds.toProto(op, `${path}.op`),
    field: writableText(field, `${path}.field`, reason),
    value: blockValueToProto(value, `${path}.value`),
    old: old === undefined ? undefined : writableText(old, `${path}.old`, reason),
  };
}

function refuse(field: string, fault: string): never {
  throw new LociError(reason, {
    message: `${field} ${fault}.`,
    field,
    advice: `Its op must be one of ${kinds.words().join(", ")}, with field, value and for replace old.`,
  });
}
