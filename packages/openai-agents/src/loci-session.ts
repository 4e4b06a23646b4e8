import { checkIdentifier, type Loci, LociError, parseScope, type Scope, type ScopeInput } from "@loci/domain";
import {
  type AgentInputItem,
  applySessionHistoryMutations,
  type SessionHistoryRewriteArgs,
  type SessionHistoryRewriteAwareSession,
  type SessionHistoryTransaction,
  type SessionHistoryTransactionArgs,
  type SessionHistoryTransactionAwareSession,
} from "@openai/agents-core";
import type { AppliedOperation, History } from "./history.ts";
import { type HistoryChange, HistoryLog } from "./history-log.ts";
import { withoutRecalledBlocks } from "./recalled-in-items.ts";
import { sameButForSecrets } from "./same-but-for-secrets.ts";

/** What a {@link LociSession} is made of. */
export interface LociSessionOptions {
  readonly loci: Loci;
  /** Whose conversation it is. */
  readonly scope: ScopeInput;
  /** Names the conversation in that scope, 1 to 173 bytes. */
  readonly id: string;
  /**
   * Whether items come back with the secrets in them. Default false: each stands there as `[redacted: card]`. A session that is
   * there already stays as it was begun.
   */
  readonly keepSecrets?: boolean | undefined;
}

/**
 * The history of a conversation, in Loci: the agents' SDK reads it before a run and writes to it what a run added, item by item
 * as they are.
 *
 * It stands in a Loci session of its own, whose turns say what was added and what was removed: `popItem` and `clearSession`
 * lose nothing. Nothing is learnt of it: memories are made of what `captureRuns` keeps.
 */
export class LociSession implements SessionHistoryRewriteAwareSession, SessionHistoryTransactionAwareSession {
  /** The Loci session that has the history: to look at it, or to delete it. */
  readonly key: { readonly scope: Scope; readonly id: string };
  readonly #id: string;
  readonly #log: HistoryLog;

  /** @throws LociError `INVALID_SCOPE`, `INVALID_IDENTIFIER` */
  constructor({ loci, scope, id, keepSecrets = false }: LociSessionOptions) {
    this.#id = checkIdentifier(id, "id");
    this.key = { scope: parseScope(scope), id: `${id}:openai-agents` };
    this.#log = new HistoryLog(loci, this.key, keepSecrets);
  }

  async getSessionId(): Promise<string> {
    return this.#id;
  }

  /** @param limit the newest so many. Default all */
  async getItems(limit?: number): Promise<AgentInputItem[]> {
    const { items } = await this.#log.read();
    return items.slice(limit === undefined ? 0 : Math.max(0, items.length - Math.max(0, limit)));
  }

  async addItems(items: AgentInputItem[]): Promise<void> {
    if (items.length > 0) await this.#log.add(withoutRecalledBlocks(items));
  }

  async popItem(): Promise<AgentInputItem | undefined> {
    const [popped] = await this.#log.change(
      ({ items }) => (items.length === 0 ? undefined : { removed: 1, items: [] }),
      "popItem",
    );
    return popped;
  }

  async clearSession(): Promise<void> {
    await this.#log.change(({ items, operations }) =>
      items.length + operations.size === 0 ? undefined : { removed: "all", items: [] },
    );
  }

  /** Puts a summary of the history in its place, in one step. */
  async replaceHistoryWithCompaction(items: AgentInputItem[]): Promise<void> {
    await this.#log.change(() => ({ removed: "all", items: withoutRecalledBlocks(items) }));
  }

  async applyHistoryMutations({ mutations }: SessionHistoryRewriteArgs): Promise<void> {
    if (mutations.length === 0) return;
    await this.#log.change(({ items }) => {
      const changed = applySessionHistoryMutations([...items], mutations);
      const same = changed.findIndex((item, index) => !sameButForSecrets(items[index], item));
      if (same === -1) return changed.length === items.length ? undefined : removedFrom(items, changed.length);
      return { removed: items.length - same, items: changed.slice(same) };
    });
  }

  /**
   * Changes the history once, however often it is asked for under one name.
   *
   * @throws LociError `REQUEST_ID_REUSED` for another transaction under that name; `VERSION_CONFLICT` when the history does not
   *   end with the suffix. The history is then as it was
   */
  async applyHistoryTransaction({ operationId, transaction }: SessionHistoryTransactionArgs): Promise<void> {
    const asked = stepsOf(transaction);
    const { type, removed, added } = asked;
    await this.#log.change(({ items, operations }): HistoryChange | undefined => {
      const applied = operations.get(operationId);
      if (applied !== undefined) {
        if (sameButForSecrets(applied, asked)) return undefined;
        throw operationReused(operationId);
      }
      if (!endsWith(items, removed)) throw suffixChanged(removed.length);
      return { removed: removed.length, items: added, operation: { id: operationId, type } };
    });
  }

  /** The SDK compares what it was going to keep with what is kept. */
  prepareHistoryItemsForPersistenceComparison(items: AgentInputItem[]): AgentInputItem[] {
    return withoutRecalledBlocks(items);
  }
}

function stepsOf(transaction: SessionHistoryTransaction): AppliedOperation {
  const given = transaction.type === "append_items" ? [] : transaction.expectedSuffix;
  const then = transaction.type === "append_items" ? transaction.items : transaction.replacement;
  return { type: transaction.type, removed: withoutRecalledBlocks(given), added: withoutRecalledBlocks(then) };
}

function endsWith(items: History["items"], suffix: readonly AgentInputItem[]): boolean {
  const start = items.length - suffix.length;
  return start >= 0 && sameButForSecrets(items.slice(start), suffix);
}

function removedFrom(items: History["items"], length: number): HistoryChange {
  return { removed: items.length - length, items: [] };
}

function operationReused(operation: string): LociError {
  return new LociError("REQUEST_ID_REUSED", {
    message: "The operation id was used for another change of this history. Nothing was changed.",
    field: "operationId",
    resource: operation,
    advice: "Use a new operation id for each change; repeat one only with the same transaction.",
  });
}

function suffixChanged(length: number): LociError {
  return new LociError("VERSION_CONFLICT", {
    message: `The history does not end with the ${length} items that were to be replaced. Nothing was changed.`,
    field: "transaction.expectedSuffix",
    advice: "Read the history again: somebody else has changed it.",
  });
}
