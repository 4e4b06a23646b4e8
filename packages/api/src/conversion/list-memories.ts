import { checkFields, fieldsOf, type ListMemoriesRequest, type ListMemoriesResult } from "@loci/domain";
import type {
  ListMemoriesRequest as ProtoListMemoriesRequest,
  ListMemoriesResponse,
} from "../gen/loci/v1/memory_service.ts";
import { categoriesToProto } from "./categories.ts";
import { optionalInstantFromProto, optionalInstantToProto } from "./instant.ts";
import { memoriesFromProto, memoryToProto } from "./memory.ts";
import { pageTokenFromProto, pageTokenToProto } from "./page-token.ts";
import { nonEmptyList, withoutUndefined } from "./read-value.ts";
import { scopesFromProto, scopesToProto } from "./scope.ts";
import { optionally, writableInt32 } from "./writable-value.ts";

const listFields = fieldsOf<ListMemoriesRequest>({
  scopes: true,
  categories: true,
  pageSize: true,
  pageToken: true,
  evaluationTime: true,
});

/** @throws LociError with the reason the engine has for the field at fault */
export function listMemoriesRequestToProto(request: ListMemoriesRequest): ProtoListMemoriesRequest {
  checkFields(request, listFields, "request");
  return {
    scopes: scopesToProto(request.scopes, "scopes"),
    categories: optionally(request.categories, "categories", categoriesToProto) ?? [],
    pageSize: optionally(request.pageSize, "pageSize", writableInt32),
    pageToken: optionally(request.pageToken, "pageToken", pageTokenToProto) ?? "",
    evaluationTime: optionalInstantToProto(request.evaluationTime, "evaluationTime"),
  };
}

/** @throws LociError with the field at fault */
export function listMemoriesRequestFromProto(request: ProtoListMemoriesRequest): ListMemoriesRequest {
  return withoutUndefined({
    scopes: scopesFromProto(request.scopes, "scopes"),
    categories: nonEmptyList(request.categories),
    pageSize: request.pageSize,
    pageToken: pageTokenFromProto(request.pageToken),
    evaluationTime: optionalInstantFromProto(request.evaluationTime, "evaluationTime"),
  });
}

export function listMemoriesResultToProto(result: ListMemoriesResult): ListMemoriesResponse {
  return { memories: result.memories.map(memoryToProto), nextPageToken: result.nextPageToken ?? "" };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function listMemoriesResultFromProto(response: ListMemoriesResponse): ListMemoriesResult {
  const { memories, nextPageToken } = response;
  return withoutUndefined({
    memories: memoriesFromProto(memories),
    nextPageToken: pageTokenFromProto(nextPageToken),
  });
}
