import { deepEqual, equal } from "node:assert/strict";
import type { TenantId } from "@loci/domain";
import type { Idempotency } from "../index.ts";
import { expectRefusal, type LedgerCaseFile } from "./ledger-context.ts";

export const sampleUsage = { model: "model a", inputTokens: 100, cachedInputTokens: 40, outputTokens: 7 };
const once = { ...sampleUsage, calls: 1 };

export const modelUsageCases: LedgerCaseFile = {
  covers: ["commit", "modelUsage.add", "modelUsage.read"],
  cases: [
    {
      method: "modelUsage.add",
      name: "adds to the account of the tenant and of the session, by model",
      run: async ({ ledger: { modelUsage }, tenant }) => {
        await modelUsage.add(tenant, { ...sampleUsage, session: "one" });
        await modelUsage.add(tenant, { ...sampleUsage, session: "one" });
        await modelUsage.add(tenant, { ...sampleUsage, model: "Model A", session: "two" });
        await modelUsage.add(tenant, sampleUsage);
        const twice = { ...once, calls: 2, inputTokens: 200, cachedInputTokens: 80, outputTokens: 14 };
        const other = { ...once, model: "Model A" };
        deepEqual(await modelUsage.read(tenant, "one"), [twice]);
        deepEqual(await modelUsage.read(tenant, "two"), [other]);
        deepEqual(await modelUsage.read(tenant), [
          other,
          { ...once, calls: 3, inputTokens: 300, cachedInputTokens: 120, outputTokens: 21 },
        ]);
      },
    },
    {
      method: "modelUsage.add",
      name: "loses no call of many at once, and counts far beyond 32 bits",
      run: async ({ ledger: { modelUsage }, tenant }) => {
        const large = { ...sampleUsage, inputTokens: 2 ** 40 };
        await Promise.all(Array.from({ length: 100 }, () => modelUsage.add(tenant, large)));
        deepEqual(await modelUsage.read(tenant), [
          { ...once, calls: 100, inputTokens: 100 * 2 ** 40, cachedInputTokens: 4000, outputTokens: 700 },
        ]);
      },
    },
    {
      method: "modelUsage.add",
      name: "keeps sums at the largest safe integer, and goes on",
      run: async ({ ledger: { modelUsage }, tenant }) => {
        const most = Number.MAX_SAFE_INTEGER;
        const largest = { ...sampleUsage, inputTokens: most, cachedInputTokens: most, outputTokens: most };
        for (let calls = 1; calls <= 3; calls++) {
          await modelUsage.add(tenant, largest);
          deepEqual(await modelUsage.read(tenant), [{ ...largest, calls }]);
        }
        await modelUsage.add(tenant, sampleUsage);
        deepEqual(await modelUsage.read(tenant), [{ ...largest, calls: 4 }]);
      },
    },
    {
      method: "commit",
      name: "counts what a model call used once for each idempotency key, and not when the key is refused",
      run: async (context) => {
        const { ledger, tenant } = context;
        const idempotency: Idempotency = { method: "recordUsage", requestId: "call 1", bodyHash: "body a" };
        const modelUsage = { ...sampleUsage, session: "one" };
        const answers = await Promise.all(
          Array.from({ length: 10 }, () => context.commit([], { idempotency, modelUsage })),
        );
        equal(answers.filter(({ replayed }) => !replayed).length, 1);
        await expectRefusal(
          () => context.commit([], { idempotency: { ...idempotency, bodyHash: "body b" }, modelUsage }),
          "REQUEST_ID_REUSED",
        );
        await context.commit([], { idempotency: { ...idempotency, requestId: "call 2" }, modelUsage: sampleUsage });
        deepEqual(await ledger.modelUsage.read(tenant, "one"), [once]);
        deepEqual(await ledger.modelUsage.read(tenant), [
          { ...once, calls: 2, inputTokens: 200, cachedInputTokens: 80, outputTokens: 14 },
        ]);
        // It is no change: nothing of it is in the log.
        equal(await ledger.head(tenant), 0);
      },
    },
    {
      method: "modelUsage.read",
      name: "knows nothing of sessions without calls, nor of another tenant's",
      run: async ({ ledger: { modelUsage }, tenant }) => {
        const other = `${tenant}:other` as TenantId;
        await modelUsage.add(tenant, { ...sampleUsage, session: "one" });
        deepEqual(await modelUsage.read(tenant, "One"), []);
        deepEqual(await modelUsage.read(other), []);
        deepEqual(await modelUsage.read(other, "one"), []);
        deepEqual(await modelUsage.read("never seen" as TenantId, "one"), []);
      },
    },
  ],
};
