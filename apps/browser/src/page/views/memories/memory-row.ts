import { type Memory, MemoryState } from "@loci/api-web";
import { scopeText } from "../../text/scopes.ts";
import { shownText } from "../../text/shown-parts.ts";
import { millisecondsOf } from "../../text/times.ts";

/** What a row shows of a memory. Small: there may be hundreds of thousands. */
export interface MemoryRow {
  readonly id: string;
  readonly category: string;
  readonly text: string;
  readonly scope: string;
  readonly importance: number;
  readonly uses: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Undefined: never. */
  readonly usedAt: number | undefined;
  readonly state: MemoryState;
}

/** Nothing is as wide. */
const mostShown = 240;

export function memoryRow(memory: Memory): MemoryRow {
  const { id, category = "fact", text, scope, importance = 0, usage, createTime, updateTime, state } = memory;
  return {
    id,
    category: shownText(category),
    text: shownText(text.slice(0, mostShown).toWellFormed().replaceAll(/\s+/g, " ").trim()),
    scope: shownText(scopeText(scope)),
    importance,
    uses: Number(usage?.accessCount ?? 0),
    createdAt: createTime === undefined ? 0 : millisecondsOf(createTime),
    updatedAt: updateTime === undefined ? 0 : millisecondsOf(updateTime),
    usedAt: usage?.lastAccessTime === undefined ? undefined : millisecondsOf(usage.lastAccessTime),
    state,
  };
}

/** The row of what cannot be read any more: it was erased, or is not for the server's key. */
export function missingRow(id: string): MemoryRow {
  return {
    id,
    category: "",
    text: "",
    scope: "",
    importance: 0,
    uses: 0,
    createdAt: 0,
    updatedAt: 0,
    usedAt: undefined,
    state: MemoryState.DELETED,
  };
}
