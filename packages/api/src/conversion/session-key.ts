import type { SessionKey, SessionKeyInput } from "@loci/domain";
import type { Scope as ProtoScope } from "../gen/loci/v1/scope.ts";
import { identifierToProto } from "./identifier.ts";
import { field, RequestForm, sameField } from "./request-form.ts";
import { scopeFromProto, scopeToProto } from "./scope.ts";

/** What every request about one session begins with. */
export interface ProtoSessionKey {
  readonly scope: ProtoScope | undefined;
  readonly id: string;
}

export const sessionKey: RequestForm<SessionKeyInput, ProtoSessionKey> = new RequestForm<
  SessionKeyInput,
  ProtoSessionKey
>("session", {
  scope: field("scope", scopeToProto, scopeFromProto),
  id: sameField("id", identifierToProto),
});

/** @throws LociError with the field at fault */
export function sessionKeyFromProto({ scope, id }: ProtoSessionKey): SessionKey {
  return { scope: scopeFromProto(scope, "scope"), id };
}
