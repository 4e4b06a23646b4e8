import { checkFields, fieldsOf, type RememberInput } from "@loci/domain";
import type { Memory as ProtoMemory } from "../gen/loci/v1/memory.ts";
import { optionalInstantFromProto, optionalInstantToProto } from "./instant.ts";
import { memoryContentToProto } from "./memory-content.ts";
import { origins, repeats, trusts } from "./memory-words.ts";
import { metadataFromProto } from "./metadata.ts";
import { provenanceFromProto } from "./provenance.ts";
import { nonEmptyList, required, withoutUndefined } from "./read-value.ts";
import { scopeFromProto, scopeToProto } from "./scope.ts";
import { optionally, writableText } from "./writable-value.ts";

const rememberFields = fieldsOf<RememberInput>({
  text: true,
  scope: true,
  category: true,
  importance: true,
  confidence: true,
  isStatic: true,
  tags: true,
  slot: true,
  origin: true,
  provenance: true,
  trust: true,
  metadata: true,
  createdAt: true,
  validFrom: true,
  validTo: true,
  expiresAt: true,
  repeat: true,
});

/**
 * @param path where the input stood, such as `inputs[2]`; at the top level fields are named without it
 * @throws LociError with the reason the engine has for the field at fault
 */
export function rememberInputToProto(input: RememberInput, path = ""): ProtoMemory {
  checkFields(input, rememberFields, path === "" ? "input" : path);
  const prefix = prefixOf(path);
  return {
    ...memoryContentToProto(input, prefix),
    text: writableText(input.text, `${prefix}text`),
    scope: scopeToProto(input.scope, `${prefix}scope`),
    origin: origins.optionalToProto(input.origin, `${prefix}origin`),
    trust: trusts.optionalToProto(input.trust, `${prefix}trust`),
    repeat: repeats.optionalToProto(input.repeat, `${prefix}repeat`),
    createTime: optionalInstantToProto(input.createdAt, `${prefix}createdAt`),
  };
}

/**
 * Output-only fields are passed over.
 *
 * @param path as for {@link rememberInputToProto}
 * @throws LociError with the field at fault
 */
export function rememberInputFromProto(message: ProtoMemory | undefined, path = ""): RememberInput {
  const memory = required(message, path === "" ? "memory" : path);
  const prefix = prefixOf(path);
  return withoutUndefined({
    text: memory.text,
    scope: scopeFromProto(memory.scope, `${prefix}scope`),
    category: memory.category,
    importance: memory.importance,
    confidence: memory.confidence,
    isStatic: memory.isStatic,
    tags: nonEmptyList(memory.tags),
    slot: memory.slot,
    origin: origins.optionalFromProto(memory.origin, `${prefix}origin`),
    provenance: optionally(memory.provenance, `${prefix}provenance`, provenanceFromProto),
    trust: trusts.optionalFromProto(memory.trust, `${prefix}trust`),
    metadata: memory.metadata.size === 0 ? undefined : metadataFromProto(memory.metadata, `${prefix}metadata`),
    createdAt: optionalInstantFromProto(memory.createTime, `${prefix}createdAt`),
    validFrom: optionalInstantFromProto(memory.validFrom, `${prefix}validFrom`),
    validTo: optionalInstantFromProto(memory.validTo, `${prefix}validTo`),
    expiresAt: optionalInstantFromProto(memory.expireTime, `${prefix}expiresAt`),
    repeat: repeats.optionalFromProto(memory.repeat, `${prefix}repeat`),
  });
}

function prefixOf(path: string): string {
  return path === "" ? "" : `${path}.`;
}
