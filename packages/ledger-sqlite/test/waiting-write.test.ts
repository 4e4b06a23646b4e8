import { expect, test, vi } from "vitest";
import { WaitingWrite } from "../src/waiting-write.ts";
import type { WriteOperation } from "../src/write-operation.ts";

const operation: WriteOperation = { type: "resetProjection", projection: "any" };

test("what waits behind others is told at once that its call is over, and never leaves", async () => {
  const controller = new AbortController();
  const waiting = new WaitingWrite(operation, { signal: controller.signal });
  waiting.heedCall();
  waiting.heedCall();
  controller.abort();
  await expect(waiting.outcome).rejects.toMatchObject({ reason: "CANCELLED" });
  expect(waiting.leave()).toBe(false);
});

test("a call that ends before its write leaves is told then", async () => {
  const controller = new AbortController();
  const listened = vi.spyOn(controller.signal, "addEventListener");
  const waiting = new WaitingWrite(operation, { signal: controller.signal });
  controller.abort();
  expect(waiting.leave()).toBe(false);
  await expect(waiting.outcome).rejects.toMatchObject({ reason: "CANCELLED" });
  expect(listened).not.toHaveBeenCalled();
});

test("what has left cannot be stopped any more", async () => {
  const controller = new AbortController();
  const waiting = new WaitingWrite(operation, { signal: controller.signal });
  waiting.heedCall();
  expect(waiting.leave()).toBe(true);
  controller.abort();
  waiting.resolve({ succeeded: true, result: undefined });
  await expect(waiting.outcome).resolves.toMatchObject({ succeeded: true });
});

test("a deadline ends it while it waits, and its clock stops when it leaves", async () => {
  vi.useFakeTimers();
  try {
    const waiting = new WaitingWrite(operation, { deadline: Date.now() + 50 });
    waiting.heedCall();
    vi.advanceTimersByTime(50);
    await expect(waiting.outcome).rejects.toMatchObject({ reason: "DEADLINE_EXCEEDED" });

    const leaving = new WaitingWrite(operation, { deadline: Date.now() + 50 });
    expect(leaving.leave()).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test("nothing waits for a call that is over", () => {
  expect(() => new WaitingWrite(operation, { signal: AbortSignal.abort() })).toThrow(
    expect.objectContaining({ reason: "CANCELLED" }),
  );
  expect(() => new WaitingWrite(operation, { deadline: 1 })).toThrow(
    expect.objectContaining({ reason: "DEADLINE_EXCEEDED" }),
  );
});
