import type { AgentInputItem, Session, SessionHistoryTransactionArgs } from "@openai/agents-core";
import { withoutRecalledBlocks } from "./recalled-in-items.ts";

type Method = (...given: unknown[]) => unknown;

/**
 * Any session of the SDK, which is given what was said without what was recalled for it: the SDK keeps messages as
 * `lociInputFilter` has changed them. A {@link LociSession} sees to that itself.
 */
export function withoutRecalledHistory<Kept extends Session>(session: Kept): Kept {
  return new Proxy(session, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      const method = value as Method;
      const clean = Object.hasOwn(cleanFirst, name) ? cleanFirst[name as keyof typeof cleanFirst] : undefined;
      if (clean === undefined) return method.bind(target);
      return (given: never, ...others: unknown[]) => method.call(target, clean(given), ...others);
    },
  });
}

/** Methods whose first argument has items in it. */
const cleanFirst = {
  addItems: cleanItems,
  addItemsWithCompactionOwnership: cleanItems,
  replaceHistoryWithCompaction: cleanItems,
  prepareHistoryItemsForPersistenceComparison: cleanItems,
  applyHistoryTransaction: cleanTransaction,
} satisfies Readonly<Record<string, (given: never) => unknown>>;

function cleanItems(items: AgentInputItem[]): AgentInputItem[] {
  return withoutRecalledBlocks(items);
}

function cleanTransaction({ operationId, transaction }: SessionHistoryTransactionArgs): SessionHistoryTransactionArgs {
  const clean =
    transaction.type === "append_items"
      ? { ...transaction, items: cleanItems(transaction.items) }
      : {
          ...transaction,
          expectedSuffix: cleanItems(transaction.expectedSuffix),
          replacement: cleanItems(transaction.replacement),
        };
  return { operationId, transaction: clean };
}
