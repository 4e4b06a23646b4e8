import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { withinTime } from "../src/calls/within-time.ts";

test("work that is done in its turn of the event loop costs no timer, and listens to nothing", async () => {
  const timers = vi.spyOn(globalThis, "setTimeout");
  const { signal } = new AbortController();
  const listened = vi.spyOn(signal, "addEventListener");
  try {
    const hops = async (): Promise<number> => {
      for (let hop = 0; hop < 50; hop++) await Promise.resolve();
      return 7;
    };
    expect(await withinTime(hops, 1_000, signal)).toEqual({ value: 7 });
    const failing = withinTime(() => Promise.reject(new RangeError("broken")), 1_000, signal);
    expect(await failing).toMatchObject({ failure: { message: "broken" } });
    expect(timers).not.toHaveBeenCalled();
    expect(listened).not.toHaveBeenCalled();
  } finally {
    timers.mockRestore();
  }
});

test("work that takes longer is too late, and is told so", async () => {
  let told: AbortSignal | undefined;
  const hangs = (signal: AbortSignal): Promise<never> => {
    told = signal;
    return new Promise(() => undefined);
  };
  const outcome = await withinTime(hangs, 1, new AbortController().signal);
  expect(outcome).toMatchObject({ failure: { name: "TimeoutError" } });
  expect(told?.aborted).toBe(true);
  const soon = async (): Promise<number> => {
    await setImmediate();
    await setImmediate();
    return 7;
  };
  expect(await withinTime(soon, 60_000, new AbortController().signal)).toEqual({ value: 7 });
});

test.each([
  ["in the turn in which it began", (end: () => void) => queueMicrotask(end)],
  ["later", (end: () => void) => setTimeout(end, 1)],
])("the end of the call %s is the end of the work", async (_name, soon) => {
  const controller = new AbortController();
  let told: AbortSignal | undefined;
  const working = withinTime(
    (signal) => {
      told = signal;
      return new Promise(() => undefined);
    },
    60_000,
    controller.signal,
  );
  soon(() => controller.abort());
  await expect(working).rejects.toMatchObject({ reason: "CANCELLED" });
  expect(told?.aborted).toBe(true);
});

test("a limit beyond what timers can wait for is no limit", async () => {
  const later = async (): Promise<number> => {
    await sleep(20);
    return 7;
  };
  for (const limit of [Infinity, 2 ** 31, 2 ** 40])
    expect(await withinTime(later, limit, new AbortController().signal)).toEqual({ value: 7 });
});
