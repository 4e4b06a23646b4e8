import * as api from "@loci/api";
import { expect, test } from "vitest";
import { connected, errorOf } from "../fixture.ts";

test("a job tells how far it has come, and is cancelled with its call", async () => {
  const progress = { activity: "comparing", done: 1, total: 2, ratePerSecond: 3 };
  const running = { id: "o", kind: "verify", state: "running", createdAt: 0, progress } as const;
  const controller = new AbortController();
  const { loci, server } = await connected(() => ({ operation: api.operationToProto(running) }));
  const seen: unknown[] = [];
  const options = {
    signal: controller.signal,
    onProgress: (step: unknown): void => {
      seen.push(step);
      if (seen.length === 2) controller.abort();
    },
  };
  expect(await errorOf(loci.maintenance.verify({}, options))).toMatchObject({ reason: "CANCELLED" });
  expect(seen[0]).toStrictEqual(progress);
  await expect.poll(() => server.calls.map(({ method }) => method)).toContain("cancelOperation");
});
