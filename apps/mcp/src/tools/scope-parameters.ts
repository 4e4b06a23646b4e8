import { LociError, type NonEmpty, type ScopeText } from "@loci/loci";
import { z } from "zod";
import type { ToolEnvironment } from "./tool-environment.ts";

/** Each conversation pays for the names in the tools' schemas: of more the server's instructions tell once. */
export const mostNamedScopes = 8;

/** The scope of a write. */
export function writeScopeParameter(scopes: NonEmpty<ScopeText>): z.ZodOptional<z.ZodType<string>> {
  return scopeName(scopes).optional().describe(`Whose it is. Default ${scopes[0]}.`);
}

/** The scopes of a read. */
export function readScopesParameter(scopes: NonEmpty<ScopeText>): z.ZodOptional<z.ZodArray<z.ZodType<string>>> {
  return z.array(scopeName(scopes)).optional().describe("Default: all.");
}

function scopeName(scopes: NonEmpty<ScopeText>): z.ZodType<string> {
  return scopes.length > mostNamedScopes ? z.string() : z.enum(scopes);
}

/** The scope to write to. @throws LociError `SCOPE_NOT_PERMITTED` for one that was not opened */
export function writtenScope({ scopes }: Pick<ToolEnvironment, "scopes">, named: string | undefined): ScopeText {
  return named === undefined ? scopes[0] : openedScopeNamed(scopes, named);
}

/** The scopes to read. @throws LociError `SCOPE_NOT_PERMITTED` for one that was not opened, `SCOPE_REQUIRED` for none */
export function readScopes(
  { scopes }: Pick<ToolEnvironment, "scopes">,
  named: readonly string[] | undefined,
): NonEmpty<ScopeText> {
  if (named === undefined) return scopes;
  const [first, ...rest] = named.map((scope) => openedScopeNamed(scopes, scope));
  if (first !== undefined) return [first, ...rest];
  throw new LociError("SCOPE_REQUIRED", {
    message: "scopes is empty.",
    field: "scopes",
    advice: "Name some scopes, or leave it out for all.",
  });
}

function openedScopeNamed(scopes: NonEmpty<ScopeText>, named: string): ScopeText {
  const scope = scopes.find((each) => each === named);
  if (scope !== undefined) return scope;
  throw new LociError("SCOPE_NOT_PERMITTED", {
    message: "That scope is not open here.",
    field: "scope",
    advice: `Use ${scopes.slice(0, mostNamedScopes).join(", ")}${scopes.length > mostNamedScopes ? " or another one of the server's instructions" : ""}.`,
  });
}
