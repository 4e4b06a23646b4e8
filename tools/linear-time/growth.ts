import { type Run, textOf } from "./hostile-runs.ts";

/** How many times as long the longer text is: the further apart, the less of the difference can be the machine's. */
const timesAsLong = 4;
/** More processor time than this many times as much, for the longer text, is not linear: that takes 4, what is quadratic 16. */
const mostGrowth = 8;
/** What grows as much as this is measured no further: no machine disturbs by as much. */
const beyondDoubt = 12;
/** Short lengths come first, so that what is exponential is noticed before it takes for ever. */
const firstLengths = [24, 400];
/** What is read faster than this many milliseconds cannot be quadratic in anything that matters yet. */
const fast = { length: 6000, milliseconds: 3 };
/** What takes longer is measured; what is linear, but slow, leaves at this. */
const tolerated = 3;
/** What is measured takes at least so many milliseconds: less is noise. */
const leastMeasured = 40;
/** Of each text, the shortest time counts: what disturbs only adds. */
const readings = 4;
/** What grows beyond doubt still does after so many readings of both. */
const readingsBeyondDoubt = 2;
const mostTries = 4;
const longest = 1_000_000;
/** What took so many milliseconds was measured well: a longer text would tell nothing else. */
const wellMeasured = 100;

const prose = "The deploy is on Thursdays, after the stand-up; Mara keeps the list. ";

/** A reading that takes more than linear time. */
export interface Growth {
  /** The length of the shorter text, in UTF-16 units. */
  readonly length: number;
  /** Of the processor, in milliseconds. */
  readonly time: number;
  /** How many times as long a text of four times the length took. */
  readonly factor: number;
}

const usualTimes = new WeakMap<(text: string) => unknown, number>();

/**
 * Reads a run of growing length.
 *
 * @returns `undefined` when its processor time grows no more than the text, within what can be measured
 */
export function superlinearGrowth(read: (text: string) => unknown, run: Run): Growth | undefined {
  for (const length of firstLengths) {
    const time = shortestTime(read, textOf(run, length), 2);
    if (time > 30) return { length, time, factor: Infinity };
  }
  const limit = Math.max(fast.milliseconds, tolerated * usualTime(read));
  const text = textOf(run, fast.length);
  if (timeOf(read, text) <= limit || timeOf(read, text) <= limit) return undefined;
  let growth: Growth | undefined;
  for (let attempt = 0; attempt < mostTries; attempt++) {
    growth = measuredGrowth(read, run, attempt);
    // What takes no time that can be measured has no factor.
    if (!(growth.factor > mostGrowth)) return undefined;
    if (growth.factor >= beyondDoubt || (attempt > 0 && growth.time >= wellMeasured)) break;
  }
  return growth;
}

/** What reading as much ordinary prose takes. */
function usualTime(read: (text: string) => unknown): number {
  let time = usualTimes.get(read);
  if (time === undefined) {
    time = shortestTime(read, textOf({ before: "", piece: prose, after: "" }, fast.length), 5);
    usualTimes.set(read, time);
  }
  return time;
}

/**
 * How much longer a text four times as long takes. Later attempts take longer texts: what the collection of garbage adds to one
 * length it does not add to all of them, and what is not linear shows the more.
 */
function measuredGrowth(read: (text: string) => unknown, run: Run, attempt: number): Growth {
  let length = fast.length << attempt;
  let time = timeOf(read, textOf(run, length));
  while (time < leastMeasured && length < longest) time = timeOf(read, textOf(run, (length *= 2)));
  const [short, long] = [textOf(run, length), textOf(run, length * timesAsLong)];
  let longer = Infinity;
  // By turns, so that both meet the same machine.
  for (let turn = 0; turn < readings; turn++) {
    time = Math.min(time, timeOf(read, short));
    longer = Math.min(longer, timeOf(read, long));
    // What disturbs makes what is linear look worse, and hardly ever what is not look better.
    if (longer <= mostGrowth * time) break;
    if (turn + 1 >= readingsBeyondDoubt && time >= leastMeasured && longer >= beyondDoubt * time) break;
  }
  return { length, time, factor: longer / time };
}

function shortestTime(read: (text: string) => unknown, text: string, times: number): number {
  let shortest = Infinity;
  for (let turn = 0; turn < times; turn++) shortest = Math.min(shortest, timeOf(read, text));
  return shortest;
}

/** Of the processor, on this thread, in milliseconds: on a busy machine the rest takes longer, and not more. */
function timeOf(read: (text: string) => unknown, text: string): number {
  const started = process.threadCpuUsage();
  read(text);
  const { user, system } = process.threadCpuUsage(started);
  return (user + system) / 1000;
}
