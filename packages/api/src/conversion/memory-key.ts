import { checkNamesMemory, LociError, type MemoryId, type MemoryKey } from "@loci/domain";
import type { GetMemoryRequest } from "../gen/loci/v1/memory_service.ts";
import { identifierToProto } from "./identifier.ts";
import { scopeFromProto, scopeToProto } from "./scope.ts";

/** Which memory a request is about: by its id, or by its key in a scope. */
type NamedMemory = GetMemoryRequest;

/** @throws LociError with the reason the engine has for the field at fault */
export function namedMemoryToProto(which: MemoryId | MemoryKey): NamedMemory {
  if (typeof which !== "object") return { id: identifierToProto(which, "id"), scope: undefined, key: undefined };
  checkNamesMemory(which);
  return { id: "", scope: scopeToProto(which.scope, "scope"), key: identifierToProto(which.key, "key") };
}

/** @throws LociError with the field at fault; `INVALID_REQUEST` for an id and a key */
export function namedMemoryFromProto({ id, scope, key }: NamedMemory): MemoryId | MemoryKey {
  if (key === undefined) return id as MemoryId;
  if (id === "") return { scope: scopeFromProto(scope, "scope"), key };
  throw new LociError("INVALID_REQUEST", {
    message: "The request has an id and a key.",
    field: "key",
    advice: "Name the memory by its id, or by its scope and key.",
  });
}
