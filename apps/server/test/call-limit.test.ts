import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CallLimit } from "../src/calls/call-limit.ts";

const never = new AbortController().signal;

/** Work that ends when told. */
function gate(): { readonly work: () => Promise<string>; readonly open: (answer: string) => void; started: boolean } {
  const { promise, resolve } = Promise.withResolvers<string>();
  const result = {
    started: false,
    work: (): Promise<string> => {
      result.started = true;
      return promise;
    },
    open: resolve,
  };
  return result;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a limit", () => {
  test("lets so many work, so many wait, in their order, and refuses the rest", async () => {
    const limit = new CallLimit(1, 2);
    const gates = [gate(), gate(), gate()];
    const calls = gates.map(({ work }) => limit.run("a", never, work));
    await expect(limit.run("a", never, gate().work)).rejects.toMatchObject({ reason: "TOO_MANY_REQUESTS" });
    for (const [index, { open }] of gates.entries()) {
      expect(gates.map(({ started }) => started)).toEqual(gates.map((_, other) => other <= index));
      expect([limit.running, limit.queued]).toEqual([1, 2 - index]);
      open(`answer ${index}`);
      expect(await calls[index]).toBe(`answer ${index}`);
      await turn();
    }
    expect([limit.running, limit.queued]).toEqual([0, 0]);
  });

  test("keeps the place of a call that was cancelled until its work has ended", async () => {
    const limit = new CallLimit(1, 1);
    const end = new AbortController();
    const [stubborn, next] = [gate(), gate()];
    const first = limit.run("a", end.signal, stubborn.work);
    const second = limit.run("a", never, next.work);
    end.abort();
    await turn();
    expect(next.started).toBe(false);
    stubborn.open("late");
    await first;
    await turn();
    expect(next.started).toBe(true);
    next.open("");
    await second;
  });

  test("never starts a call that was cancelled while it waited, and frees its place in the queue", async () => {
    const limit = new CallLimit(1, 1);
    const [working, waiting, late] = [gate(), gate(), gate()];
    const first = limit.run("a", never, working.work);
    const end = new AbortController();
    const second = limit.run("a", end.signal, waiting.work);
    end.abort(new Error("gone"));
    await expect(second).rejects.toThrow("gone");
    const third = limit.run("a", never, late.work);
    working.open("");
    await first;
    late.open("");
    await third;
    expect(waiting.started).toBe(false);
  });

  test("has a call that was cancelled before wait for nobody, nor take a place that others wait for", async () => {
    const limit = new CallLimit(1, 1);
    const working = gate();
    const first = limit.run("a", never, working.work);
    const gone = AbortSignal.abort(new Error("gone"));
    await expect(limit.run("b", gone, gate().work)).rejects.toThrow("gone");
    expect([limit.running, limit.queued]).toEqual([1, 0]);
    working.open("");
    await first;
  });

  test("lets callers take turns, whoever has sent more", async () => {
    const limit = new CallLimit(1, 20);
    const order: string[] = [];
    const call = (caller: string): Promise<void> =>
      limit.run(caller, never, async () => {
        order.push(caller);
        await turn();
      });
    const flood = Array.from({ length: 8 }, () => call("flood"));
    await Promise.all([...flood, call("calm"), call("calm"), call("late")]);
    expect(order.slice(0, 6)).toEqual(["flood", "flood", "calm", "late", "flood", "calm"]);
    expect(order.slice(6)).toEqual(["flood", "flood", "flood", "flood", "flood"]);
  });

  test("has the flood make room for others, one call for each of theirs", async () => {
    const limit = new CallLimit(1, 6);
    const hold = gate();
    const held = limit.run("flood", never, hold.work);
    const send = (caller: string): Promise<string> => limit.run(caller, never, async () => caller);
    const flood = Array.from({ length: 6 }, () => send("flood"));
    const calm = Array.from({ length: 3 }, () => send("calm"));
    // Both have half of it now.
    const refused = [send("flood"), send("calm")];
    hold.open("");
    await held;
    const outcomes = async (calls: readonly Promise<string>[]): Promise<readonly string[]> =>
      (await Promise.allSettled(calls)).map(({ status }) => status);
    expect(await outcomes(flood)).toEqual([...Array(3).fill("fulfilled"), ...Array(3).fill("rejected")]);
    expect(await outcomes(calm)).toEqual(Array(3).fill("fulfilled"));
    expect(await outcomes(refused)).toEqual(["rejected", "rejected"]);
    expect([limit.running, limit.queued]).toEqual([0, 0]);
  });

  test("gives every place back, however calls end", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 0, max: 3 }),
        fc.array(fc.constantFrom("answer", "fail", "cancel"), { maxLength: 12 }),
        async (running, queued, endings) => {
          const limit = new CallLimit(running, queued);
          let most = 0;
          const calls = endings.map((ending, index) => {
            const end = new AbortController();
            const call = limit.run(`caller ${index % 3}`, end.signal, async () => {
              most = Math.max(most, limit.running);
              await turn();
              if (ending === "fail") throw new Error("failed");
            });
            if (ending === "cancel") setImmediate(() => end.abort(new Error(`gone ${index}`)));
            return call;
          });
          await Promise.allSettled(calls);
          expect(most).toBeLessThanOrEqual(running);
          expect([limit.running, limit.queued]).toEqual([0, 0]);
        },
      ),
      { seed: 20_261_122, numRuns: 200 },
    );
  });
});
