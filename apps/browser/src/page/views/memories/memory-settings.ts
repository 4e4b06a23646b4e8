import { MemoryState, type Scope, type ScopeMemories } from "@loci/api-web";
import { chosenScopes } from "../../state/chosen-scopes.ts";
import type { MemoryFilter } from "./memory-pages.ts";

/** Categories that Loci knows; others are words of the caller's own. */
export const categories: readonly string[] = [
  "fact",
  "decision",
  "preference",
  "entity",
  "procedure",
  "note",
  "learning",
];

/** The states of memories by their names in the address; the first is the default. */
export const states = [
  { name: "", title: "active", state: MemoryState.ACTIVE },
  { name: "waiting", title: "waiting for approval", state: MemoryState.QUARANTINED },
  { name: "forgotten", title: "forgotten", state: MemoryState.DELETED },
] as const;

/** The list that an address asks for. Undefined: there is no scope to look in. */
export function filterOf(settings: URLSearchParams, all: readonly ScopeMemories[]): MemoryFilter | undefined {
  const scopes = chosenScopes(settings, all);
  if (scopes.length === 0) return undefined;
  const { state } = states.find(({ name }) => name === settings.get("state")) ?? states[0];
  return { scopes, state, category: settings.get("category") ?? "", find: settings.get("find") ?? "" };
}

/** How many memories the list will have, as far as that is known before all are loaded. */
export function expectedRows(filter: MemoryFilter, all: readonly ScopeMemories[]): number {
  if (filter.state !== MemoryState.ACTIVE || filter.category !== "" || filter.find !== "") return 0;
  const keyOf = (scope: Scope | undefined): string => `${scope?.kind} ${scope?.id}`;
  const wanted = new Set(filter.scopes.map(keyOf));
  return all.reduce((sum, { scope, memories }) => sum + (wanted.has(keyOf(scope)) ? Number(memories) : 0), 0);
}
