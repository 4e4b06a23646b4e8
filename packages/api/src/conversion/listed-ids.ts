import { checkFields, type MemoryIdsPart, type MemoryIdsRequest, type MemoryOrder } from "@loci/domain";
import {
  type ListMemoryIdsRequest,
  type ListMemoryIdsResponse,
  MemoryOrder as ProtoMemoryOrder,
} from "../gen/loci/v1/memory_service.ts";
import { categoriesToProto } from "./categories.ts";
import { Enumeration } from "./enumeration.ts";
import { filterFromProto, filterToProto } from "./filter.ts";
import { optionalInstantFromProto, optionalInstantToProto } from "./instant.ts";
import { listedStates } from "./list-memories.ts";
import { int64FromProto } from "./read-value.ts";
import { field, optionalList, optionalPart, optionalWord, RequestForm, sameField } from "./request-form.ts";
import { scopesOrAllFromProto, scopesOrAllToProto } from "./scopes-or-all.ts";
import { optionally, same, writableInt64, writableText } from "./writable-value.ts";

const orders: Enumeration<MemoryOrder, ProtoMemoryOrder> = new Enumeration({
  created: ProtoMemoryOrder.CREATED,
  updated: ProtoMemoryOrder.UPDATED,
  used: ProtoMemoryOrder.USED,
  uses: ProtoMemoryOrder.USES,
  importance: ProtoMemoryOrder.IMPORTANCE,
});

function optionalText(text: string | undefined, path: string): string | undefined {
  return optionally(text, path, (one) => writableText(one, path));
}

/** All but the scopes, which are two fields of the message. */
const rest: RequestForm<
  Omit<MemoryIdsRequest, "scopes">,
  ListMemoryIdsRequest,
  "scopes" | "allScopes"
> = new RequestForm<Omit<MemoryIdsRequest, "scopes">, ListMemoryIdsRequest, "scopes" | "allScopes">("request", {
  states: optionalList("states", listedStates),
  categories: optionalList("categories", { write: categoriesToProto, read: same }),
  where: optionalPart("where", { write: filterToProto, read: filterFromProto }),
  text: sameField("text", optionalText),
  orderBy: optionalWord("orderBy", orders),
  evaluationTime: field("evaluationTime", optionalInstantToProto, optionalInstantFromProto),
});

const names: ReadonlySet<string> = new Set(["scopes", ...rest.names]);

/** @throws LociError with the reason the engine has for the field at fault */
export function memoryIdsRequestToProto(request: MemoryIdsRequest): ListMemoryIdsRequest {
  checkFields(request, names, "request");
  return { ...rest.writeFields(request, ""), ...scopesOrAllToProto(request.scopes) };
}

/** @throws LociError with the field at fault */
export function memoryIdsRequestFromProto(request: ListMemoryIdsRequest): MemoryIdsRequest {
  return { scopes: scopesOrAllFromProto(request), ...rest.readFields(request, "") };
}

export function memoryIdsPartToProto({ ids, offset, total, sequence, cursor }: MemoryIdsPart): ListMemoryIdsResponse {
  return {
    ids: ids as ListMemoryIdsResponse["ids"],
    offset: writableInt64(offset, "offset"),
    total: writableInt64(total, "total"),
    sequence: writableInt64(sequence, "sequence"),
    cursor,
  };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function memoryIdsPartFromProto({ ids, offset, total, sequence, cursor }: ListMemoryIdsResponse): MemoryIdsPart {
  return {
    // Of a caller's own kind: gRPC gives a Buffer, which is written as JSON otherwise.
    ids: new Uint8Array(ids.buffer, ids.byteOffset, ids.byteLength),
    offset: int64FromProto(offset, "offset"),
    total: int64FromProto(total, "total"),
    sequence: int64FromProto(sequence, "sequence"),
    cursor,
  };
}
