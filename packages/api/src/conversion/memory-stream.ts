import {
  checkFields,
  type ExportedMemory,
  type ExportMemoriesRequest,
  fieldsOf,
  type MemoryChange,
  memoryId,
  type WatchMemoriesRequest,
} from "@loci/domain";
import type {
  MemoryServiceExportMemoriesRequest,
  MemoryServiceExportMemoriesResponse,
  WatchMemoriesRequest as ProtoWatchMemoriesRequest,
  WatchMemoriesResponse,
} from "../gen/loci/v1/memory_service.ts";
import { memoryFromProto, memoryToProto } from "./memory.ts";
import { withoutUndefined } from "./read-value.ts";
import { field, RequestForm } from "./request-form.ts";
import { scopesOrAllFromProto, scopesOrAllToProto } from "./scopes-or-all.ts";
import { optionally, writableText } from "./writable-value.ts";

const watchFields = fieldsOf<WatchMemoriesRequest>({ scopes: true, since: true });

/** @throws LociError with the reason the engine has for the field at fault */
export function watchRequestToProto(request: WatchMemoriesRequest): ProtoWatchMemoriesRequest {
  checkFields(request, watchFields, "request");
  return {
    ...scopesOrAllToProto(request.scopes),
    since: sinceToProto(optionally(request.since, "since", (since) => writableText(since, "since", "INVALID_CURSOR"))),
  };
}

function sinceToProto(since: string | undefined): ProtoWatchMemoriesRequest["since"] {
  if (since === undefined || since === "now") return undefined;
  return since === "beginning" ? { $case: "beginning", value: true } : { $case: "cursor", value: since };
}

/** @throws LociError with the field at fault */
export function watchRequestFromProto(request: ProtoWatchMemoriesRequest): WatchMemoriesRequest {
  return withoutUndefined({ scopes: scopesOrAllFromProto(request), since: sinceFromProto(request.since) });
}

function sinceFromProto(since: ProtoWatchMemoriesRequest["since"]): string | undefined {
  if (since?.$case === "cursor") return since.value;
  return since?.value === true ? "beginning" : undefined;
}

export function memoryChangeToProto(change: MemoryChange): WatchMemoriesResponse {
  const { cursor } = change;
  if (change.type === "written") return { cursor, change: { $case: "written", value: memoryToProto(change.memory) } };
  if (change.type === "removed") return { cursor, change: { $case: "removedId", value: change.id } };
  return { cursor, change: undefined };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function memoryChangeFromProto({ cursor, change }: WatchMemoriesResponse): MemoryChange {
  if (change === undefined) return { type: "reached", cursor };
  return change.$case === "written"
    ? { type: "written", cursor, memory: memoryFromProto(change.value) }
    : { type: "removed", cursor, id: memoryId(change.value) };
}

export const exportRequest: RequestForm<ExportMemoriesRequest, MemoryServiceExportMemoriesRequest> = new RequestForm<
  ExportMemoriesRequest,
  MemoryServiceExportMemoriesRequest
>("request", {
  after: field(
    "afterId",
    (after, path) => (after === undefined ? "" : writableText(after, path)),
    (afterId) => (afterId === "" ? undefined : afterId),
  ),
});

export function exportedMemoryToProto({ id, line }: ExportedMemory): MemoryServiceExportMemoriesResponse {
  return { id, line };
}

/** @throws LociError `INVALID_IDENTIFIER` for what no server of this version sends */
export function exportedMemoryFromProto({ id, line }: MemoryServiceExportMemoriesResponse): ExportedMemory {
  return { id: memoryId(id), line };
}
