import { MemoryState } from "@loci/api-web";
import { whereProblem } from "../../parts/where-field.tsx";
import { readScope } from "../../text/scopes.ts";
import { whereFilter } from "../../text/where-filter.ts";
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

/** The list that an address asks for. Undefined: its scope is none, or what it wants of fields makes no sense. */
export function filterOf(settings: URLSearchParams): MemoryFilter | undefined {
  const chosen = settings.get("scope") ?? "";
  const scope = readScope(chosen);
  const where = settings.get("where") ?? "";
  if ((chosen !== "" && scope === undefined) || whereProblem(where) !== undefined) return undefined;
  const { state } = states.find(({ name }) => name === settings.get("state")) ?? states[0];
  const { order } = orders.find(({ name }) => name === settings.get("order")) ?? orders[0];
  const [category, find] = [settings.get("category") ?? "", settings.get("find") ?? ""];
  return { scope, state, category, find, where: whereFilter(where), order };
}
