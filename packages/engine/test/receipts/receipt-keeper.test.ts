import { setTimeout as pause } from "node:timers/promises";
import { type AssembledContext, type Principal, tenantId } from "@loci/domain";
import type { ListedReceipt, NewReceipt, ReceiptTable, StoredReceipt } from "@loci/ledger";
import { expect, test } from "vitest";
import { keptMilliseconds } from "../../src/receipts/kept-receipts-options.ts";
import { ReceiptKeeper } from "../../src/receipts/receipt-keeper.ts";

const tenant = tenantId("acme");
const principal: Principal = { tenant, subject: "tester", roles: ["read"], scopePatterns: ["*"] };
const assembledWith = { principal, scopes: [], session: undefined, considered: [] };
const context = {
  receipt: { layout: "memoryBlocks", items: [], stablePrefixHash: "0" },
  sections: [],
  usage: { totalTokens: 1 },
  cache: { stablePrefixTokens: 0 },
} as unknown as AssembledContext;

/** A table whose writes are held up or refused as a test says. */
class HeldTable implements ReceiptTable {
  readonly written: NewReceipt[] = [];
  refuses = 0;
  held: Promise<void> | undefined;

  async record(_: string, receipts: readonly NewReceipt[]): Promise<void> {
    await this.held;
    if (this.refuses-- > 0) throw new Error("The disk is full.");
    this.written.push(...receipts);
  }

  async list(): Promise<readonly ListedReceipt[]> {
    return this.written;
  }

  async get(): Promise<StoredReceipt | undefined> {
    return undefined;
  }
}

function keeperOn(receipts: HeldTable, keepMilliseconds = 60_000): { keeper: ReceiptKeeper; problems: string[] } {
  const problems: string[] = [];
  const reportProblem = (error: unknown): void => void problems.push(error instanceof Error ? error.message : "");
  return {
    keeper: new ReceiptKeeper({ ledger: { receipts }, clock: Date.now, keepMilliseconds, reportProblem }),
    problems,
  };
}

test("receipts are written by themselves, in the order in which they came", async () => {
  const table = new HeldTable();
  const { keeper } = keeperOn(table);
  const ids = Array.from({ length: 40 }, () => keeper.keep(context, assembledWith));
  expect(table.written).toEqual([]);
  for (let wait = 0; wait < 100 && table.written.length < ids.length; wait++) await pause(100);
  expect(table.written.map(({ id }) => id)).toEqual(ids);
  expect(table.written.every(({ keepMilliseconds }) => keepMilliseconds === 60_000)).toBe(true);
  await keeper.close();
});

test("what comes on top of a full queue is dropped, and told", async () => {
  const table = new HeldTable();
  const { keeper, problems } = keeperOn(table);
  let release = (): void => undefined;
  table.held = new Promise((resolve) => (release = resolve));
  const ids = Array.from({ length: 1_010 }, () => keeper.keep(context, assembledWith));
  expect(ids.filter((id) => id === undefined)).toHaveLength(10);
  const flushing = keeper.flush();
  release();
  await flushing;
  expect(table.written.map(({ id }) => id)).toEqual(ids.slice(0, 1_000));
  expect(problems).toEqual(["10 receipts of contexts were not kept: the ledger took them too slowly, or not at all."]);
  // There is room again.
  expect(keeper.keep(context, assembledWith)).toBeDefined();
  await keeper.close();
  expect(table.written).toHaveLength(1_001);
});

test("what the ledger refuses is tried again, and given up in the end", async () => {
  const table = new HeldTable();
  const { keeper, problems } = keeperOn(table);
  table.refuses = 2;
  keeper.keep(context, assembledWith);
  for (let attempt = 0; attempt < 3; attempt++) await keeper.flush();
  expect(table.written).toHaveLength(1);
  expect(problems).toEqual(["The disk is full.", "The disk is full."]);
  table.refuses = 5;
  keeper.keep(context, assembledWith);
  for (let attempt = 0; attempt < 5; attempt++) await keeper.flush();
  expect(problems.at(-1)).toMatch(/^1 receipts of contexts were not kept/);
  keeper.keep(context, assembledWith);
  await keeper.close();
  expect(table.written).toHaveLength(2);
});

test("where none are kept nothing waits", async () => {
  const table = new HeldTable();
  const { keeper } = keeperOn(table, 0);
  expect(keeper.keep(context, assembledWith)).toBeUndefined();
  await keeper.close();
  expect(table.written).toEqual([]);
});

test.each([59_999, 60_000.5, -1, Number.NaN, 30 * 86_400_000 + 1, "1d", undefined])(
  "a time of %s is refused",
  (keepMilliseconds) => {
    expect(() => keptMilliseconds({ keepMilliseconds: keepMilliseconds as number })).toThrow(
      /receipts\.keepMilliseconds is .*, but must be a whole number from 60000 to 2592000000/,
    );
  },
);

test("a misspelt option is refused", () => {
  expect(() => keptMilliseconds({ keepMillisecond: 60_000 } as never)).toThrow(/Did you mean keepMilliseconds/);
  expect(keptMilliseconds(undefined)).toBe(0);
  expect(keptMilliseconds({ keepMilliseconds: 86_400_000 })).toBe(86_400_000);
});
