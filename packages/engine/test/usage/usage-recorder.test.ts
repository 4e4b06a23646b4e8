import { LociError, tenantId } from "@loci/domain";
import { expect, test } from "vitest";
import { reportingSurely } from "../../src/calls/report-problem.ts";
import { UsageRecorder } from "../../src/usage/usage-recorder.ts";

const acme = tenantId("acme");
const other = tenantId("other");

test("what a ledger refuses for a reason that does not pass is given up, and what is recorded later is written", async () => {
  const written: string[] = [];
  const problems: unknown[] = [];
  const recorder = new UsageRecorder<string>({
    write: async (_, entries) => {
      if (entries.includes("broken")) throw new TypeError("no such entry");
      written.push(...entries);
    },
    activity: "recording usage",
    reportProblem: (error) => problems.push(error),
  });
  recorder.record(acme, ["broken"]);
  recorder.record(other, ["sound"]);
  for (let flush = 0; flush < 20; flush++) await recorder.flush();
  expect(written).toEqual(["sound"]);
  expect(problems).toHaveLength(5);
  recorder.record(acme, ["later"]);
  await recorder.close();
  expect(written).toEqual(["sound", "later"]);
});

test("what a ledger that is away does not take is kept until it is back", async () => {
  const written: string[] = [];
  let isAway = true;
  const recorder = new UsageRecorder<string>({
    write: async (_, entries) => {
      if (isAway) throw new LociError("STORE_UNAVAILABLE", { message: "The database is away." });
      written.push(...entries);
    },
    activity: "recording usage",
    reportProblem: () => undefined,
  });
  recorder.record(acme, ["first"]);
  for (let flush = 0; flush < 20; flush++) await recorder.flush();
  isAway = false;
  recorder.record(acme, ["second"]);
  await recorder.close();
  expect(written).toEqual(["first", "second"]);
});

test("a report that fails holds up nothing: both failures are warnings of the process", async () => {
  const warnings: string[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning.message);
  process.on("warning", onWarning);
  const written: string[] = [];
  let refuses = true;
  const recorder = new UsageRecorder<string>({
    write: async (_, entries) => {
      if (refuses) throw new Error("refused");
      written.push(...entries);
    },
    activity: "recording usage",
    reportProblem: reportingSurely(() => {
      throw new Error("the log is closed");
    }),
  });
  recorder.record(acme, ["one"]);
  recorder.record(other, ["two"]);
  await recorder.flush();
  refuses = false;
  await recorder.close();
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", onWarning);
  expect(written).toEqual(["one", "two"]);
  expect(warnings).toEqual(
    expect.arrayContaining([expect.stringContaining("refused"), expect.stringContaining("the log is closed")]),
  );
});
