import type { NonEmpty, ScopeText } from "@loci/loci";
import { z } from "zod";

/** The scope of a write: one of the configured, by default the first. */
export function writeScopeParameter(scopes: NonEmpty<ScopeText>): z.ZodDefault<z.ZodEnum<Record<string, string>>> {
  return scopeNames(scopes).default(scopes[0]).describe("Who it belongs to and may be shown to.");
}

/** The scopes of a read: some of the configured, by default all. */
export function readScopesParameter(
  scopes: NonEmpty<ScopeText>,
): z.ZodDefault<z.ZodArray<z.ZodEnum<Record<string, string>>>> {
  return z
    .array(scopeNames(scopes))
    .default([...scopes])
    .describe("Whose memories to look at.");
}

function scopeNames(scopes: NonEmpty<ScopeText>): z.ZodEnum<Record<string, string>> {
  return z.enum(Object.fromEntries(scopes.map((scope) => [scope, scope])));
}
