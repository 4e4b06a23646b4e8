import {
  checkFields,
  type EtagPrecondition,
  fieldsOf,
  LociError,
  type MemoryId,
  type MemoryKey,
  type MemoryPatch,
  type MissingAllowed,
} from "@loci/domain";
import { Memory as ProtoMemory } from "../gen/loci/v1/memory.ts";
import type { UpdateMemoryRequest } from "../gen/loci/v1/memory_service.ts";
import { memoryContent } from "./memory-content.ts";
import { namedMemoryFromProto, namedMemoryToProto } from "./memory-key.ts";
import { etagToProto } from "./precondition.ts";
import { required } from "./read-value.ts";
import type { FieldForm } from "./request-form.ts";
import { writableBoolean } from "./writable-value.ts";

type PatchName = keyof MemoryPatch;

/** What a field that a patch names becomes when the memory comes without it: `null` removes it, `undefined` cannot be. */
const withoutValue: Readonly<Record<PatchName, unknown>> = {
  text: "",
  category: undefined,
  importance: undefined,
  confidence: undefined,
  isStatic: false,
  isPinned: false,
  tags: [],
  slot: null,
  provenance: null,
  metadata: {},
  validFrom: null,
  validTo: null,
  expiresAt: null,
  supersededBy: null,
};

const patchFields: ReadonlySet<string> = new Set(Object.keys(withoutValue));

const fields: Readonly<Record<string, FieldForm<unknown, unknown, keyof ProtoMemory>>> = memoryContent as never;

/** A field's path in an update mask: what the field is called in the contract. */
function pathOf(name: PatchName): string {
  return memoryContent[name].name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const namesByPath: ReadonlyMap<string, PatchName> = new Map(
  (Object.keys(withoutValue) as PatchName[]).map((name) => [pathOf(name), name]),
);

/** What `update` takes, as one value. */
export interface MemoryUpdate {
  readonly which: MemoryId | MemoryKey;
  readonly patch: MemoryPatch;
  readonly precondition: EtagPrecondition | MissingAllowed;
}

/** @throws LociError with the reason the engine has for the field at fault */
export function memoryUpdateToProto({
  which,
  patch,
  precondition,
}: MemoryUpdate): Omit<UpdateMemoryRequest, "requestId"> {
  checkFields(patch, patchFields, "patch");
  const given = (Object.keys(patch) as PatchName[]).filter((name) => patch[name] !== undefined);
  const memory: Partial<Record<keyof ProtoMemory, unknown>> = {};
  for (const name of given) {
    const value = patch[name];
    // What is removed is said by its name alone.
    const isRemoved = value === null && withoutValue[name] === null;
    const form = fields[name] as FieldForm<unknown, unknown, keyof ProtoMemory>;
    if (!isRemoved) memory[form.name] = form.write(value, name);
  }
  return {
    memory: {
      ...ProtoMemory.create(),
      ...(memory as Partial<ProtoMemory>),
      ...namedMemoryToProto(which),
      etag: allowsMissing(precondition) ? "" : etagToProto(precondition),
    },
    updateMask: given.map(pathOf),
    allowMissing: allowsMissing(precondition),
  };
}

const allowingFields = fieldsOf<MissingAllowed>({ allowMissing: true });

function allowsMissing(precondition: EtagPrecondition | MissingAllowed): precondition is MissingAllowed {
  if (typeof precondition !== "object" || precondition === null || !("allowMissing" in precondition)) return false;
  checkFields(precondition, allowingFields, "precondition");
  return writableBoolean(precondition.allowMissing, "precondition.allowMissing");
}

/** @throws LociError with the field at fault; `INVALID_REQUEST` for a path that cannot be changed or removed */
export function memoryUpdateFromProto(request: UpdateMemoryRequest): MemoryUpdate {
  const memory = required(request.memory, "memory");
  const names = required(request.updateMask, "updateMask").map(
    (path, index) => namesByPath.get(path) ?? refuseUnknownPath(path, `updateMask[${index}]`),
  );
  if (request.allowMissing && memory.etag !== "")
    throw new LociError("INVALID_REQUEST", {
      message: "allowMissing is given with an etag.",
      field: "allowMissing",
      advice: "Leave one of the two out.",
    });
  return {
    // A memory that is sent back as it was read has an id, and its key besides.
    which: memory.id === "" ? namedMemoryFromProto(memory) : (memory.id as MemoryId),
    patch: Object.fromEntries(names.map((name) => [name, valueIn(memory, name)])),
    precondition: request.allowMissing ? { allowMissing: true } : { etag: memory.etag },
  };
}

function valueIn(memory: ProtoMemory, name: PatchName): unknown {
  const form = fields[name] as FieldForm<unknown, unknown, keyof ProtoMemory>;
  const value = form.read(memory[form.name], name) ?? withoutValue[name];
  return value === undefined ? refuseRemoval(name) : value;
}

function refuseUnknownPath(path: string, field: string): never {
  throw new LociError("INVALID_REQUEST", {
    message: `${field} is ${JSON.stringify(path.slice(0, 80))}, which cannot be changed.`,
    field,
    advice: `Use paths among ${[...namesByPath.keys()].join(", ")}.`,
  });
}

function refuseRemoval(field: string): never {
  throw new LociError("INVALID_REQUEST", {
    message: `updateMask names ${field}, which the memory does not have and which cannot be removed.`,
    field,
    advice: `Set ${field}, or leave it out of updateMask.`,
  });
}
