import {
  LociError,
  parseKeptScope,
  parseScope,
  parseScopes,
  type Scope,
  type ScopeInput,
  type ScopeKind,
} from "@loci/domain";
import { type Scope as ProtoScope, ScopeKind as ProtoScopeKind } from "../gen/loci/v1/scope.ts";
import { Enumeration } from "./enumeration.ts";
import type { Form } from "./request-form.ts";

/** The kinds of scope and their numbers. */
export const scopeKindNumbers: Enumeration<ScopeKind, ProtoScopeKind> = new Enumeration<ScopeKind, ProtoScopeKind>({
  session: ProtoScopeKind.SESSION,
  user: ProtoScopeKind.USER,
  agent: ProtoScopeKind.AGENT,
  team: ProtoScopeKind.TEAM,
  project: ProtoScopeKind.PROJECT,
  global: ProtoScopeKind.GLOBAL,
});

/** @throws LociError `INVALID_SCOPE`, `INVALID_IDENTIFIER` */
export function scopeToProto(input: ScopeInput, field: string): ProtoScope {
  return parsedScopeToProto(parseScope(input, field), field);
}

/** `scopeToProto` for what is stored, under names of former versions, too. */
export function keptScopeToProto(input: ScopeInput, field: string): ProtoScope {
  return parsedScopeToProto(parseKeptScope(input, field), field);
}

/** Equal scopes once. @throws LociError `SCOPE_REQUIRED` for an empty list, and as {@link scopeToProto} */
export function scopesToProto(inputs: readonly ScopeInput[], field: string): ProtoScope[] {
  return parseScopes(inputs, field).map((scope, index) => parsedScopeToProto(scope, `${field}[${index}]`));
}

/** Scopes as a part of a request. */
export const scopeList: Form<readonly ScopeInput[], ProtoScope[]> = { write: scopesToProto, read: scopesFromProto };

/** @throws LociError `INVALID_SCOPE`, `INVALID_IDENTIFIER`; `INVALID_REQUEST` for an unknown kind */
export function scopeFromProto(scope: ProtoScope | undefined, field: string): Scope {
  return parsedScopeFromProto(scope, field, parseScope);
}

/** `scopeFromProto` for what a server has stored, under names of former versions, too. */
export function keptScopeFromProto(scope: ProtoScope | undefined, field: string): Scope {
  return parsedScopeFromProto(scope, field, parseKeptScope);
}

function parsedScopeFromProto(
  scope: ProtoScope | undefined,
  field: string,
  parse: (input: ScopeInput, field: string) => Scope,
): Scope {
  if (scope === undefined)
    throw new LociError("INVALID_SCOPE", {
      message: `${field} is missing.`,
      field,
      advice: "Say whose it is, such as user:alice.",
    });
  const kind = scopeKindNumbers.fromProto(scope.kind, `${field}.kind`);
  return parse(kind === "global" && scope.id === "" ? { kind } : ({ kind, id: scope.id } as unknown as Scope), field);
}

/** An empty list stays one, for the engine to refuse. @throws LociError as {@link scopeFromProto} */
export function scopesFromProto(scopes: readonly ProtoScope[], field: string): readonly Scope[] {
  return scopes.map((scope, index) => scopeFromProto(scope, `${field}[${index}]`));
}

/** A scope that was checked before. */
export function parsedScopeToProto(scope: Scope, field: string): ProtoScope {
  return { kind: scopeKindNumbers.toProto(scope.kind, field), id: scope.id ?? "" };
}
