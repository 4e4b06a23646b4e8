import { checkBlockSchema, checkBlockValues, readBlockToml, shippedSchemas } from "@loci/core";
import {
  asGiven,
  type BlockEdit,
  blockEditStates,
  blockLabel,
  type BlockOperation,
  type BlockOwner,
  type BlockPolicy,
  blockPolicies,
  type BlockSchema,
  type BlockValues,
  checkBoolean,
  checkChoice,
  checkList,
  checkMemoryFileLabel,
  checksOf,
  LociError,
  maxBlockBytes,
  maxBlockOperations,
  maxEditBytes,
  optional,
  parseBlockOwner,
  parseInstant,
  resourceId,
  utf8ByteLength,
} from "@loci/domain";
import { checkDescription, checkReason } from "../blocks/validate-block.ts";
import type { BlockRecord } from "../blocks/block-records.ts";
import { checkWholeNumber } from "../validation/validate-number.ts";
import { checkStoredText } from "../validation/validate-text.ts";
import { passExportedLines, type ReadLine } from "./exported-line.ts";

export interface SchemaLine {
  readonly type: "blockSchema";
  readonly index: number;
  readonly schema: BlockSchema;
}

/** A version of a block. */
export interface BlockLine extends Omit<BlockRecord, "owner" | "message" | "operations"> {
  readonly type: "block";
  readonly index: number;
  /** Where it stood in the log that it comes from: an owner's commits follow on each other across its blocks. */
  readonly sequence: number;
  readonly owner: BlockOwner;
  readonly version: number;
  /** The commit that brought the version before, where the block comes from. */
  readonly previous: string | undefined;
  /** Absent: the schema comes with Loci, or the tenant has it. */
  readonly form: BlockSchema | undefined;
  readonly operations: readonly BlockOperation[];
}

export interface EditLine {
  readonly type: "edit";
  readonly index: number;
  readonly owner: BlockOwner;
  readonly label: string;
  readonly edit: BlockEdit;
}

/** @throws LociError as when a schema is created */
export function readSchemaLine({ fields, index }: ReadLine): SchemaLine {
  const { schema } = checksOf<{ readonly schema: BlockSchema }>()("schema", { schema: asGiven })(fields as never);
  return { type: "blockSchema", index, schema: checkBlockSchema(schema) };
}

/** Most bytes of a name of somebody: as long as a scope's id, with room. */
const maxNameBytes = 1_000;
const commitId = /^[0-9a-f]{40}$/;

const name = (value: string, path: string): string => checkStoredText(value, path, maxNameBytes);
const version = (value: number, path: string): number => checkWholeNumber(value, path, { least: 1, most: 2 ** 31 - 2 });

type BlockFields = Omit<BlockLine, "type" | "index" | "sequence" | "owner"> & { readonly owner: string };

const checkBlock = checksOf<BlockFields>()("block", {
  owner: (owner, path) => parseBlockOwner(owner, path),
  label: blockLabel,
  version,
  previous: optional(checkCommit),
  schema: blockLabel,
  form: optional((form) => checkBlockSchema(form)),
  toml: (toml, path) => (toml === null ? null : checkStoredOrEmpty(toml, path)),
  policy: (policy: BlockPolicy, path) => checkChoice(policy, blockPolicies, path),
  description: (description) => checkDescription(description),
  createdAt: parseInstant,
  at: parseInstant,
  author: name,
  approver: optional(name),
  reason: (reason, path) => checkReason(reason, path) ?? "",
  operations: checkOperations,
  commitId: checkCommit,
});

/** What the block holds is read with its schema. @throws LociError for what is no version of a block */
export function readBlockLine({ fields, index, sequence }: ReadLine): BlockLine {
  const { form, previous, description, approver, ...checked } = checkBlock(fields as unknown as BlockFields);
  checkMemoryFileLabel(checked.label, checked.schema);
  if (form !== undefined && form.name !== checked.schema)
    throw new LociError("INVALID_SCHEMA", {
      message: "form is not the schema that the block names.",
      field: "form.name",
      advice: passExportedLines,
    });
  const named = description === undefined ? {} : { description };
  const approved = approver === undefined ? {} : { approver };
  return { type: "block", index, sequence, previous, form, ...checked, ...named, ...approved };
}

/** The schema of a version and what it holds; `undefined` where the schema is not known. */
export function contentOf(
  { schema: name, form, toml }: BlockLine,
  known: BlockSchema | undefined,
): { readonly schema: BlockSchema; readonly isShipped: boolean; readonly values: BlockValues } | undefined {
  const shipped = shippedSchemas.find((each) => each.name === name);
  const schema = shipped ?? form ?? known;
  if (schema === undefined) return undefined;
  const values = toml === null ? {} : checkBlockValues(schema, readBlockToml(schema, toml));
  return { schema, isShipped: shipped !== undefined, values };
}

function checkCommit(value: string, path: string): string {
  if (typeof value === "string" && commitId.test(value)) return value;
  throw new LociError("INVALID_REQUEST", {
    message: `${path} is no id of a commit.`,
    field: path,
    advice: passExportedLines,
  });
}

function checkStoredOrEmpty(text: string, path: string): string {
  return text === "" ? "" : checkStoredText(text, path, maxBlockBytes);
}

/** What each of them does is checked with the schema where it matters. */
function checkOperations(operations: readonly BlockOperation[], path: string): readonly BlockOperation[] {
  checkList(operations, path, { least: 0, most: mostHistoricalOperations });
  for (const [index, operation] of operations.entries()) checkOperation(operation, `${path}[${index}]`);
  return operations;
}

/** A write of whole values is kept as operations, too: one a field and entry at most. */
const mostHistoricalOperations = 4_096;

const checkOperationFields = checksOf<{ op: BlockOperation["op"]; field: string; old?: unknown; value: unknown }>()(
  "operation",
  {
    op: (op, path) => checkChoice(op, ["set", "append", "remove", "replace"] as const, path),
    field: (field, path) => checkStoredText(field, path, 64),
    old: optional(checkOperand),
    value: checkOperand,
  },
);

function checkOperation(operation: BlockOperation, path: string): void {
  checkOperationFields(operation, path);
}

function checkOperand(value: unknown, path: string): unknown {
  if (typeof value === "boolean" || Number.isFinite(value)) return value;
  const texts = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  for (const text of texts) if (text !== "") checkStoredText(text, path, maxBlockBytes);
  return value;
}

type EditFields = BlockEdit & { readonly owner: string; readonly label: string };

const checkEdit = checksOf<EditFields>()("edit", {
  id: (id) => resourceId(id, "edit"),
  owner: (owner, path) => parseBlockOwner(owner, path),
  label: blockLabel,
  baseVersion: version,
  operations: (operations, path) => {
    checkList(operations, path, { least: 1, most: maxBlockOperations });
    if (utf8ByteLength(JSON.stringify(operations)) > maxEditBytes)
      throw new LociError("TEXT_TOO_LARGE", {
        message: `${path} take more than ${maxEditBytes} bytes.`,
        field: path,
        advice: "Propose less at once.",
      });
    return checkOperations(operations, path);
  },
  state: (state, path) => checkChoice(state, blockEditStates, path),
  stale: checkBoolean,
  proposedAt: parseInstant,
  proposer: name,
  reason: (reason, path) => checkReason(reason, path),
  decidedAt: optional(parseInstant),
  decider: optional(name),
  approvedHunks: optional((hunks: readonly number[], path) =>
    checkList(hunks, path, { least: 0, most: maxBlockOperations }).map((hunk, index) =>
      checkWholeNumber(hunk, `${path}[${index}]`, { least: 0, most: maxBlockOperations - 1 }),
    ),
  ),
});

/** @throws LociError for what is no edit of a block */
export function readEditLine({ fields, index }: ReadLine): EditLine {
  const { owner, label, ...edit } = checkEdit(fields as unknown as EditFields);
  return { type: "edit", index, owner, label, edit };
}
