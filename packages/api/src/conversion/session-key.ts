import { checkFields, fieldsOf, type SessionKey, type SessionKeyInput } from "@loci/domain";
import type { Scope as ProtoScope } from "../gen/loci/v1/scope.ts";
import { identifierToProto } from "./memory-content.ts";
import { scopeFromProto, scopeToProto } from "./scope.ts";

const keyFields = fieldsOf<SessionKeyInput>({ scope: true, id: true });

/** What every request about one session begins with. */
export interface ProtoSessionKey {
  readonly scope: ProtoScope | undefined;
  readonly id: string;
}

/** @throws LociError with the reason the engine has for the field at fault */
export function sessionKeyToProto(key: SessionKeyInput): ProtoSessionKey {
  checkFields(key, keyFields, "session");
  return { scope: scopeToProto(key.scope, "scope"), id: identifierToProto(key.id, "id") };
}

/** @throws LociError with the field at fault */
export function sessionKeyFromProto({ scope, id }: ProtoSessionKey): SessionKey {
  return { scope: scopeFromProto(scope, "scope"), id };
}
