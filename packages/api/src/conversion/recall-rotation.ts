import { checkFields, fieldsOf, type MemoryId, type RecallRotation } from "@loci/domain";
import { type RecallRotation as ProtoRotation, RecallRotationKey } from "../gen/loci/v1/recall.ts";
import { Enumeration } from "./enumeration.ts";
import { nonEmptyList, withoutUndefined } from "./read-value.ts";
import { optionally, writableList, writableText } from "./writable-value.ts";

const keys = new Enumeration<NonNullable<RecallRotation["key"]>, RecallRotationKey>({
  owner: RecallRotationKey.OWNER,
  session: RecallRotationKey.SESSION,
  off: RecallRotationKey.OFF,
});

const rotationFields = fieldsOf<RecallRotation>({ owner: true, session: true, key: true, inWindow: true });

/** @throws LociError with the reason the engine has for the field at fault */
export function rotationToProto(rotation: RecallRotation, field: string): ProtoRotation {
  checkFields(rotation, rotationFields, field);
  return {
    owner: writableText(rotation.owner, `${field}.owner`, "INVALID_IDENTIFIER"),
    session: writableText(rotation.session, `${field}.session`, "INVALID_IDENTIFIER"),
    key: keys.optionalToProto(rotation.key, `${field}.key`),
    inWindow: [...(optionally(rotation.inWindow, `${field}.inWindow`, memoryIdsToProto) ?? [])],
  };
}

/** @throws LociError with the field at fault */
export function rotationFromProto(rotation: ProtoRotation, field: string): RecallRotation {
  return withoutUndefined<RecallRotation>({
    owner: rotation.owner,
    session: rotation.session,
    key: keys.optionalFromProto(rotation.key, `${field}.key`),
    inWindow: nonEmptyList(rotation.inWindow as MemoryId[]),
  });
}

function memoryIdsToProto(ids: readonly MemoryId[], field: string): readonly string[] {
  return writableList(ids, field).map((id) => writableText(id, "id", "INVALID_IDENTIFIER"));
}
