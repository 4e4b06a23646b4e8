import { setImmediate } from "node:timers/promises";
import { type TenantId, tenantId } from "@loci/domain";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ThreadTurns } from "../src/calls/thread-turns.ts";

const [many, one] = ["many", "one"].map(tenantId) as [TenantId, TenantId];
const never = new AbortController().signal;

// Time goes by only where a test says so: on a busy machine whoever has the thread may stand still for longer than any turn.
let now: number;
let timersAt: number;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  timersAt = now = 1_000;
  vi.spyOn(performance, "now").mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Holds the thread for so many milliseconds. */
function hold(milliseconds: number): void {
  now += milliseconds;
}

/** Leaves the thread to others for so many milliseconds. */
async function leave(milliseconds: number): Promise<void> {
  for (const until = now + milliseconds; now < until;) {
    now++;
    vi.advanceTimersByTime(now - timersAt);
    timersAt = now;
    await setImmediate();
  }
}

test("on an idle thread, a call goes on at once", async () => {
  const turns = new ThreadTurns();
  let loops = 0;
  void setImmediate().then(() => loops++);
  for (let piece = 0; piece < 20; piece++) await turns.next(many, never);
  expect(loops).toBe(0);
});

test("of long pieces, one runs in each turn of the loop, and a tenant with many of them lets the others through", async () => {
  const turns = new ThreadTurns();
  const log: string[] = [];
  const load = { isRunning: true };
  const loops = (async () => {
    while (load.isRunning) {
      await setImmediate();
      if (log.at(-1) !== "loop") log.push("loop");
    }
  })();
  const work = async (tenant: TenantId, pieces: number): Promise<void> => {
    const { signal } = new AbortController();
    for (let piece = 0; piece < pieces; piece++) {
      await turns.next(tenant, signal);
      hold(6);
      log.push(tenant);
    }
  };
  const flood = Promise.all(Array.from({ length: 30 }, () => work(many, 2)));
  await setImmediate();
  await work(one, 3);
  const before = log.filter((entry) => entry === "many").length;
  await flood;
  load.isRunning = false;
  await loops;
  expect(before).toBeLessThanOrEqual(6);
  const pieces = log.filter((entry) => entry !== "loop");
  expect(pieces).toHaveLength(63);
  expect(log.join(" ")).not.toMatch(/(?:many|one) (?:many|one)/);
});

test("work in the background lets calls of its own tenant through, and goes on now and then however many there are", async () => {
  const turns = new ThreadTurns();
  const log: string[] = [];
  const work = async (name: string, pieces: number, priority: "call" | "background"): Promise<void> => {
    const { signal } = new AbortController();
    for (let piece = 0; piece < pieces; piece++) {
      await turns.next(many, signal, priority);
      hold(2);
      log.push(name);
    }
    turns.done(signal);
  };
  const background = Promise.all([work("behind", 40, "background"), work("behind", 40, "background")]);
  await setImmediate();
  const before = log.length;
  await work("call", 20, "call");
  const during = log.slice(before, log.lastIndexOf("call") + 1);
  // In turns of their own the two would have 40. What is put off for 300 ms has one.
  expect(during.filter((name) => name === "behind").length).toBeLessThanOrEqual(1);
  const calls = Promise.all(Array.from({ length: 350 }, () => work("call", 1, "call")));
  const flooded = log.length;
  await calls;
  expect(log.slice(flooded).filter((name) => name === "behind").length).toBeGreaterThanOrEqual(2);
  await leave(400);
  await background;
  expect(log.filter((name) => name === "behind")).toHaveLength(80);
});

test("work in the background waits for calls that are back in a moment, has a turn now and then, and all of the time when they are gone", async () => {
  const turns = new ThreadTurns();
  let pieces = 0;
  const end = new AbortController();
  const { signal } = new AbortController();
  const background = (async () => {
    for (; !end.signal.aborted; pieces++) {
      await turns.next(one, signal, "background");
      hold(1);
    }
  })();
  const started = now;
  // Calls one after the other, each of which waits for a disk: the thread is idle most of the time.
  for (let call = 0; call < 120; call++) {
    const own = new AbortController();
    await turns.next(many, own.signal);
    hold(1);
    await leave(4);
    turns.done(own.signal);
  }
  const putOff = (now - started) / 300;
  const during = pieces;
  expect(during).toBeGreaterThanOrEqual(2);
  expect(during).toBeLessThanOrEqual(putOff + 1);
  await leave(60);
  end.abort();
  await leave(20);
  await background;
  // Put off, it would have one.
  expect(pieces - during).toBeGreaterThan(5);
});

test("who gives up while waiting is told so, and takes nobody's turn", async () => {
  const turns = new ThreadTurns();
  const controller = new AbortController();
  await turns.next(many, never);
  hold(6);
  const given = turns.next(many, controller.signal);
  const other = turns.next(one, never);
  controller.abort();
  await expect(given).rejects.toMatchObject({ reason: "CANCELLED" });
  await other;
  expect(() => turns.next(many, controller.signal)).toThrow(expect.objectContaining({ reason: "CANCELLED" }));
});

test("short calls that come one after the other share a turn of the event loop, until some milliseconds are over", async () => {
  const turns = new ThreadTurns();
  for (let call = 0; call < 5; call++) {
    const { signal } = new AbortController();
    expect(turns.next(many, signal)).toBeUndefined();
    turns.done(signal);
  }
  const { signal } = new AbortController();
  expect(turns.next(many, signal)).toBeUndefined();
  hold(6);
  turns.done(signal);
  const later = turns.next(one, never);
  expect(later).toBeInstanceOf(Promise);
  await later;
});

test("calls of the same moment do not share one", async () => {
  const turns = new ThreadTurns();
  expect(turns.next(many, never)).toBeUndefined();
  const other = turns.next(one, new AbortController().signal);
  expect(other).toBeInstanceOf(Promise);
  await other;
});
