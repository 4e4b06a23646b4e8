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
  type RestoreBlockRequest,
  type ScopeInput,
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
import { pageTokenFromProto, pageTokenToProto } from "./page-token.ts";
import { etagToProto } from "./precondition.ts";
import { withoutUndefined } from "./read-value.ts";
import { scopeFromProto, scopeToProto } from "./scope.ts";
import { optionally, writableInt32, writableText } from "./writable-value.ts";

/** A block's name on the wire. */
export interface ProtoBlockName {
  readonly owner: ProtoScope | undefined;
  readonly label: string;
}

const nameFields = fieldsOf<BlockName>({ owner: true, label: true });

/** @throws LociError `INVALID_REQUEST`, `INVALID_SCOPE`, `INVALID_IDENTIFIER`, `INVALID_BLOCK` */
export function blockNameToProto(name: BlockName, path = "name"): { owner: ProtoScope; label: string } {
  checkFields(name, nameFields, path);
  return nameOf(name);
}

/** @throws LociError `INVALID_SCOPE`, `INVALID_IDENTIFIER` */
export function blockNameFromProto({ owner, label }: ProtoBlockName): BlockName {
  return { owner: scopeFromProto(owner, "owner"), label };
}

/** The name out of a larger request. */
export function nameOf({ owner, label }: BlockName): { owner: ProtoScope; label: string } {
  return { owner: ownerToProto(owner), label: writableText(label, "label", "INVALID_BLOCK") };
}

/** @throws LociError `INVALID_SCOPE`, `INVALID_IDENTIFIER` */
export function ownerToProto(owner: ScopeInput): ProtoScope {
  return scopeToProto(owner, "owner");
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
    ...nameOf(input),
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
    ...blockNameFromProto(request),
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
  const written = blockNameToProto(name);
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
    name: blockNameFromProto(request),
    patch: withoutUndefined({
      ...contentFromProto(request.content),
      policy: blockPolicyNumbers.optionalFromProto(request.policy, "policy"),
      description: description === "" ? null : description,
      reason,
    }),
    precondition: { etag },
  };
}

const getFields = fieldsOf<BlockName & { readonly version?: BlockVersionName | undefined }>({
  owner: true,
  label: true,
  version: true,
});

/** @throws LociError with the reason the engine has for the field at fault */
export function getBlockRequestToProto(
  request: BlockName & { readonly version?: BlockVersionName | undefined },
): GetBlockRequest {
  checkFields(request, getFields, "request");
  return { ...nameOf(request), version: optionally(request.version, "version", versionToProto) };
}

/** @throws LociError with the field at fault */
export function getBlockRequestFromProto(
  request: GetBlockRequest,
): BlockName & { readonly version?: BlockVersionName | undefined } {
  return withoutUndefined({ ...blockNameFromProto(request), version: request.version });
}

const historyFields = fieldsOf<BlockHistoryRequest>({ owner: true, label: true, pageSize: true, pageToken: true });

/** @throws LociError with the reason the engine has for the field at fault */
export function blockHistoryRequestToProto(request: BlockHistoryRequest): ListBlockVersionsRequest {
  checkFields(request, historyFields, "request");
  return {
    ...nameOf(request),
    pageSize: optionally(request.pageSize, "pageSize", writableInt32),
    pageToken: optionally(request.pageToken, "pageToken", pageTokenToProto) ?? "",
  };
}

/** @throws LociError with the field at fault */
export function blockHistoryRequestFromProto(request: ListBlockVersionsRequest): BlockHistoryRequest {
  const { pageSize, pageToken } = request;
  return withoutUndefined({ ...blockNameFromProto(request), pageSize, pageToken: pageTokenFromProto(pageToken) });
}

const diffFields = fieldsOf<BlockDiffRequest>({ owner: true, label: true, from: true, to: true });

/** @throws LociError with the reason the engine has for the field at fault */
export function blockDiffRequestToProto(request: BlockDiffRequest): DiffBlockVersionsRequest {
  checkFields(request, diffFields, "request");
  const to = optionally(request.to, "to", versionToProto);
  return { ...nameOf(request), from: versionToProto(request.from, "from"), to };
}

/** @throws LociError with the field at fault */
export function blockDiffRequestFromProto(request: DiffBlockVersionsRequest): BlockDiffRequest {
  return withoutUndefined({ ...blockNameFromProto(request), from: request.from, to: request.to });
}

const restoreFields = fieldsOf<RestoreBlockRequest>({ owner: true, label: true, version: true, reason: true });

/** @throws LociError with the reason the engine has for the field at fault */
export function restoreBlockRequestToProto(request: RestoreBlockRequest): Omit<ProtoRestoreBlockRequest, "requestId"> {
  checkFields(request, restoreFields, "request");
  const reason = optionally(request.reason, "reason", writableText);
  return { ...nameOf(request), version: versionToProto(request.version, "version"), reason };
}

/** @throws LociError with the field at fault */
export function restoreBlockRequestFromProto(request: ProtoRestoreBlockRequest): RestoreBlockRequest {
  const { version, reason } = request;
  return withoutUndefined({ ...blockNameFromProto(request), version, reason });
}

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
