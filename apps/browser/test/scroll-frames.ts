import type { Page } from "playwright-core";

/** How a list was while somebody scrolled in it. */
export interface ScrollFigures {
  /** Milliseconds from one frame to the next, the shortest first. */
  readonly frames: readonly number[];
  /** CPU time of the page's thread, in milliseconds: what else the machine does makes frames longer, not this. */
  readonly workPerFrame: number;
  /** Bytes that the page holds more than before the list was shown: objects, the ids, and elements. */
  readonly heap: number;
}

/** Scrolls, and every tenth frame jumps somewhere else. */
const scrolling = (frames: number): string => `new Promise((resolve) => {
  const list = document.querySelector(".row-list");
  const lengths = [];
  let seed = 1, before = performance.now();
  const frame = (now) => {
    lengths.push(now - before);
    before = now;
    seed = (seed * 1103515245 + 12345) % 2147483648;
    list.scrollTop = lengths.length % 10 === 0 ? (seed / 2147483648) * list.scrollHeight : list.scrollTop + 420;
    if (lengths.length < ${frames}) requestAnimationFrame(frame);
    else resolve(lengths);
  };
  requestAnimationFrame(frame);
})`;

/** Shows the list anew and scrolls in it. */
export async function scrolledFigures(page: Page, frames: number, show: () => Promise<void>): Promise<ScrollFigures> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  const held = async (): Promise<number> => {
    await devtools.send("HeapProfiler.collectGarbage");
    const { usedSize, backingStorageSize, embedderHeapUsedSize } = await devtools.send("Runtime.getHeapUsage");
    return usedSize + backingStorageSize + embedderHeapUsedSize;
  };
  const worked = async (): Promise<number> => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return 1_000 * (metrics.find(({ name }) => name === "ThreadTime")?.value ?? 0);
  };
  const heapBefore = await held();
  await show();
  const workBefore = await worked();
  const lengths = await page.evaluate<number[]>(scrolling(frames));
  const workPerFrame = ((await worked()) - workBefore) / frames;
  const heap = (await held()) - heapBefore;
  await devtools.detach();
  return { frames: lengths.toSorted((one, other) => one - other), workPerFrame, heap };
}
