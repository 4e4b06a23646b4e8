import type { AgentInputItem } from "@openai/agents-core";
import type { HistoryOperation, HistoryRecord } from "./history-record.ts";

/** What a transaction did. */
export interface AppliedOperation {
  readonly type: HistoryOperation["type"];
  readonly removed: readonly AgentInputItem[];
  readonly added: readonly AgentInputItem[];
}

/** A history as all changes since it was last cleared made it. */
export interface History {
  readonly items: readonly AgentInputItem[];
  /** The transactions among the changes. */
  readonly operations: ReadonlyMap<string, AppliedOperation>;
  /** What each of the changes removed, by its id. */
  readonly changes: ReadonlyMap<string, readonly AgentInputItem[]>;
}

/** @param records oldest first */
export function historyOf(records: readonly HistoryRecord[]): History {
  let items: AgentInputItem[] = [];
  let operations = new Map<string, AppliedOperation>();
  const changes = new Map<string, readonly AgentInputItem[]>();
  for (const { id, removed: count, items: added, operation } of records) {
    const kept = count === "all" ? 0 : Math.max(0, items.length - count);
    const removed = items.slice(kept);
    if (count === "all") operations = new Map();
    if (operation !== undefined) operations.set(operation.id, { type: operation.type, removed, added });
    changes.set(id, removed);
    items = removed.length === 0 ? items : items.slice(0, kept);
    items.push(...added);
  }
  return { items, operations, changes };
}
