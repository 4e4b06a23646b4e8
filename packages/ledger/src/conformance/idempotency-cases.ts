import { deepEqual, equal } from "node:assert/strict";
import type { Idempotency } from "../index.ts";
import { expectRefusal, type LedgerCaseFile, authorOf } from "./ledger-context.ts";
import { dayMilliseconds, refNumber, sampleMemory, written } from "./samples.ts";

const request: Idempotency = { method: "remember", requestId: "request 1", bodyHash: "body a" };

/** Batches that may be repeated. */
export const idempotencyCases: LedgerCaseFile = {
  covers: ["answered", "commit"],
  cases: [
    {
      method: "commit",
      name: "answers a repeated request with the first results and writes nothing",
      run: async (context) => {
        const first = await context.commit([written(sampleMemory(1))], { idempotency: request });
        await context.remember(sampleMemory(5));
        // A repetition makes up other ids, and its expectations may not hold any more.
        const expect = [{ ref: refNumber(5), version: 0 }];
        const again = await context.commit([written(sampleMemory(2))], { idempotency: request, expect });
        deepEqual(again, { ...first, replayed: true });
        equal(await context.ledger.head(context.tenant), 2);
      },
    },
    {
      method: "commit",
      name: "writes one row for one key used ten times at once",
      run: async (context) => {
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            context.commit([written(sampleMemory(index + 1))], { idempotency: request }),
          ),
        );
        equal(answers.filter(({ replayed }) => !replayed).length, 1);
        equal(new Set(answers.map(({ results }) => results[0]?.ref)).size, 1);
        equal(await context.ledger.head(context.tenant), 1);
      },
    },
    {
      method: "commit",
      name: "refuses a key that was used with another body",
      run: async (context) => {
        await context.commit([written(sampleMemory(1))], { idempotency: request });
        const other = { ...request, bodyHash: "body b" };
        await expectRefusal(
          () => context.commit([written(sampleMemory(2))], { idempotency: other }),
          "REQUEST_ID_REUSED",
        );
        equal(await context.ledger.head(context.tenant), 1);
      },
    },
    {
      method: "commit",
      name: "keeps the keys of tenants, subjects and methods apart",
      run: async (context) => {
        const tenants = [context.tenant, `${context.tenant}!` as typeof context.tenant];
        for (const tenant of tenants) {
          let head = 0;
          for (const subject of ["local", "local "])
            for (const method of ["remember", "Remember"]) {
              const committed = await context.commit([written(sampleMemory(++head))], {
                ...authorOf(tenant, subject),
                idempotency: { ...request, method },
              });
              deepEqual([committed.replayed, committed.sequence], [false, head]);
            }
        }
      },
    },
    {
      method: "commit",
      name: "does not remember a request that failed",
      run: async (context) => {
        const wrong = [written(sampleMemory(1, { version: 2 }))];
        await expectRefusal(() => context.commit(wrong, { idempotency: request }), "VERSION_CONFLICT");
        const committed = await context.commit([written(sampleMemory(1))], { idempotency: request });
        equal(committed.replayed, false);
      },
    },
    {
      method: "commit",
      name: "knows a request for 7 days and then no more",
      run: async (context) => {
        const first = await context.commit([written(sampleMemory(1))], { idempotency: request });
        context.clock.now += 7 * dayMilliseconds - 1;
        const again = await context.commit([written(sampleMemory(2))], { idempotency: request });
        deepEqual(again, { ...first, replayed: true });
        context.clock.now += 1;
        const anew = { ...request, bodyHash: "body b" };
        const later = await context.commit([written(sampleMemory(2))], { idempotency: anew });
        deepEqual([later.replayed, later.sequence], [false, 2]);
        equal((await context.commit([written(sampleMemory(3))], { idempotency: anew })).replayed, true);
      },
    },
    {
      method: "answered",
      name: "gives what commit would, without carrying out anything",
      run: async (context) => {
        const { ledger, tenant } = context;
        const asked = { subject: "local", ...request };
        equal(await ledger.answered(tenant, asked), undefined);
        const first = await context.commit([written(sampleMemory(1))], { idempotency: request });
        deepEqual(await ledger.answered(tenant, asked), { ...first, replayed: true });
        await expectRefusal(() => ledger.answered(tenant, { ...asked, bodyHash: "body b" }), "REQUEST_ID_REUSED");
        for (const other of [{ subject: "local " }, { method: "Remember" }, { requestId: "request" }])
          equal(await ledger.answered(tenant, { ...asked, ...other }), undefined);
        equal(await ledger.answered(`${tenant} ` as typeof tenant, asked), undefined);
        equal(await ledger.head(tenant), 1);
      },
    },
    {
      method: "answered",
      name: "knows a request for 7 days, and that what it stored was purged",
      run: async (context) => {
        const { ledger, tenant, clock } = context;
        const asked = { subject: "local", ...request };
        await context.commit([written(sampleMemory(1))], { idempotency: request });
        clock.now += 7 * dayMilliseconds;
        equal(await ledger.answered(tenant, asked), undefined);
        await context.commit([written(sampleMemory(2))], { idempotency: request });
        await ledger.purge(tenant, { refs: [refNumber(2)] });
        await expectRefusal(() => ledger.answered(tenant, asked), "MEMORY_ERASED");
        clock.now += 7 * dayMilliseconds;
        equal(await ledger.answered(tenant, asked), undefined);
      },
    },
  ],
};
