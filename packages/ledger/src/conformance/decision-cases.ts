import { deepEqual, equal } from "node:assert/strict";
import type { TenantId } from "@loci/domain";
import type { Decision } from "../index.ts";
import { authorOf, expectRefusal, type LedgerCaseFile } from "./ledger-context.ts";
import { refNumber, removed, sampleMemory, written } from "./samples.ts";

const byExpire = { author: { subject: "local", activity: "expire" }, reason: "EXPIRED" };
const decided = (number: number, reason = "EXPIRED"): Decision => ({
  ref: refNumber(number),
  reason,
  details: { number: String(number), "é\u{1f600}": "'" },
});

/** What was decided about memories. */
export const decisionCases: LedgerCaseFile = {
  covers: ["decisions", "purge"],
  cases: [
    {
      method: "decisions",
      name: "gives the latest of each activity about each memory, in its tenant",
      run: async (context) => {
        const { ledger, tenant } = context;
        const other = `${tenant}'` as TenantId;
        await context.remember(sampleMemory(1), sampleMemory(2), sampleMemory(3));
        await context.commit([written(sampleMemory(1))], authorOf(other));
        await context.commit([removed(refNumber(1), 2)], { ...byExpire, decisions: [decided(1, "FIRST"), decided(2)] });
        await context.commit([], { ...byExpire, decisions: [decided(1)] });
        await context.commit([], { author: { activity: "prune" }, decisions: [decided(1, "DORMANT")] });
        const refs = [1, 2, 3, 99].map(refNumber);
        deepEqual(
          await ledger.decisions(tenant, "expire", refs),
          new Map([1, 2].map((number) => [refNumber(number), decided(number)])),
        );
        deepEqual([...(await ledger.decisions(tenant, "prune", refs)).values()], [decided(1, "DORMANT")]);
        equal((await ledger.decisions(tenant, "reweigh", refs)).size, 0);
        equal((await ledger.decisions(other, "expire", refs)).size, 0);
        deepEqual([...(await ledger.decisions(tenant, "expire", [refNumber(2)])).keys()], [refNumber(2)]);
      },
    },
    {
      method: "decisions",
      name: "knows nothing of what was not committed",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.remember(sampleMemory(1));
        const late = { ...byExpire, expect: [{ ref: refNumber(1), version: 0 }], decisions: [decided(1)] };
        await expectRefusal(() => context.commit([removed(refNumber(1), 2)], late), "VERSION_CONFLICT");
        equal((await ledger.decisions(tenant, "expire", [refNumber(1)])).size, 0);
        const again = { ...byExpire, idempotency: { method: "m", requestId: "r", bodyHash: "b" } };
        await context.commit([removed(refNumber(1), 2)], { ...again, decisions: [decided(1)] });
        await context.commit([], { ...again, decisions: [decided(1, "OTHER")] });
        deepEqual([...(await ledger.decisions(tenant, "expire", [refNumber(1)])).values()], [decided(1)]);
      },
    },
    {
      method: "purge",
      name: "takes what was decided along, and lets nothing be decided afterwards",
      run: async (context) => {
        const { ledger, tenant } = context;
        await context.remember(sampleMemory(1), sampleMemory(2));
        await context.commit([], { ...byExpire, decisions: [decided(1), decided(2)] });
        await ledger.purge(tenant, { refs: [refNumber(1)] });
        const refs = [1, 2].map(refNumber);
        deepEqual([...(await ledger.decisions(tenant, "expire", refs)).keys()], [refNumber(2)]);
        await expectRefusal(() => context.commit([], { ...byExpire, decisions: [decided(1)] }), "MEMORY_ERASED");
        await ledger.purge(tenant, { scopes: [{ kind: "user", id: "alice" }] });
        equal((await ledger.decisions(tenant, "expire", refs)).size, 0);
      },
    },
  ],
};
