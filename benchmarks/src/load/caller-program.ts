// A process of callers: makes calls at their times, whatever became of those before. Told what to do by its parent.
import { setTimeout as pause } from "node:timers/promises";
import { type CallOutcome, failureOf } from "./call-outcome.ts";
import type { CallerAnswer, CallerRequest } from "./caller-messages.ts";
import type { PlannedCall } from "./planned-calls.ts";
import { TenantProgram } from "./tenant-program.ts";

/** How much longer than its own time-out a call may take until it counts as one that was never answered. */
const grace = 5_000;
let timeoutMilliseconds = 0;
const programs = new Map<number, TenantProgram>();

process.on("message", (request: CallerRequest) => {
  void tellAnswer(request);
});
process.once("disconnect", () => process.exit(0));

async function tellAnswer(request: CallerRequest): Promise<void> {
  try {
    process.send?.(await answer(request));
  } catch (error) {
    process.send?.({ problem: String(error) } satisfies CallerAnswer);
  }
}

async function answer(request: CallerRequest): Promise<CallerAnswer> {
  switch (request.do) {
    case "prepare": {
      ({ timeoutMilliseconds } = request);
      for (const access of request.tenants) {
        const program = new TenantProgram(access, request.run, timeoutMilliseconds);
        programs.set(access.tenant, program);
        await program.prepare(request.memories);
      }
      return {};
    }
    case "call": {
      const before = process.cpuUsage();
      const outcomes = await callAll(request.calls, request.beginning);
      const { user, system } = process.cpuUsage(before);
      return { outcomes, cpuMilliseconds: (user + system) / 1_000 };
    }
    case "check": {
      const lost: string[] = [];
      let acknowledged = 0;
      for (const [tenant, program] of programs) {
        acknowledged += program.writes.count;
        lost.push(...(await program.findLost()).map((line) => `tenant ${tenant}: ${line}`));
      }
      return { acknowledged, lost };
    }
  }
}

/** Makes each call when its time has come. Resolves when every one was answered, or has had its time. */
async function callAll(calls: readonly PlannedCall[], beginning: number): Promise<readonly CallOutcome[]> {
  const zero = beginning - performance.timeOrigin;
  const outcomes: Promise<CallOutcome>[] = [];
  for (const call of calls) {
    const wait = zero + call.at - performance.now();
    if (wait > 0) await pause(wait);
    outcomes.push(callOnce(call, zero + call.at));
  }
  return Promise.all(outcomes);
}

async function callOnce(call: PlannedCall, intended: number): Promise<CallOutcome> {
  const { kind, tenant, at } = call;
  const late = performance.now() - intended;
  const over = new AbortController();
  const ends = [
    (programs.get(tenant) as TenantProgram).call(call).then(() => ({}), failureOf),
    pause(timeoutMilliseconds + grace, { failure: "NO_ANSWER" }, { signal: over.signal }).catch(() => ({})),
  ];
  const end = await Promise.race(ends);
  over.abort();
  return { kind, tenant, at, late, took: performance.now() - intended, ...end };
}
