import { type GetMemoriesRequest, type GetMemoriesResult, type MemoryId, optional } from "@loci/domain";
import type { BatchGetMemoriesRequest, BatchGetMemoriesResponse } from "../gen/loci/v1/memory_service.ts";
import { memoriesFromProto, memoryToProto } from "./memory.ts";
import { memoryIds } from "./memory-ids.ts";
import { field, RequestForm, sameField } from "./request-form.ts";
import { optionalWritableInt32, writableBoolean } from "./writable-value.ts";

export const getMemoriesRequest: RequestForm<GetMemoriesRequest, BatchGetMemoriesRequest> = new RequestForm<
  GetMemoriesRequest,
  BatchGetMemoriesRequest
>("request", {
  ids: field("ids", memoryIds.write, memoryIds.read),
  textBytes: sameField("textBytes", optionalWritableInt32),
  withDeleted: sameField("withDeleted", optional(writableBoolean)),
});

export function getMemoriesResultToProto({
  memories,
  cut,
  missing,
  unread,
}: GetMemoriesResult): BatchGetMemoriesResponse {
  return {
    memories: memories.map(memoryToProto),
    cutIds: [...cut],
    missingIds: [...missing],
    unreadIds: [...unread],
  };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function getMemoriesResultFromProto(response: BatchGetMemoriesResponse): GetMemoriesResult {
  return {
    memories: memoriesFromProto(response.memories),
    cut: response.cutIds as MemoryId[],
    missing: response.missingIds as MemoryId[],
    unread: response.unreadIds as MemoryId[],
  };
}
