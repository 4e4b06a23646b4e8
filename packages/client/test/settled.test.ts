import { operationToProto, type OperationState } from "@loci/api";
import { LociError } from "@loci/domain";
import { expect, test } from "vitest";
import { connected, errorOf } from "./fixture.ts";
import { untilCancelled } from "./test-server.ts";

function operation(state: OperationState, error?: LociError): unknown {
  return { operation: operationToProto({ id: "operation-1", kind: "settle", state, createdAt: 0, error }) };
}

test("waits until the operation has ended", async () => {
  const answers = [operation("running"), operation("running"), operation("succeeded")];
  const { loci, server } = await connected(() => answers.shift());
  await loci.settled();
  expect(server.calls.map(({ method }) => method)).toEqual(["settleIndexes", "waitOperation", "waitOperation"]);
  expect(server.calls[1]?.request).toMatchObject({ id: "operation-1", timeout: { seconds: 15n, nanos: 0 } });
});

test("waits on for longer than the timeout of a call, half of it at a time", async () => {
  const waits: unknown[] = [];
  const { loci } = await connected(
    async ({ method, request }) => {
      if (method === "settleIndexes") return operation("running");
      waits.push((request as { readonly timeout: unknown }).timeout);
      // Less than was asked for, and all of them more than a call may take.
      await new Promise((resolve) => void setTimeout(resolve, 600));
      return operation(waits.length < 5 ? "running" : "succeeded");
    },
    { timeoutMilliseconds: 2_500 },
  );
  await loci.settled();
  expect(waits).toMatchObject(Array.from({ length: 5 }, () => ({ seconds: 1n, nanos: 250_000_000 })));
});

test("rejects with what the operation failed for", async () => {
  const thrown = new LociError("DISK_FULL", { message: "No space left.", advice: "Make some.", resource: "/data" });
  const { loci } = await connected(() => operation("failed", thrown));
  expect((await errorOf(loci.settled())).toJSON()).toStrictEqual(thrown.toJSON());
});

test("rejects when somebody cancelled the operation", async () => {
  const { loci } = await connected(() => operation("cancelled"));
  await expect(loci.settled()).rejects.toMatchObject({ reason: "CANCELLED", resource: "operation-1" });
});

test("cancels the operation when the caller gives up", async () => {
  const { loci, server } = await connected((call) =>
    call.method === "waitOperation" ? untilCancelled(call) : operation("running"),
  );
  const controller = new AbortController();
  const settled = errorOf(loci.settled({ signal: controller.signal }));
  await expect.poll(() => server.calls.length).toBe(2);
  controller.abort();
  expect(await settled).toMatchObject({ reason: "CANCELLED" });
  await expect
    .poll(() => server.calls.at(-1))
    .toMatchObject({
      method: "cancelOperation",
      request: { id: "operation-1" },
    });
});

test.each(["settleIndexes", "waitOperation"])(
  "ends at the caller's deadline when the server is stopped before it answers %s",
  async (stopped) => {
    const { loci } = await connected((call) => (call.method === stopped ? untilCancelled(call) : operation("running")));
    const begun = performance.now();
    await expect(loci.settled({ deadline: Date.now() + 300 })).rejects.toMatchObject({
      reason: "DEADLINE_EXCEEDED",
      message: expect.stringContaining("before the call's deadline") as string,
    });
    expect(performance.now() - begun).toBeLessThan(10_000);
  },
);
