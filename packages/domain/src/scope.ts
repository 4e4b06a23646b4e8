import { checkIdentifier, checkKeptIdentifier } from "./identifiers.ts";
import { LociError } from "./error.ts";
import { shownValue } from "./shown-value.ts";
import { isNonEmpty, type NonEmpty } from "./brand.ts";

/** The kinds of scope, nearest first. */
export const scopeKinds = ["session", "user", "agent", "team", "project", "global"] as const;

export type ScopeKind = (typeof scopeKinds)[number];

/**
 * Where in a tenant a memory belongs, and who may be shown it.
 *
 * A parsed value, never a joined string: the user `a:b` is not the user `a` with something appended.
 */
export type Scope =
  | { readonly kind: Exclude<ScopeKind, "global">; readonly id: string }
  | { readonly kind: "global"; readonly id?: undefined };

/** A scope as people write it: `user:alice`, `project:loci`, `global`. Everything after the first colon is the id. */
export type ScopeText = "global" | `${Exclude<ScopeKind, "global">}:${string}`;

/** A scope, or its text form. */
export type ScopeInput = Scope | ScopeText;

export const globalScope: Scope = { kind: "global" };

/** What a template makes of a value that is not there: everybody who is unknown would share one memory. */
const idsOfNobody: ReadonlySet<string> = new Set([
  "undefined",
  "null",
  "None",
  "NaN",
  "nan",
  "[object Object]",
  "<nil>",
  "%!s(<nil>)",
]);

/** Whether a scope that was written as a text is one such as `user:undefined`. One that is not a text is taken at its word. */
export function namesNobody(scope: ScopeInput | string): scope is ScopeText {
  return typeof scope === "string" && idsOfNobody.has(scope.slice(scope.indexOf(":") + 1));
}

/**
 * Checks and parses one scope.
 *
 * @throws LociError `INVALID_SCOPE` for an unknown kind, `INVALID_IDENTIFIER` for a bad id, `*` among them, and for a text such as
 *   `user:undefined`
 */
export function parseScope(input: ScopeInput | string, field = "scope"): Scope {
  const scope = parseFormattedScope(input, field);
  if (scope.kind === "global" || !namesNobody(input)) return scope;
  throw new LociError("INVALID_IDENTIFIER", {
    message: `${field} is ${shownValue(input)}, as a template writes it when the id is missing: it names no ${scope.kind}.`,
    field,
    advice: `Pass the id that your application gives to the ${scope.kind}. For one that is really called so, pass { kind: "${scope.kind}", id } in place of a text.`,
  });
}

/**
 * {@link parseScope} for what {@link formatScope} has written: the text is taken at its word.
 *
 * @throws LociError `INVALID_SCOPE`, `INVALID_IDENTIFIER`
 */
export function parseFormattedScope(input: ScopeInput | string, field = "scope"): Scope {
  const scope = parseScopeBy(checkIdentifier, input, field);
  if (scope.id === "*")
    throw new LociError("INVALID_IDENTIFIER", {
      message: `${field} id is *, which only the patterns of a key know: there it stands for every ${scope.kind}.`,
      field,
      advice: `Name each ${scope.kind}: memories.scopes lists those that have memories. No ${scope.kind} can be called so.`,
    });
  return scope;
}

/**
 * `parseScope` for what is stored already: former versions let a scope have the id `*`, or one with what cannot be seen, and it can
 * still be erased.
 */
export function parseKeptScope(input: ScopeInput | string, field = "scope"): Scope {
  return parseScopeBy(checkKeptIdentifier, input, field);
}

type CheckId = typeof checkIdentifier;

function parseScopeBy(checkId: CheckId, input: ScopeInput | string, field: string): Scope {
  if (typeof input !== "string") return checkScope(checkId, input, field);
  const colon = input.indexOf(":");
  return colon < 0
    ? checkScope(checkId, { kind: input }, field)
    : checkScope(checkId, { kind: input.slice(0, colon), id: input.slice(colon + 1) }, field);
}

/** Most scopes that a request may name. */
export const maxScopes: number = 1_000;

/**
 * Parses a scope list; equal scopes are kept once, in first place.
 *
 * @throws LociError `SCOPE_REQUIRED` for an empty or missing list, and for what is no list: no scope never means every scope;
 *   `INVALID_SCOPE` for more than 1,000
 */
export function parseScopes(inputs: readonly (ScopeInput | string)[] | undefined, field = "scopes"): NonEmpty<Scope> {
  const parsed = new Map<string, Scope>();
  if (Array.isArray(inputs) && inputs.length > maxScopes)
    throw new LociError("INVALID_SCOPE", {
      message: `${field} names ${inputs.length} scopes, but at most ${maxScopes} are allowed.`,
      field,
      advice: "Name the scopes that matter to this request, or ask several times.",
    });
  for (const [index, input] of (Array.isArray(inputs) ? (inputs as readonly ScopeInput[]) : []).entries()) {
    const scope = parseScope(input, `${field}[${index}]`);
    parsed.set(formatScope(scope), scope);
  }
  const scopes = [...parsed.values()];
  if (isNonEmpty(scopes)) return scopes;
  // A single scope given in place of a list reads as if nothing had been named, and is far from that.
  const given: unknown = inputs;
  if (given !== undefined && given !== null && !Array.isArray(given))
    throw new LociError("SCOPE_REQUIRED", {
      message: `${field} must be a list of scopes, but is ${shownValue(given)}.`,
      field,
      advice: `Pass a list, also for one scope: ${field}: [${typeof given === "string" ? shownValue(given) : '"user:alice"'}].`,
    });
  throw new LociError("SCOPE_REQUIRED", {
    message: `${field} is empty. An empty list does not mean "everything": say which scopes may be read.`,
    field,
    advice: 'For example scopes: ["user:alice", "project:loci", "global"].',
  });
}

/** The text form of a scope. Injective: two scopes have the same text only if they are equal. */
export function formatScope(scope: Scope): ScopeText {
  return scope.kind === "global" ? "global" : `${scope.kind}:${scope.id}`;
}

/** 0 for a session, 5 for global: how far a scope is from the conversation at hand. */
export function scopeDistance(scope: Scope): number {
  return scopeKinds.indexOf(scope.kind);
}

export function sameScope(left: Scope, right: Scope): boolean {
  return left.kind === right.kind && left.id === right.id;
}

function checkScope(
  checkId: CheckId,
  value: { readonly kind: string; readonly id?: string | undefined },
  field: string,
): Scope {
  const kind = scopeKinds.find((known) => known === value?.kind);
  if (kind === undefined)
    throw new LociError("INVALID_SCOPE", {
      message:
        value === undefined ? `${field} is missing.` : `${field} has the unknown kind ${shownValue(value?.kind)}.`,
      field,
      advice: "A scope is session:ID, user:ID, agent:ID, team:ID, project:ID or global.",
    });
  if (kind !== "global" && (value.id === undefined || value.id === ""))
    throw new LociError("INVALID_IDENTIFIER", {
      message: `${field} names no ${kind}: its id is missing.`,
      field: `${field}.id`,
      advice: `Write ${kind}:ID, with the id that your application gives to the ${kind}.`,
    });
  if (kind !== "global") return { kind, id: checkId(value.id, `${field}.id`) };
  if (value.id === undefined) return globalScope;
  throw new LociError("INVALID_SCOPE", {
    message: `${field} is global and has an id.`,
    field,
    advice: "There is one global scope in a tenant: write global.",
  });
}
