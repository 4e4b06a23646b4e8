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
  /** The ids of the changes. */
  readonly changes: ReadonlySet<string>;
}

/** @param records oldest first */
export function historyOf(records: readonly HistoryRecord[]): History {
  let items: AgentInputItem[] = [];
  let operations = new Map<string, AppliedOperation>();
  const changes = new Set<string>();
  for (const { id, removed, items: added, operation } of records) {
    if (removed === "all") operations = new Map();
    const kept = removed === "all" ? 0 : Math.max(0, items.length - removed);
    if (operation !== undefined)
      operations.set(operation.id, { type: operation.type, removed: items.slice(kept), added });
    items = removed === 0 ? items : items.slice(0, kept);
    items.push(...added);
    changes.add(id);
  }
  return { items, operations, changes };
}
