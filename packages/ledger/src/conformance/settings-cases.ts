import { deepEqual, equal } from "node:assert/strict";
import type { TenantId } from "@loci/domain";
import type { LedgerCaseFile } from "./ledger-context.ts";

/** Small durable values. */
export const settingsCases: LedgerCaseFile = {
  covers: ["settings.compareAndSet", "settings.get", "settings.list", "settings.set"],
  cases: [
    {
      method: "settings.get",
      name: "gives what was set last, for each tenant and the deployment by itself",
      run: async ({ ledger: { settings }, tenant }) => {
        const other = `${tenant}'` as TenantId;
        const name = `get ${tenant}`;
        equal(await settings.get(tenant, name), undefined);
        await settings.set(tenant, name, "a");
        await settings.set(tenant, name, '{"b": "é\u{1f600}"}');
        await settings.set(undefined, name, "of the deployment");
        equal(await settings.get(tenant, name), '{"b": "é\u{1f600}"}');
        equal(await settings.get(undefined, name), "of the deployment");
        equal(await settings.get(other, name), undefined);
        equal(await settings.get(tenant, `${name} `), undefined);
      },
    },
    {
      method: "settings.set",
      name: "removes a value, and keeps the others",
      run: async ({ ledger: { settings }, tenant }) => {
        await settings.set(tenant, "a", "1");
        await settings.set(tenant, "b", "");
        await settings.set(tenant, "a", undefined);
        await settings.set(tenant, "never there", undefined);
        equal(await settings.get(tenant, "a"), undefined);
        equal(await settings.get(tenant, "b"), "");
      },
    },
    {
      method: "settings.set",
      name: "is durable, and makes no change in the log",
      run: async (context) => {
        await context.withFresh(async ({ ledger, reopen }) => {
          await ledger.settings.set(context.tenant, "kept", "value");
          equal(await ledger.head(context.tenant), 0);
          await ledger.close();
          equal(await (await reopen()).settings.get(context.tenant, "kept"), "value");
        });
      },
    },
    {
      method: "settings.compareAndSet",
      name: "sets what is as expected, and nothing else",
      run: async ({ ledger: { settings }, tenant }) => {
        for (const owner of [tenant, undefined]) {
          const name = `compared ${tenant}`;
          equal(await settings.compareAndSet(owner, name, "a", "b"), false);
          equal(await settings.get(owner, name), undefined);
          equal(await settings.compareAndSet(owner, name, undefined, "a"), true);
          equal(await settings.compareAndSet(owner, name, undefined, "b"), false);
          equal(await settings.compareAndSet(owner, name, "A", "b"), false);
          equal(await settings.get(owner, name), "a");
          equal(await settings.compareAndSet(owner, name, "a", "b"), true);
          equal(await settings.compareAndSet(owner, name, "b", "b"), true);
          equal(await settings.get(owner, name), "b");
        }
      },
    },
    {
      method: "settings.compareAndSet",
      name: "lets one of many at once succeed, and loses none that count up",
      run: async ({ ledger: { settings }, tenant }) => {
        const values = Array.from({ length: 20 }, (_, index) => String(index));
        const won = await Promise.all(values.map((value) => settings.compareAndSet(tenant, "first", undefined, value)));
        equal(won.filter(Boolean).length, 1);
        equal(await settings.get(tenant, "first"), String(won.indexOf(true)));
        const countUp = async (): Promise<void> => {
          for (;;) {
            const count = await settings.get(tenant, "count");
            if (await settings.compareAndSet(tenant, "count", count, String(Number(count ?? 0) + 1))) return;
          }
        };
        await Promise.all(values.map(countUp));
        equal(await settings.get(tenant, "count"), "20");
      },
    },
    {
      method: "settings.list",
      name: "gives those that begin so, by name, whatever the characters",
      run: async ({ ledger: { settings }, tenant }) => {
        for (const name of ["job:b", "job:a", "job", "jobs", "job:%", "job_a", "JOB:c", "zoo"])
          await settings.set(tenant, name, name);
        deepEqual(
          [...(await settings.list(tenant, "job:"))],
          ["job:%", "job:a", "job:b"].map((name) => [name, name]),
        );
        deepEqual([...(await settings.list(tenant, "job_")).keys()], ["job_a"]);
        deepEqual([...(await settings.list(tenant, "none")).keys()], []);
        equal((await settings.list(tenant, "")).size, 8);
      },
    },
  ],
};
