import {
  type ApproveEditRequest,
  checkFields,
  type DemoteLineRequest,
  fieldsOf,
  type GetBlockEditRequest,
  type ListBlockEditsRequest,
  LociError,
  type ProfileCall,
  type ProfileName,
  type ProfileState,
  type PromoteMemoryRequest,
  type ProposeEditRequest,
  type SearchArchivalRequest,
  type UpdateProfileRequest,
} from "@loci/domain";
import type { BlockHunks } from "../gen/loci/v1/block.ts";
import type {
  ApproveBlockEditRequest,
  DemoteLineRequest as ProtoDemoteLineRequest,
  GetBlockEditRequest as ProtoGetBlockEditRequest,
  GetProfileSummaryRequest,
  ListBlockEditsRequest as ProtoListBlockEditsRequest,
  PromoteMemoryRequest as ProtoPromoteMemoryRequest,
  ProposeBlockEditRequest,
  SearchArchivalRequest as ProtoSearchArchivalRequest,
  UpdateProfileRequest as ProtoUpdateProfileRequest,
} from "../gen/loci/v1/block_service.ts";
import { blockEditStateNumbers } from "./block-edit.ts";
import { blockOperationsFromProto, blockOperationsToProto } from "./block-operation.ts";
import { blockNameFromProto, nameOf, ownerToProto } from "./block-request.ts";
import { identifierToProto } from "./memory-content.ts";
import { pageTokenFromProto, pageTokenToProto } from "./page-token.ts";
import { int64FromProto, nonEmptyList, optionalInt64FromProto, withoutUndefined } from "./read-value.ts";
import { scopeFromProto } from "./scope.ts";
import {
  optionally,
  writableBoolean,
  writableInt32,
  writableInt64,
  writableList,
  writablePrompt,
  writableText,
} from "./writable-value.ts";

const proposeFields = fieldsOf<ProposeEditRequest>({
  owner: true,
  label: true,
  baseVersion: true,
  operations: true,
  reason: true,
});

/** @throws LociError with the reason the engine has for the field at fault */
export function proposeEditRequestToProto(request: ProposeEditRequest): Omit<ProposeBlockEditRequest, "requestId"> {
  checkFields(request, proposeFields, "request");
  const asVersion = (version: number, field: string): bigint => writableInt64(version, field, "VERSION_NOT_FOUND");
  return {
    ...nameOf(request),
    baseVersion: optionally(request.baseVersion, "baseVersion", asVersion),
    operations: blockOperationsToProto(request.operations, "operations"),
    reason: optionally(request.reason, "reason", writableText),
  };
}

/** @throws LociError with the field at fault */
export function proposeEditRequestFromProto(request: ProposeBlockEditRequest): ProposeEditRequest {
  return withoutUndefined({
    ...blockNameFromProto(request),
    baseVersion: optionalInt64FromProto(request.baseVersion, "baseVersion"),
    operations: blockOperationsFromProto(request.operations, "operations"),
    reason: request.reason,
  });
}

const getFields = fieldsOf<GetBlockEditRequest>({ id: true, hunks: true });

/** @throws LociError with the reason the engine has for the field at fault */
export function getBlockEditRequestToProto(request: GetBlockEditRequest): ProtoGetBlockEditRequest {
  checkFields(request, getFields, "request");
  return { id: identifierToProto(request.id, "id"), hunks: optionally(request.hunks, "hunks", hunksToProto) };
}

export function getBlockEditRequestFromProto({ id, hunks }: ProtoGetBlockEditRequest): GetBlockEditRequest {
  return withoutUndefined({ id, hunks: hunks?.positions });
}

const listFields = fieldsOf<ListBlockEditsRequest>({
  owner: true,
  label: true,
  states: true,
  pageSize: true,
  pageToken: true,
});

/** @throws LociError with the reason the engine has for the field at fault */
export function listBlockEditsRequestToProto(request: ListBlockEditsRequest): ProtoListBlockEditsRequest {
  checkFields(request, listFields, "request");
  const { states } = request;
  if (states !== undefined && writableList(states, "states").length === 0) throw emptyStates();
  return {
    owner: ownerToProto(request.owner),
    label: optionally(request.label, "label", (label, field) => writableText(label, field, "INVALID_BLOCK")),
    states: (states ?? []).map((state, index) => blockEditStateNumbers.toProto(state, `states[${index}]`)),
    pageSize: optionally(request.pageSize, "pageSize", writableInt32),
    pageToken: optionally(request.pageToken, "pageToken", pageTokenToProto) ?? "",
  };
}

/** @throws LociError with the field at fault */
export function listBlockEditsRequestFromProto(request: ProtoListBlockEditsRequest): ListBlockEditsRequest {
  const { label, states, pageSize, pageToken } = request;
  return withoutUndefined({
    owner: scopeFromProto(request.owner, "owner"),
    label,
    states: nonEmptyList(states.map((state, index) => blockEditStateNumbers.fromProto(state, `states[${index}]`))),
    pageSize,
    pageToken: pageTokenFromProto(pageToken),
  });
}

const approveFields = fieldsOf<ApproveEditRequest>({
  id: true,
  baseVersion: true,
  contentHash: true,
  hunks: true,
  validateOnly: true,
});

/** @throws LociError with the reason the engine has for the field at fault */
export function approveEditRequestToProto(request: ApproveEditRequest): Omit<ApproveBlockEditRequest, "requestId"> {
  checkFields(request, approveFields, "request");
  return {
    id: identifierToProto(request.id, "id"),
    baseVersion: writableInt64(request.baseVersion, "baseVersion"),
    contentHash: writableText(request.contentHash, "contentHash"),
    hunks: optionally(request.hunks, "hunks", hunksToProto),
    validateOnly: optionally(request.validateOnly, "validateOnly", writableBoolean) ?? false,
  };
}

/** @throws LociError with the field at fault */
export function approveEditRequestFromProto(request: ApproveBlockEditRequest): ApproveEditRequest {
  const { id, contentHash, hunks, validateOnly } = request;
  return withoutUndefined({
    id,
    baseVersion: int64FromProto(request.baseVersion, "baseVersion"),
    contentHash,
    hunks: hunks?.positions,
    validateOnly: validateOnly ? true : undefined,
  });
}

const profileNameFields = fieldsOf<ProfileName>({ owner: true, label: true });

/** @throws LociError with the reason the engine has for the field at fault */
export function profileNameToProto(name: ProfileName): GetProfileSummaryRequest {
  checkFields(name, profileNameFields, "name");
  return profileOf(name);
}

/** @throws LociError with the field at fault */
export function profileNameFromProto({ owner, label }: GetProfileSummaryRequest): ProfileName {
  return withoutUndefined({ owner: scopeFromProto(owner, "owner"), label });
}

const updateFields = fieldsOf<UpdateProfileRequest>({ owner: true, label: true, update: true });

/** @throws LociError with the reason the engine has for the field at fault */
export function updateProfileRequestToProto(
  request: UpdateProfileRequest,
): Omit<ProtoUpdateProfileRequest, "requestId"> {
  checkFields(request, updateFields, "request");
  return { ...profileOf(request), update: profileCallToProto(request.update) };
}

/** @throws LociError with the field at fault */
export function updateProfileRequestFromProto(request: ProtoUpdateProfileRequest): UpdateProfileRequest {
  return { ...profileNameFromProto(request), update: profileCallFromProto(request.update) };
}

const searchFields = fieldsOf<SearchArchivalRequest>({ owner: true, label: true, query: true, limit: true });

/** @throws LociError with the reason the engine has for the field at fault */
export function searchArchivalRequestToProto(request: SearchArchivalRequest): ProtoSearchArchivalRequest {
  checkFields(request, searchFields, "request");
  const limit = optionally(request.limit, "limit", writableInt32);
  return { ...profileOf(request), query: writablePrompt(request.query, "query"), limit };
}

/** @throws LociError with the field at fault */
export function searchArchivalRequestFromProto(request: ProtoSearchArchivalRequest): SearchArchivalRequest {
  const { query, limit } = request;
  return withoutUndefined({ ...profileNameFromProto(request), query, limit });
}

const promoteFields = fieldsOf<PromoteMemoryRequest>({ owner: true, label: true, memory: true, heading: true });

/** @throws LociError with the reason the engine has for the field at fault */
export function promoteMemoryRequestToProto(
  request: PromoteMemoryRequest,
): Omit<ProtoPromoteMemoryRequest, "requestId"> {
  checkFields(request, promoteFields, "request");
  return {
    ...nameOf(request),
    memoryId: identifierToProto(request.memory, "memory"),
    heading: writableText(request.heading, "heading"),
  };
}

/** @throws LociError with the field at fault */
export function promoteMemoryRequestFromProto(request: ProtoPromoteMemoryRequest): PromoteMemoryRequest {
  return { ...blockNameFromProto(request), memory: request.memoryId, heading: request.heading };
}

const demoteFields = fieldsOf<DemoteLineRequest>({ owner: true, label: true, line: true });

/** @throws LociError with the reason the engine has for the field at fault */
export function demoteLineRequestToProto(request: DemoteLineRequest): Omit<ProtoDemoteLineRequest, "requestId"> {
  checkFields(request, demoteFields, "request");
  return { ...nameOf(request), line: writableText(request.line, "line") };
}

/** @throws LociError with the field at fault */
export function demoteLineRequestFromProto(request: ProtoDemoteLineRequest): DemoteLineRequest {
  return { ...blockNameFromProto(request), line: request.line };
}

function hunksToProto(hunks: readonly number[], field: string): BlockHunks {
  return {
    positions: writableList(hunks, field).map((hunk) => writableInt32(hunk, field, "INVALID_REQUEST")),
  };
}

function profileOf({ owner, label }: ProfileName): GetProfileSummaryRequest {
  return {
    owner: ownerToProto(owner),
    label: optionally(label, "label", (text, field) => writableText(text, field, "INVALID_BLOCK")),
  };
}

type ProtoUpdate = ProtoUpdateProfileRequest["update"];

const partsOfCall: Readonly<Record<ProfileCall["call"], readonly string[]>> = {
  setTask: ["call", "text", "context"],
  clearTask: ["call", "archive"],
  learnPreference: ["call", "text"],
  learnFact: ["call", "text"],
  addContext: ["call", "text"],
  setState: ["call", "state"],
};

function profileCallToProto(update: ProfileCall): ProtoUpdate {
  const { call } = (update ?? {}) as { readonly call?: unknown };
  const parts = typeof call === "string" && Object.hasOwn(partsOfCall, call) ? partsOfCall[update.call] : undefined;
  if (parts === undefined) throw unknownCall();
  checkFields(update, new Set(parts), "update");
  switch (update.call) {
    case "setTask": {
      const context = optionally(update.context, "update.context", writableText);
      return { $case: "setTask", value: { text: writableText(update.text, "update.text"), context } };
    }
    case "clearTask":
      return { $case: "clearTask", value: { archive: writableBoolean(update.archive, "update.archive") } };
    case "setState":
      return { $case: "setState", value: writableText(update.state, "update.state", "INVALID_REQUEST") };
    default:
      return { $case: update.call, value: writableText(update.text, "update.text") };
  }
}

function profileCallFromProto(update: ProtoUpdate): ProfileCall {
  if (update === undefined) throw unknownCall();
  switch (update.$case) {
    case "setTask":
      return withoutUndefined({ call: "setTask", text: update.value.text, context: update.value.context });
    case "clearTask":
      return { call: "clearTask", archive: update.value.archive };
    case "setState":
      // The engine knows which states there are.
      return { call: "setState", state: update.value as ProfileState };
    default:
      return { call: update.$case, text: update.value };
  }
}

function unknownCall(): LociError {
  return new LociError("INVALID_REQUEST", {
    message: "update.call is none that a profile knows.",
    field: "update.call",
    advice: `Use one of ${Object.keys(partsOfCall).join(", ")}.`,
  });
}

function emptyStates(): LociError {
  return new LociError("INVALID_REQUEST", {
    message: "states is empty.",
    field: "states",
    advice: "Leave it out for pending edits.",
  });
}
