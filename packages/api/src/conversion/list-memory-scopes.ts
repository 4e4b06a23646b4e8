import type { ListMemoryScopesRequest, ListMemoryScopesResult } from "@loci/domain";
import type {
  ListMemoryScopesRequest as ProtoListMemoryScopesRequest,
  ListMemoryScopesResponse,
} from "../gen/loci/v1/memory_service.ts";
import { optionalPageTokenToProto, pageTokenFromProto } from "./page-token.ts";
import { int64FromProto, withoutUndefined } from "./read-value.ts";
import { field, optionalWord, RequestForm, sameField } from "./request-form.ts";
import { keptScopeFromProto, parsedScopeToProto, scopeKindNumbers } from "./scope.ts";
import { optionalWritableInt32, writableInt64 } from "./writable-value.ts";

export const listMemoryScopesRequest: RequestForm<ListMemoryScopesRequest, ProtoListMemoryScopesRequest> =
  new RequestForm<ListMemoryScopesRequest, ProtoListMemoryScopesRequest>("request", {
    kind: optionalWord("kind", scopeKindNumbers),
    pageSize: sameField("pageSize", optionalWritableInt32),
    pageToken: field("pageToken", optionalPageTokenToProto, pageTokenFromProto),
  });

export function listMemoryScopesResultToProto(result: ListMemoryScopesResult): ListMemoryScopesResponse {
  const scopes = result.scopes.map(({ scope, memories }, index) => ({
    scope: parsedScopeToProto(scope, `scopes[${index}].scope`),
    memories: writableInt64(memories, `scopes[${index}].memories`),
  }));
  return { scopes, nextPageToken: result.nextPageToken ?? "" };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function listMemoryScopesResultFromProto(response: ListMemoryScopesResponse): ListMemoryScopesResult {
  const scopes = response.scopes.map(({ scope, memories }, index) => ({
    scope: keptScopeFromProto(scope, `scopes[${index}].scope`),
    memories: int64FromProto(memories, `scopes[${index}].memories`),
  }));
  return withoutUndefined({ scopes, nextPageToken: pageTokenFromProto(response.nextPageToken) });
}
