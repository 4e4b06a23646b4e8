import { MemoryState } from "@loci/api-web";
import { readScope } from "../../text/scopes.ts";
import { type MemoryFilter, orders } from "./memory-filter.ts";

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

/** The list that an address asks for. Undefined: its scope is none. */
export function filterOf(settings: URLSearchParams): MemoryFilter | undefined {
  const chosen = settings.get("scope") ?? "";
  const scope = readScope(chosen);
  if (chosen !== "" && scope === undefined) return undefined;
  const { state } = states.find(({ name }) => name === settings.get("state")) ?? states[0];
  const { order } = orders.find(({ name }) => name === settings.get("order")) ?? orders[0];
  return { scope, state, category: settings.get("category") ?? "", find: settings.get("find") ?? "", order };
}
