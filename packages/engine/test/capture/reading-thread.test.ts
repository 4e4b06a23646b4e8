import { setTimeout } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { ReadingThread } from "../../src/capture/reading/reading-thread.ts";
import { ThreadOrHere } from "../../src/capture/reading/thread-or-here.ts";
import { knownBefore, saidTurns } from "./said-turns.ts";

const at = { signal: new AbortController().signal, turn: () => undefined };
const problems: unknown[] = [];
let thread = new ReadingThread();
afterEach(async () => {
  await thread.close();
  thread = new ReadingThread();
  problems.length = 0;
});

const fixture = (name: string): URL => new URL(`./threads/${name}`, import.meta.url);
const reader = (leastForThread: number): ThreadOrHere =>
  new ThreadOrHere({ thread, leastForThread, reportProblem: (error) => problems.push(error) });

test("statements are found and judged in the thread as where they are asked for", async () => {
  const turns = saidTurns(120);
  using here = await reader(Infinity).read(turns, at);
  using there = await reader(0).read(turns, at);
  expect(there.texts).toStrictEqual(here.texts);
  const judged = await there.judge(knownBefore(there.texts));
  expect(judged).toStrictEqual(await here.judge(knownBefore(here.texts)));
  expect(new Set(judged.map(({ decision, state }) => decision ?? state))).toEqual(
    new Set(["ADD", "NOOP", "UPDATE", "rejected"]),
  );
  expect(problems).toEqual([]);
});

test("several are read at once, each judged by its own", async () => {
  const reading = reader(0);
  const lengths = [20, 30, 40, 50];
  const read = await Promise.all(lengths.map((length) => reading.read(saidTurns(length), at)));
  const judged = await Promise.all(read.toReversed().map((each) => each.judge(knownBefore(each.texts))));
  for (const [index, candidates] of judged.toReversed().entries()) {
    using here = await reader(Infinity).read(saidTurns(lengths[index] as number), at);
    expect(candidates).toStrictEqual(await here.judge(knownBefore(here.texts)));
  }
  for (const each of read) each[Symbol.dispose]();
  await expect(read[0]?.judge(knownBefore([]))).rejects.toMatchObject({ reason: "INTERNAL" });
});

test("a call that is over is told so at once, and the thread goes on with others", async () => {
  const reading = reader(0);
  // What starting takes is not to be measured.
  (await reading.read(saidTurns(2), at))[Symbol.dispose]();
  const over = new AbortController();
  const first = reading.read(saidTurns(40_000), { ...at, signal: over.signal });
  await setTimeout(1);
  const asked = performance.now();
  over.abort(new Error("over"));
  await expect(first).rejects.toThrow("over");
  using next = await reading.read(saidTurns(10), at);
  expect(next.texts.length).toBeGreaterThan(0);
  // Reading all of it takes more than ten seconds.
  expect(performance.now() - asked).toBeLessThan(5_000);
});

test("what fails there fails here, and the thread goes on", async () => {
  using read = await reader(0).read(saidTurns(20), at);
  const { memories: _, ...incomplete } = knownBefore(read.texts);
  await expect(read.judge(incomplete as ReturnType<typeof knownBefore>)).rejects.toThrow(TypeError);
  using here = await reader(Infinity).read(saidTurns(20), at);
  expect(await read.judge(knownBefore(read.texts))).toStrictEqual(await here.judge(knownBefore(here.texts)));
});

test("a thread that ends by itself fails what waits for it, and is started again", async () => {
  thread = new ReadingThread({ module: fixture("ends-when-judging.ts") });
  const reading = reader(0);
  using read = await reading.read(saidTurns(20), at);
  await expect(read.judge(knownBefore(read.texts))).rejects.toMatchObject({ reason: "INTERNAL" });
  await expect(read.judge(knownBefore(read.texts))).rejects.toMatchObject({ reason: "INTERNAL" });
  using again = await reading.read(saidTurns(20), at);
  expect(again.texts).toEqual(["User works at Corvid."]);
});

test("where no thread can be started all is read where it is asked for, and that is reported once", async () => {
  thread = new ReadingThread({ module: fixture("missing.ts") });
  const reading = reader(0);
  for (const length of [20, 30]) {
    using read = await reading.read(saidTurns(length), at);
    expect((await read.judge(knownBefore(read.texts))).length).toBeGreaterThan(5);
  }
  expect(problems).toHaveLength(1);
});

test("closing ends what is under way", async () => {
  thread = new ReadingThread({ module: fixture("never-answers.ts") });
  const waiting = thread.read(saidTurns(10), at);
  const [ended] = await Promise.allSettled([waiting, setTimeout(20).then(() => thread.close())]);
  expect(ended).toMatchObject({ status: "rejected", reason: { reason: "CLOSED" } });
  await expect(thread.read(saidTurns(10), at)).rejects.toMatchObject({ reason: "CLOSED" });
});

test("an idle thread ends, and another is started when there is something to read", async () => {
  thread = new ReadingThread({ idleTime: 1, module: fixture("names-itself.ts") });
  const nameOf = async (): Promise<string | undefined> => {
    using read = await thread.read(saidTurns(2), at);
    return read.texts[0];
  };
  {
    using first = await thread.read(saidTurns(2), at);
    await setTimeout(50);
    // What has been read and not judged is kept.
    expect(await nameOf()).toBe(first.texts[0]);
  }
  const before = await nameOf();
  await setTimeout(50);
  expect(await nameOf()).not.toBe(before);
});
