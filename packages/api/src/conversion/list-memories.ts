import { type ListMemoriesRequest, type ListMemoriesResult, LociError, type MemoryState } from "@loci/domain";
import type { MemoryState as ProtoMemoryState } from "../gen/loci/v1/memory.ts";
import type {
  ListMemoriesRequest as ProtoListMemoriesRequest,
  ListMemoriesResponse,
} from "../gen/loci/v1/memory_service.ts";
import { categoriesToProto } from "./categories.ts";
import { optionalInstantFromProto, optionalInstantToProto } from "./instant.ts";
import { memoriesFromProto, memoryToProto } from "./memory.ts";
import { memoryStates } from "./memory-words.ts";
import { optionalPageTokenToProto, pageTokenFromProto } from "./page-token.ts";
import { withoutUndefined } from "./read-value.ts";
import { field, type Form, listOf, optionalList, RequestForm, sameField } from "./request-form.ts";
import { scopesFromProto, scopesToProto } from "./scope.ts";
import { optionalWritableInt32, same } from "./writable-value.ts";

const states = listOf<MemoryState, ProtoMemoryState>({
  write: (state, path) => memoryStates.toProto(state, path),
  read: (state, path) => memoryStates.fromProto(state, path),
});

/** States that are asked for. */
export const listedStates: Form<readonly MemoryState[], ProtoMemoryState[]> = {
  write: statesToProto,
  read: states.read,
};

export const listMemoriesRequest: RequestForm<ListMemoriesRequest, ProtoListMemoriesRequest> = new RequestForm<
  ListMemoriesRequest,
  ProtoListMemoriesRequest
>("request", {
  scopes: field("scopes", scopesToProto, scopesFromProto),
  categories: optionalList("categories", { write: categoriesToProto, read: same }),
  states: optionalList("states", listedStates),
  validAt: field("validAt", optionalInstantToProto, optionalInstantFromProto),
  pageSize: sameField("pageSize", optionalWritableInt32),
  pageToken: field("pageToken", optionalPageTokenToProto, pageTokenFromProto),
  evaluationTime: field("evaluationTime", optionalInstantToProto, optionalInstantFromProto),
});

/** On the wire an empty list asks for the default; in process it is refused, so it is here. */
function statesToProto(given: readonly MemoryState[], path: string): ProtoMemoryState[] {
  const written = states.write(given, path);
  if (written.length > 0) return written;
  throw new LociError("INVALID_REQUEST", {
    message: "states is empty.",
    field: path,
    advice: "Leave it out for active memories.",
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
