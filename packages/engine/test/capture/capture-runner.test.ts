import type { Ref } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import { expect, test } from "vitest";
import { CaptureRunner } from "../../src/capture/capture-runner.ts";
import type { Jobs } from "../../src/jobs/jobs.ts";
import { everything } from "../support/test-engine.ts";

const long = 20_000;
const capture = { ref: "a" as Ref, starts: 1 };

test("who waits for a change of a capture is told of it, and does not wait in a call that is over", async () => {
  const jobs = { cancel: async () => undefined } as unknown as Jobs;
  const runner = new CaptureRunner({ ledger: {} as Ledger, jobs, run: async () => undefined, reportProblem: () => {} });
  const started = performance.now();
  const told = [1, 2].map(() => runner.changed(capture.ref, long, new AbortController().signal));
  await runner.cancel(everything.tenant, capture);
  await Promise.all(told);
  await runner.changed(capture.ref, long, AbortSignal.abort());
  expect(performance.now() - started).toBeLessThan(long / 2);
});
