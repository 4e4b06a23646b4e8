import { deepEqual, equal, ok } from "node:assert/strict";
import type { TenantId } from "@loci/domain";
import { type ClaimedJob, mostEndedJobs, type NewJob, type StoredJob } from "../index.ts";
import { expectRefusal, type LedgerCaseFile, type LedgerContext } from "./ledger-context.ts";
import { beginning, sampleMemory } from "./samples.ts";

const hour = 3_600_000;

/** Of a kind of the case's own: cases share a ledger. */
function jobOf(context: LedgerContext, id: string, changes: Partial<NewJob> = {}): NewJob {
  return { id, kind: `kind ${context.tenant}`, request: `do ${id}`, keepMilliseconds: hour, ...changes };
}

async function claim(context: LedgerContext, worker = "worker", leaseMilliseconds = 1_000): Promise<ClaimedJob> {
  const claimed = await context.ledger.jobs.claim({ kinds: [jobOf(context, "").kind], worker, leaseMilliseconds });
  ok(claimed, "no job was given");
  return claimed;
}

async function claimNothing(context: LedgerContext): Promise<void> {
  const { kind } = jobOf(context, "");
  equal(await context.ledger.jobs.claim({ kinds: [kind], worker: "w", leaseMilliseconds: 1_000 }), undefined);
}

/** Enqueues a job, and takes it. */
async function running(context: LedgerContext, id = "a"): Promise<ClaimedJob> {
  await context.ledger.jobs.enqueue(context.tenant, jobOf(context, id));
  return claim(context);
}

function idsOf(jobs: readonly StoredJob[]): readonly string[] {
  return jobs.map(({ id }) => id);
}

/** Durable work. */
export const jobCases: LedgerCaseFile = {
  covers: [
    "jobs.cancel",
    "jobs.claim",
    "jobs.enqueue",
    "jobs.finish",
    "jobs.get",
    "jobs.list",
    "jobs.renew",
    "jobs.unfinished",
    "jobs.counts",
  ],
  cases: [
    {
      method: "jobs.enqueue",
      name: "adds a job that is due; the same id is the same job, whatever became of it",
      run: async (context) => {
        const { ledger, tenant, clock } = context;
        const job = jobOf(context, "a", { request: '{"text": "é\u{1f600}"}' });
        const expected: StoredJob = {
          tenant,
          id: "a",
          kind: job.kind,
          state: "queued",
          request: job.request,
          attempts: 0,
          createdAt: beginning,
          dueAt: beginning,
          cancelRequested: false,
        };
        deepEqual(await ledger.jobs.enqueue(tenant, job), expected);
        clock.now += 5;
        deepEqual(await ledger.jobs.enqueue(tenant, { ...job, request: "other" }), expected);
        const { lease } = await claim(context);
        const ended = await ledger.jobs.finish(lease, { state: "succeeded", result: "done" });
        deepEqual(await ledger.jobs.enqueue(tenant, job), ended);
        await claimNothing(context);
      },
    },
    {
      method: "jobs.enqueue",
      name: "is durable, makes no change in the log, and a job that was running is taken up after a restart",
      run: async (context) => {
        await context.withFresh(async ({ ledger, reopen }) => {
          const { tenant, clock } = context;
          await ledger.jobs.enqueue(tenant, jobOf(context, "a"));
          await ledger.jobs.enqueue(undefined, jobOf(context, "b", { kind: "other" }));
          const wanted = { kinds: [jobOf(context, "a").kind], leaseMilliseconds: 1_000 };
          equal((await ledger.jobs.claim({ ...wanted, worker: "one" }))?.job.attempts, 1);
          equal(await ledger.head(tenant), 0);
          await ledger.close();
          clock.now += 1_000;
          const reopened = await reopen();
          equal((await reopened.jobs.claim({ ...wanted, worker: "two" }))?.job.attempts, 2);
          equal((await reopened.jobs.get(undefined, "b"))?.state, "queued");
        });
      },
    },
    {
      method: "jobs.enqueue",
      name: "refuses more jobs of a kind that have not ended than it is told, and counts those of others for nothing",
      run: async (context) => {
        const { ledger, tenant } = context;
        const limited = { mostUnfinished: 2 };
        for (const id of ["a", "b", "b"]) await ledger.jobs.enqueue(tenant, jobOf(context, id, limited));
        await expectRefusal(() => ledger.jobs.enqueue(tenant, jobOf(context, "c", limited)), "TOO_MANY_REQUESTS");
        await ledger.jobs.enqueue(tenant, jobOf(context, "c", { ...limited, kind: `other ${tenant}` }));
        await ledger.jobs.enqueue(`${tenant}'` as TenantId, jobOf(context, "c", limited));
        await ledger.jobs.cancel(tenant, "a");
        equal((await ledger.jobs.enqueue(tenant, jobOf(context, "c", limited))).state, "queued");
      },
    },
    {
      method: "jobs.claim",
      name: "gives the job that has been due for longest, whoever's it is, and none twice",
      run: async (context) => {
        const { ledger, tenant, clock } = context;
        const other = `${tenant}'` as TenantId;
        const owners = [tenant, undefined, other];
        for (const [index, owner] of owners.entries()) {
          clock.now = beginning + index;
          await ledger.jobs.enqueue(owner, jobOf(context, `of ${tenant}`));
        }
        for (const [index, owner] of owners.entries()) {
          const { job, lease } = await claim(context, "w", 500);
          deepEqual([job.tenant, job.id, job.state, job.attempts], [owner, `of ${tenant}`, "running", 1]);
          deepEqual(lease, { tenant: owner, id: `of ${tenant}`, worker: "w", attempt: 1 });
          equal(job.createdAt, beginning + index);
          equal(job.dueAt, beginning + 2 + 500);
        }
        await claimNothing(context);
        equal(await ledger.jobs.claim({ kinds: [], worker: "w", leaseMilliseconds: 1 }), undefined);
      },
    },
    {
      method: "jobs.claim",
      name: "gives a job to one of many workers that race for it",
      run: async (context) => {
        const { ledger, tenant } = context;
        const kinds = ["not there", jobOf(context, "").kind];
        for (let number = 0; number < 5; number++) await ledger.jobs.enqueue(tenant, jobOf(context, `${number}`));
        const claimed = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            ledger.jobs.claim({ kinds, worker: `${index}`, leaseMilliseconds: 1_000 }),
          ),
        );
        const given = claimed.filter((one) => one !== undefined);
        // Those who lost a race may have come away with nothing, and ask again.
        for (
          let job = await ledger.jobs.claim({ kinds, worker: "last", leaseMilliseconds: 1_000 });
          job !== undefined;
        ) {
          given.push(job);
          job = await ledger.jobs.claim({ kinds, worker: "last", leaseMilliseconds: 1_000 });
        }
        deepEqual(given.map(({ job }) => job.id).toSorted(), ["0", "1", "2", "3", "4"]);
      },
    },
    {
      method: "jobs.claim",
      name: "gives a job again whose lease has run out, and its former holder may write no more",
      run: async (context) => {
        const { ledger, clock } = context;
        const { lease: first } = await running(context);
        clock.now += 999;
        await claimNothing(context);
        clock.now += 1;
        // Even to the same worker: it is another attempt.
        const { job, lease: second } = await claim(context);
        equal(job.attempts, 2);
        await expectRefusal(() => ledger.jobs.renew(first, 1_000, "late"), "LEASE_LOST");
        await expectRefusal(() => ledger.jobs.finish(first, { state: "succeeded" }), "LEASE_LOST");
        equal((await ledger.jobs.finish(second, { state: "succeeded" })).state, "succeeded");
        await expectRefusal(() => ledger.jobs.finish(second, { state: "dead", error: "e" }), "LEASE_LOST");
      },
    },
    {
      method: "jobs.renew",
      name: "makes the lease last longer, notes progress, and tells that the job is to stop",
      run: async (context) => {
        const { ledger, tenant, clock } = context;
        const { lease } = await running(context);
        clock.now += 900;
        const renewed = await ledger.jobs.renew(lease, 1_000, "half");
        deepEqual([renewed.progress, renewed.dueAt, renewed.cancelRequested], ["half", clock.now + 1_000, false]);
        clock.now += 900;
        await claimNothing(context);
        await ledger.jobs.cancel(tenant, "a");
        const told = await ledger.jobs.renew(lease, 1_000);
        deepEqual([told.state, told.progress, told.cancelRequested], ["running", "half", true]);
        // While nobody else has it, it is still its holder's.
        clock.now += 5_000;
        equal((await ledger.jobs.renew(lease, 1_000, "more")).progress, "more");
        for (const wrong of [{ worker: "other" }, { attempt: 2 }, { id: "b" }, { tenant: undefined }])
          await expectRefusal(() => ledger.jobs.renew({ ...lease, ...wrong }, 1_000, "stolen"), "LEASE_LOST");
        equal((await ledger.jobs.get(tenant, "a"))?.progress, "more");
      },
    },
    {
      method: "jobs.finish",
      name: "puts a job back for a time, with what it failed for, and at last among the dead",
      run: async (context) => {
        const { ledger, tenant, clock } = context;
        let { lease } = await running(context);
        for (const [index, retryInMilliseconds] of [1_000, 10_000].entries()) {
          const error = `failure ${index}`;
          const queued = await ledger.jobs.finish(lease, { state: "queued", error, retryInMilliseconds });
          deepEqual(
            [queued.state, queued.error, queued.dueAt, queued.endedAt],
            ["queued", error, clock.now + retryInMilliseconds, undefined],
          );
          clock.now += retryInMilliseconds - 1;
          await claimNothing(context);
          clock.now += 1;
          const claimed = await claim(context);
          deepEqual([claimed.job.attempts, claimed.job.error], [index + 2, error]);
          ({ lease } = claimed);
        }
        const dead = await ledger.jobs.finish(lease, { state: "dead", error: "for good" });
        deepEqual([dead.state, dead.error, dead.endedAt, dead.dueAt], ["dead", "for good", clock.now, undefined]);
        deepEqual(await ledger.jobs.get(tenant, "a"), dead);
        clock.now += hour - 1;
        await claimNothing(context);
        equal((await ledger.jobs.get(tenant, "a"))?.state, "dead");
      },
    },
    {
      method: "jobs.finish",
      name: "gives a job back without counting the attempt",
      run: async (context) => {
        const { ledger } = context;
        const { lease } = await running(context);
        const back = await ledger.jobs.finish(lease, { state: "queued" });
        deepEqual([back.state, back.attempts, back.error], ["queued", 0, undefined]);
        const again = await claim(context, "another");
        equal(again.job.attempts, 1);
        await expectRefusal(() => ledger.jobs.renew(lease, 1_000), "LEASE_LOST");
      },
    },
    {
      method: "jobs.finish",
      name: "keeps the result of what has succeeded, even if it was to stop, for as long as it is to be kept",
      run: async (context) => {
        const { ledger, tenant, clock } = context;
        const { lease } = await running(context);
        await ledger.jobs.renew(lease, 1_000, "all");
        await ledger.jobs.cancel(tenant, "a");
        clock.now += 3;
        const done = await ledger.jobs.finish(lease, { state: "succeeded", result: '{"n": 1}' });
        deepEqual([done.state, done.result, done.progress, done.endedAt], ["succeeded", '{"n": 1}', "all", clock.now]);
        clock.now += hour - 1;
        deepEqual(await ledger.jobs.get(tenant, "a"), done);
        clock.now += 1;
        equal(await ledger.jobs.get(tenant, "a"), undefined);
        deepEqual(await ledger.jobs.list(tenant, { kind: done.kind, limit: 9 }), []);
        // Then the id is free.
        equal((await ledger.jobs.enqueue(tenant, jobOf(context, "a"))).attempts, 0);
      },
    },
    {
      method: "jobs.enqueue",
      name: "keeps the newest ended jobs of a kind, when there are too many",
      run: async (context) => {
        const { ledger, tenant, clock } = context;
        const ids = Array.from({ length: mostEndedJobs + 3 }, (_, index) => String(index).padStart(5, "0"));
        for (const id of ids) {
          clock.now += 1;
          await ledger.jobs.enqueue(tenant, jobOf(context, id));
          await ledger.jobs.cancel(tenant, id);
        }
        await ledger.jobs.enqueue(tenant, jobOf(context, "waiting"));
        const { kind } = jobOf(context, "");
        const listed = idsOf(await ledger.jobs.list(tenant, { kind, limit: 2_000 }));
        deepEqual(listed, ["waiting", ...ids.slice(-mostEndedJobs).toReversed()]);
      },
    },
    {
      method: "jobs.cancel",
      name: "ends what is queued, asks what runs to stop, and changes nothing of what has ended",
      run: async (context) => {
        const { ledger, tenant, clock } = context;
        await ledger.jobs.enqueue(tenant, jobOf(context, "queued"));
        clock.now += 2;
        const cancelled = await ledger.jobs.cancel(tenant, "queued");
        deepEqual([cancelled?.state, cancelled?.endedAt, cancelled?.dueAt], ["cancelled", clock.now, undefined]);
        await claimNothing(context);
        const { lease } = await running(context);
        const asked = await ledger.jobs.cancel(tenant, "a");
        deepEqual([asked?.state, asked?.cancelRequested, asked?.endedAt], ["running", true, undefined]);
        // A failure does not bring it back.
        const ended = await ledger.jobs.finish(lease, { state: "queued", error: "e", retryInMilliseconds: 5 });
        deepEqual([ended.state, ended.endedAt], ["cancelled", clock.now]);
        deepEqual(await ledger.jobs.cancel(tenant, "a"), ended);
        equal(await ledger.jobs.cancel(tenant, "never"), undefined);
      },
    },
    {
      method: "jobs.cancel",
      name: "ends a job whose holder is gone, once somebody looks for work",
      run: async (context) => {
        const { ledger, tenant, clock } = context;
        await running(context);
        await ledger.jobs.cancel(tenant, "a");
        await ledger.jobs.enqueue(tenant, jobOf(context, "b"));
        clock.now += 1_000;
        equal((await claim(context)).job.id, "b");
        await claimNothing(context);
        equal((await ledger.jobs.get(tenant, "a"))?.state, "cancelled");
      },
    },
    {
      method: "jobs.get",
      name: "knows the jobs of one tenant, or of the deployment, and no others",
      run: async (context) => {
        const { ledger, tenant } = context;
        const other = `${tenant}'` as TenantId;
        const id = `id ${tenant}`;
        for (const owner of [tenant, undefined]) await ledger.jobs.enqueue(owner, jobOf(context, id));
        equal((await ledger.jobs.get(tenant, id))?.tenant, tenant);
        const ofDeployment = await ledger.jobs.get(undefined, id);
        ok(ofDeployment !== undefined && !("tenant" in ofDeployment));
        equal(await ledger.jobs.get(other, id), undefined);
        equal(await ledger.jobs.cancel(other, id), undefined);
        equal(await ledger.jobs.get(tenant, `${id} `), undefined);
        deepEqual(await ledger.jobs.list(other, { kind: jobOf(context, "").kind, limit: 9 }), []);
        const { lease } = await claim(context);
        await expectRefusal(
          () => ledger.jobs.finish({ ...lease, tenant: other }, { state: "cancelled" }),
          "LEASE_LOST",
        );
      },
    },
    {
      method: "jobs.get",
      name: "gives nothing of a tenant that was purged, and what others have",
      run: async (context) => {
        const { ledger, tenant, clock } = context;
        const other = `${tenant}'` as TenantId;
        await context.remember(sampleMemory(1));
        for (const owner of [tenant, other, undefined]) {
          await ledger.jobs.enqueue(owner, jobOf(context, `of ${tenant}`));
          clock.now++;
        }
        await ledger.purge(tenant, { refs: [sampleMemory(1).id] });
        equal((await ledger.jobs.get(tenant, `of ${tenant}`))?.state, "queued");
        const { lease } = await claim(context);
        await ledger.purge(tenant, { everything: true });
        equal(await ledger.jobs.get(tenant, `of ${tenant}`), undefined);
        await expectRefusal(() => ledger.jobs.finish(lease, { state: "succeeded", result: "of it" }), "LEASE_LOST");
        for (const owner of [other, undefined]) equal((await ledger.jobs.get(owner, `of ${tenant}`))?.state, "queued");
      },
    },
    {
      method: "jobs.get",
      name: "gives nothing of a tenant that was purged and never had a log",
      run: async ({ ledger, tenant }) => {
        await ledger.jobs.enqueue(tenant, { id: "a", kind: `kind ${tenant}`, request: "", keepMilliseconds: hour });
        deepEqual(await ledger.purge(tenant, { everything: true }), { memories: 0, resources: 0, head: 0 });
        equal(await ledger.jobs.get(tenant, "a"), undefined);
      },
    },
    {
      method: "jobs.list",
      name: "gives those of a kind from the newest, a page at a time",
      run: async (context) => {
        const { ledger, tenant, clock } = context;
        const { kind } = jobOf(context, "");
        for (const [index, id] of ["a", "b", "c", "d"].entries()) {
          clock.now = beginning + Math.floor(index / 2);
          await ledger.jobs.enqueue(tenant, jobOf(context, id));
        }
        await ledger.jobs.enqueue(tenant, jobOf(context, "e", { kind: `other ${tenant}` }));
        await ledger.jobs.cancel(tenant, "b");
        deepEqual(idsOf(await ledger.jobs.list(tenant, { kind, limit: 9 })), ["d", "c", "b", "a"]);
        const page = await ledger.jobs.list(tenant, { kind, limit: 3 });
        deepEqual(idsOf(page), ["d", "c", "b"]);
        deepEqual(idsOf(await ledger.jobs.list(tenant, { kind, limit: 3, after: page[2] })), ["a"]);
        equal(page[2]?.state, "cancelled");
      },
    },
    {
      method: "jobs.unfinished",
      name: "counts what waits and what is under way of each kind, whoever's it is, and nothing that has ended",
      run: async (context) => {
        const { ledger, tenant } = context;
        const { kind } = jobOf(context, "");
        const other = `${kind}, another one`;
        const kinds = [other, kind];
        const none = { queued: 0, running: 0 };
        deepEqual(await ledger.jobs.unfinished(kinds), [
          { kind: other, ...none },
          { kind, ...none },
        ]);
        await running(context, "a");
        await ledger.jobs.enqueue(`${tenant}'` as TenantId, jobOf(context, "b"));
        await ledger.jobs.enqueue(undefined, jobOf(context, `c of ${tenant}`));
        await ledger.jobs.enqueue(tenant, jobOf(context, "d", { kind: other }));
        await ledger.jobs.enqueue(tenant, jobOf(context, "e"));
        await ledger.jobs.cancel(tenant, "e");
        deepEqual(await ledger.jobs.unfinished(kinds), [
          { kind: other, queued: 1, running: 0 },
          { kind, queued: 2, running: 1 },
        ]);
        deepEqual(await ledger.jobs.unfinished([]), []);
      },
    },
    {
      method: "jobs.counts",
      name: "counts what its owner has of each kind in each state, and nothing of others",
      run: async (context) => {
        const { ledger, tenant } = context;
        const { kind } = jobOf(context, "");
        const other = `${kind}, another one`;
        deepEqual(await ledger.jobs.counts(tenant), []);
        const { lease } = await running(context, "a");
        await ledger.jobs.enqueue(`${tenant}'` as TenantId, jobOf(context, "b"));
        await ledger.jobs.enqueue(undefined, jobOf(context, `c of ${tenant}`, { kind: `${kind} of all` }));
        await ledger.jobs.enqueue(tenant, jobOf(context, "d", { kind: other }));
        await ledger.jobs.enqueue(tenant, jobOf(context, "e"));
        await ledger.jobs.cancel(tenant, "e");
        await ledger.jobs.enqueue(tenant, jobOf(context, "f"));
        deepEqual(await ledger.jobs.counts(tenant), [
          { kind, state: "cancelled", jobs: 1 },
          { kind, state: "queued", jobs: 1 },
          { kind, state: "running", jobs: 1 },
          { kind: other, state: "queued", jobs: 1 },
        ]);
        await ledger.jobs.finish(lease, { state: "dead", error: "It broke." });
        deepEqual(
          (await ledger.jobs.counts(tenant)).filter(({ state }) => state === "dead" || state === "running"),
          [{ kind, state: "dead", jobs: 1 }],
        );
        const ofAll = await ledger.jobs.counts(undefined);
        deepEqual(
          ofAll.filter((counted) => counted.kind === `${kind} of all`),
          [{ kind: `${kind} of all`, state: "queued", jobs: 1 }],
        );
      },
    },
  ],
};
