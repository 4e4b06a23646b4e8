import type { ListMemoriesRequest, ListMemoriesResult } from "@loci/domain";
import type {
  ListMemoriesRequest as ProtoListMemoriesRequest,
  ListMemoriesResponse,
} from "../gen/loci/v1/memory_service.ts";
import { categoriesToProto } from "./categories.ts";
import { optionalInstantFromProto, optionalInstantToProto } from "./instant.ts";
import { memoriesFromProto, memoryToProto } from "./memory.ts";
import { optionalPageTokenToProto, pageTokenFromProto } from "./page-token.ts";
import { withoutUndefined } from "./read-value.ts";
import { field, optionalList, RequestForm, sameField } from "./request-form.ts";
import { scopesFromProto, scopesToProto } from "./scope.ts";
import { optionalWritableInt32, same } from "./writable-value.ts";

export const listMemoriesRequest: RequestForm<ListMemoriesRequest, ProtoListMemoriesRequest> = new RequestForm<
  ListMemoriesRequest,
  ProtoListMemoriesRequest
>("request", {
  scopes: field("scopes", scopesToProto, scopesFromProto),
  categories: optionalList("categories", { write: categoriesToProto, read: same }),
  pageSize: sameField("pageSize", optionalWritableInt32),
  pageToken: field("pageToken", optionalPageTokenToProto, pageTokenFromProto),
  evaluationTime: field("evaluationTime", optionalInstantToProto, optionalInstantFromProto),
});

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
