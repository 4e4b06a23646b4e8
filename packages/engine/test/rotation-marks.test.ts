import { memoryId, type Principal, tenantId } from "@loci/domain";
import type { Ledger, RecallMark } from "@loci/ledger";
import { expect, test } from "vitest";
import { RotationMarks, type ShownRequest } from "../src/recall/rotation-marks.ts";
import { UsageRecorder } from "../src/usage/usage-recorder.ts";

const principal: Principal = { tenant: tenantId("acme"), subject: "tester", roles: ["read"], scopePatterns: ["*"] };
const ref = memoryId("01a221e0-38ad-72ad-b347-4726ebce0f00");
const shownTo = (session: string): ShownRequest =>
  ({
    rotation: { owner: "ann", session },
    evaluationTime: 1,
    profile: { staleWindowMilliseconds: 1_000 },
  }) as unknown as ShownRequest;

test("marks that a ledger refuses for a reason that does not pass are given up, and later ones are written", async () => {
  const written: RecallMark[] = [];
  const problems: unknown[] = [];
  const recallMarks = {
    record: async (_: string, marks: readonly RecallMark[]) => {
      if (marks.some(({ session }) => session === "broken")) throw new TypeError("no such session");
      written.push(...marks);
    },
  };
  const shown = new UsageRecorder<typeof ref>({
    write: async () => undefined,
    activity: "recording what was shown",
    reportProblem: () => undefined,
  });
  const marks = new RotationMarks({ recallMarks } as unknown as Ledger, shown, (error) => problems.push(error));
  marks.record(principal, shownTo("broken"), [ref]);
  for (let flush = 0; flush < 20; flush++) await marks.flush();
  expect(problems).toHaveLength(5);
  marks.record(principal, shownTo("sound"), [ref]);
  await marks.close();
  expect(written.map(({ session }) => session)).toEqual(["sound"]);
});
