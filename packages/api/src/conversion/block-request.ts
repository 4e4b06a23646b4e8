import {
  type BlockDiffRequest,
  type BlockHistoryRequest,
  type BlockInput,
  type BlockName,
  type BlockPatch,
  type BlockVersionName,
  checkFields,
  type EtagPrecondition,
  fieldsOf,
  LociError,
  optional,
  type RestoreBlockRequest,
} from "@loci/domain";
import type { BlockOperations, BlockValues as ProtoBlockValues } from "../gen/loci/v1/block.ts";
import type {
  CreateBlockRequest,
  DiffBlockVersionsRequest,
  GetBlockRequest,
  ListBlockVersionsRequest,
  RestoreBlockRequest as ProtoRestoreBlockRequest,
  UpdateBlockRequest,
} from "../gen/loci/v1/block_service.ts";
import type { Scope as ProtoScope } from "../gen/loci/v1/scope.ts";
import { blockPolicyNumbers } from "./block.ts";
import { blockOperationsFromProto, blockOperationsToProto } from "./block-operation.ts";
import { blockValuesFromProto, blockValuesToProto } from "./block-value.ts";
import { optionalPageTokenToProto, pageTokenFromProto } from "./page-token.ts";
import { etagToProto } from "./precondition.ts";
import { withoutUndefined } from "./read-value.ts";
import { field, type FieldForms, RequestForm, sameField } from "./request-form.ts";
import { scopeFromProto, scopeToProto } from "./scope.ts";
import { optionally, optionalWritableInt32, same, writableText } from "./writable-value.ts";

/** A block's name on the wire. */
export interface ProtoBlockName {
  readonly owner: ProtoScope | undefined;
  readonly label: string;
}

/** What every request about one block begins with. */
export const blockNameFields: FieldForms<BlockName, ProtoBlockName> = {
  owner: field("owner", scopeToProto, scopeFromProto),
  label: sameField("label", labelToProto),
};

export const blockName: RequestForm<BlockName, ProtoBlockName> = new RequestForm<BlockName, ProtoBlockName>("name", {
  ...blockNameFields,
});

export function labelToProto(label: string, path: string): string {
  return writableText(label, path, "INVALID_BLOCK");
}

const inputFields = fieldsOf<BlockInput>({
  owner: true,
  label: true,
  schema: true,
  values: true,
  markdown: true,
  toml: true,
  preset: true,
  policy: true,
  description: true,
  reason: true,
});

/** @throws LociError with the reason the engine has for the field at fault */
export function blockInputToProto(input: BlockInput): Omit<CreateBlockRequest, "requestId"> {
  checkFields(input, inputFields, "input");
  const content = contentToProto(input, "input");
  return {
    ...blockName.writeFields(input, ""),
    schema: optionally(input.schema, "schema", (schema, field) => writableText(schema, field, "INVALID_BLOCK")),
    content: content as CreateBlockRequest["content"],
    policy: blockPolicyNumbers.optionalToProto(input.policy, "policy"),
    description: optionally(input.description, "description", writableText),
    reason: optionally(input.reason, "reason", writableText),
  };
}

/** @throws LociError with the field at fault */
export function blockInputFromProto(request: CreateBlockRequest): BlockInput {
  const { schema, description, reason } = request;
  return withoutUndefined({
    ...blockName.fromProto(request),
    schema,
    ...contentFromProto(request.content),
    policy: blockPolicyNumbers.optionalFromProto(request.policy, "policy"),
    description,
    reason,
  });
}

const patchFields = fieldsOf<BlockPatch>({
  values: true,
  markdown: true,
  toml: true,
  operations: true,
  policy: true,
  description: true,
  reason: true,
});

/** What `update` takes, as one value. */
export interface BlockUpdate {
  readonly name: BlockName;
  readonly patch: BlockPatch;
  readonly precondition: EtagPrecondition;
}

/** @throws LociError with the reason the engine has for the field at fault */
export function blockUpdateToProto({ name, patch, precondition }: BlockUpdate): Omit<UpdateBlockRequest, "requestId"> {
  const written = blockName.toProto(name);
  checkFields(patch, patchFields, "patch");
  return {
    ...written,
    content: contentToProto(patch, "patch") as UpdateBlockRequest["content"],
    policy: blockPolicyNumbers.optionalToProto(patch.policy, "policy"),
    description: patch.description === null ? "" : optionally(patch.description, "description", writableText),
    reason: optionally(patch.reason, "reason", writableText),
    etag: etagToProto(precondition),
  };
}

/** @throws LociError with the field at fault */
export function blockUpdateFromProto(request: UpdateBlockRequest): BlockUpdate {
  const { description, reason, etag } = request;
  return {
    name: blockName.fromProto(request),
    patch: withoutUndefined({
      ...contentFromProto(request.content),
      policy: blockPolicyNumbers.optionalFromProto(request.policy, "policy"),
      description: description === "" ? null : description,
      reason,
    }),
    precondition: { etag },
  };
}

export type GetBlock = BlockName & { readonly version?: BlockVersionName | undefined };

export const getBlockRequest: RequestForm<GetBlock, GetBlockRequest> = new RequestForm<GetBlock, GetBlockRequest>(
  "request",
  {
    ...blockNameFields,
    version: field("version", optional(versionToProto), same<string | undefined>),
  },
);

export const blockHistoryRequest: RequestForm<BlockHistoryRequest, ListBlockVersionsRequest> = new RequestForm<
  BlockHistoryRequest,
  ListBlockVersionsRequest
>("request", {
  ...blockNameFields,
  pageSize: sameField("pageSize", optionalWritableInt32),
  pageToken: field("pageToken", optionalPageTokenToProto, pageTokenFromProto),
});

export const blockDiffRequest: RequestForm<BlockDiffRequest, DiffBlockVersionsRequest> = new RequestForm<
  BlockDiffRequest,
  DiffBlockVersionsRequest
>("request", {
  ...blockNameFields,
  from: field("from", versionToProto, same<string>),
  to: field("to", optional(versionToProto), same<string | undefined>),
});

export const restoreBlockRequest: RequestForm<RestoreBlockRequest, ProtoRestoreBlockRequest, "requestId"> =
  new RequestForm<RestoreBlockRequest, ProtoRestoreBlockRequest, "requestId">("request", {
    ...blockNameFields,
    version: field("version", versionToProto, same<string>),
    reason: sameField("reason", optional(writableText)),
  });

function versionToProto(version: BlockVersionName, field: string): string {
  return typeof version === "number" ? String(version) : writableText(version, field, "VERSION_NOT_FOUND");
}

type GivenContent = Pick<BlockInput & BlockPatch, "values" | "markdown" | "toml" | "operations" | "preset">;

type ProtoContent =
  | { $case: "values"; value: ProtoBlockValues }
  | { $case: "markdown" | "toml" | "preset"; value: string }
  | { $case: "operations"; value: BlockOperations };

function contentToProto(given: GivenContent, path: string): ProtoContent | undefined {
  const { values, markdown, toml, operations, preset } = given;
  const contents: (() => ProtoContent)[] = [];
  if (values !== undefined)
    contents.push(() => ({ $case: "values", value: { values: blockValuesToProto(values, "values") } }));
  if (markdown !== undefined)
    contents.push(() => ({ $case: "markdown", value: writableText(markdown, "markdown", "INVALID_BLOCK_TEXT") }));
  if (toml !== undefined)
    contents.push(() => ({ $case: "toml", value: writableText(toml, "toml", "INVALID_BLOCK_TEXT") }));
  if (operations !== undefined)
    contents.push(() => ({
      $case: "operations",
      value: { operations: blockOperationsToProto(operations, "operations") },
    }));
  if (preset !== undefined)
    contents.push(() => ({ $case: "preset", value: writableText(preset, "preset", "SCHEMA_NOT_FOUND") }));
  if (contents.length < 2) return contents[0]?.();
  // The wire has room for one of them.
  throw new LociError("INVALID_REQUEST", {
    message: `${path} says ${contents.length} times what the block is to hold.`,
    field: path,
    advice: "Pass one of values, markdown, toml, operations and preset.",
  });
}

function contentFromProto(content: CreateBlockRequest["content"] | UpdateBlockRequest["content"]): GivenContent {
  if (content === undefined) return {};
  switch (content.$case) {
    case "values":
      return { values: blockValuesFromProto(content.value.values, "values") };
    case "operations":
      return { operations: blockOperationsFromProto(content.value.operations, "operations") };
    default:
      return { [content.$case]: content.value };
  }
}
