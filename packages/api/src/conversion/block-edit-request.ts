import {
  type ApproveEditRequest,
  type BlockEditState,
  checkFields,
  type DemoteLineRequest,
  type GetBlockEditRequest,
  type ListBlockEditsRequest,
  type ListBlocksRequest,
  LociError,
  optional,
  type ProfileCall,
  profileCallFields,
  type ProfileName,
  type ProfileState,
  type PromoteMemoryRequest,
  type ProposeEditRequest,
  type SearchArchivalRequest,
  type UpdateProfileRequest,
} from "@loci/domain";
import type { BlockEditState as ProtoBlockEditState, BlockHunks } from "../gen/loci/v1/block.ts";
import type {
  ApproveBlockEditRequest,
  DemoteLineRequest as ProtoDemoteLineRequest,
  GetBlockEditRequest as ProtoGetBlockEditRequest,
  GetProfileSummaryRequest,
  ListBlockEditsRequest as ProtoListBlockEditsRequest,
  ListBlocksRequest as ProtoListBlocksRequest,
  PromoteMemoryRequest as ProtoPromoteMemoryRequest,
  ProposeBlockEditRequest,
  SearchArchivalRequest as ProtoSearchArchivalRequest,
  UpdateProfileRequest as ProtoUpdateProfileRequest,
} from "../gen/loci/v1/block_service.ts";
import { blockEditStateNumbers } from "./block-edit.ts";
import { blockOperationsFromProto, blockOperationsToProto } from "./block-operation.ts";
import { blockNameFields, labelToProto } from "./block-request.ts";
import { identifierToProto } from "./identifier.ts";
import { optionalPageTokenToProto, pageTokenFromProto } from "./page-token.ts";
import { int64FromProto, optionalInt64FromProto, withoutUndefined } from "./read-value.ts";
import {
  field,
  type FieldForms,
  type Form,
  listOf,
  optionalList,
  optionalPart,
  optionalSwitch,
  RequestForm,
  sameField,
} from "./request-form.ts";
import { scopeFromProto, scopeToProto } from "./scope.ts";
import {
  optionally,
  optionalWritableInt32,
  writableBoolean,
  writableInt32,
  writableInt64,
  writableList,
  writablePrompt,
  writableText,
} from "./writable-value.ts";

/** Which hunks of an edit are meant. Whichever is at fault is called by the whole list. */
const hunks: Form<readonly number[], BlockHunks> = {
  write: (positions, path) => ({
    positions: writableList(positions, path).map((hunk) => writableInt32(hunk, path, "INVALID_REQUEST")),
  }),
  read: ({ positions }) => positions,
};

export const proposeEditRequest: RequestForm<ProposeEditRequest, ProposeBlockEditRequest, "requestId"> =
  new RequestForm<ProposeEditRequest, ProposeBlockEditRequest, "requestId">("request", {
    ...blockNameFields,
    baseVersion: field("baseVersion", optional(versionToProto), optionalInt64FromProto),
    operations: field("operations", blockOperationsToProto, blockOperationsFromProto),
    reason: sameField("reason", optional(writableText)),
  });

export const getBlockEditRequest: RequestForm<GetBlockEditRequest, ProtoGetBlockEditRequest> = new RequestForm<
  GetBlockEditRequest,
  ProtoGetBlockEditRequest
>("request", {
  id: sameField("id", identifierToProto),
  hunks: optionalPart("hunks", hunks),
});

export const listBlocksRequest: RequestForm<ListBlocksRequest, ProtoListBlocksRequest> = new RequestForm<
  ListBlocksRequest,
  ProtoListBlocksRequest
>("request", {
  owner: field("owner", scopeToProto, scopeFromProto),
  schema: sameField("schema", optional(labelToProto)),
  after: sameField("after", optional(labelToProto)),
});

const states = listOf<BlockEditState, ProtoBlockEditState>({
  write: (state, path) => blockEditStateNumbers.toProto(state, path),
  read: (state, path) => blockEditStateNumbers.fromProto(state, path),
});

export const listBlockEditsRequest: RequestForm<ListBlockEditsRequest, ProtoListBlockEditsRequest> = new RequestForm<
  ListBlockEditsRequest,
  ProtoListBlockEditsRequest
>("request", {
  owner: field("owner", scopeToProto, scopeFromProto),
  label: sameField("label", optional(labelToProto)),
  states: optionalList("states", { write: statesToProto, read: states.read }),
  pageSize: sameField("pageSize", optionalWritableInt32),
  pageToken: field("pageToken", optionalPageTokenToProto, pageTokenFromProto),
});

export const approveEditRequest: RequestForm<ApproveEditRequest, ApproveBlockEditRequest, "requestId"> =
  new RequestForm<ApproveEditRequest, ApproveBlockEditRequest, "requestId">("request", {
    id: sameField("id", identifierToProto),
    baseVersion: field("baseVersion", writableInt64, int64FromProto),
    contentHash: sameField("contentHash", writableText),
    hunks: optionalPart("hunks", hunks),
    validateOnly: optionalSwitch("validateOnly", writableBoolean),
  });

/** What every request about a profile begins with. */
const profileNameFields: FieldForms<ProfileName, GetProfileSummaryRequest> = {
  owner: field("owner", scopeToProto, scopeFromProto),
  label: sameField("label", optional(labelToProto)),
};

export const profileName: RequestForm<ProfileName, GetProfileSummaryRequest> = new RequestForm<
  ProfileName,
  GetProfileSummaryRequest
>("name", {
  ...profileNameFields,
});

export const updateProfileRequest: RequestForm<UpdateProfileRequest, ProtoUpdateProfileRequest, "requestId"> =
  new RequestForm<UpdateProfileRequest, ProtoUpdateProfileRequest, "requestId">("request", {
    ...profileNameFields,
    update: field("update", profileCallToProto, profileCallFromProto),
  });

export const searchArchivalRequest: RequestForm<SearchArchivalRequest, ProtoSearchArchivalRequest> = new RequestForm<
  SearchArchivalRequest,
  ProtoSearchArchivalRequest
>("request", {
  ...profileNameFields,
  query: sameField("query", writablePrompt),
  limit: sameField("limit", optionalWritableInt32),
});

export const promoteMemoryRequest: RequestForm<PromoteMemoryRequest, ProtoPromoteMemoryRequest, "requestId"> =
  new RequestForm<PromoteMemoryRequest, ProtoPromoteMemoryRequest, "requestId">("request", {
    ...blockNameFields,
    memory: sameField("memoryId", identifierToProto),
    heading: sameField("heading", writableText),
  });

export const demoteLineRequest: RequestForm<DemoteLineRequest, ProtoDemoteLineRequest, "requestId"> = new RequestForm<
  DemoteLineRequest,
  ProtoDemoteLineRequest,
  "requestId"
>("request", {
  ...blockNameFields,
  line: sameField("line", writableText),
});

function versionToProto(version: number, path: string): bigint {
  return writableInt64(version, path, "VERSION_NOT_FOUND");
}

function statesToProto(given: readonly BlockEditState[], path: string): ProtoBlockEditState[] {
  const written = states.write(given, path);
  if (written.length > 0) return written;
  throw new LociError("INVALID_REQUEST", {
    message: "states is empty.",
    field: "states",
    advice: "Leave it out for pending edits.",
  });
}

type ProtoUpdate = ProtoUpdateProfileRequest["update"];

function profileCallToProto(update: ProfileCall): ProtoUpdate {
  const { call } = (update ?? {}) as { readonly call?: unknown };
  if (typeof call !== "string" || !Object.hasOwn(profileCallFields, call)) throw unknownCall();
  checkFields(update, profileCallFields[update.call], "update");
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
    advice: `Use one of ${Object.keys(profileCallFields).join(", ")}.`,
  });
}
