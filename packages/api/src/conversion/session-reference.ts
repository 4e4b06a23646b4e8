import { checkFields, fieldsOf, type SessionKeyInput } from "@loci/domain";
import type { SessionReference as ProtoSessionReference } from "../gen/loci/v1/scope.ts";
import { scopeFromProto, scopeToProto } from "./scope.ts";
import { writableText } from "./writable-value.ts";

const referenceFields = fieldsOf<SessionKeyInput>({ scope: true, id: true });

/** @throws LociError with the reason the engine has for the field at fault */
export function sessionReferenceToProto(reference: SessionKeyInput, field: string): ProtoSessionReference {
  checkFields(reference, referenceFields, field);
  return {
    scope: scopeToProto(reference.scope, `${field}.scope`),
    id: writableText(reference.id, `${field}.id`, "INVALID_IDENTIFIER"),
  };
}

/** @throws LociError with the field at fault */
export function sessionReferenceFromProto({ scope, id }: ProtoSessionReference, field: string): SessionKeyInput {
  return { scope: scopeFromProto(scope, `${field}.scope`), id };
}
