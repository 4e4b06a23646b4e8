import { forTerminal } from "./format-text.ts";

/** A line on the terminal that says how far a piece of work is. Nothing is written where no person is watching. */
export interface ProgressLine extends Disposable {
  update(this: void, done: number, total: number): void;
}

/** Work that ends sooner than this shows no progress. */
const quietMilliseconds = 500;
const barWidth = 30;

/** Shows progress on standard error from half a second on, and wipes it when disposed. */
export function progressLine(label: string, { enabled }: { readonly enabled: boolean }): ProgressLine {
  const { stderr } = process;
  const visible = enabled && stderr.isTTY;
  const start = performance.now();
  let drawn = false;
  return {
    update(done, total) {
      if (!visible || performance.now() - start < quietMilliseconds) return;
      // There may be more to do than was counted.
      const filled = Math.min(barWidth, Math.round((done / Math.max(1, total)) * barWidth));
      stderr.write(`\r${"█".repeat(filled)}${"·".repeat(barWidth - filled)} ${done}/${total} ${forTerminal(label)}`);
      drawn = true;
    },
    [Symbol.dispose]() {
      if (drawn) stderr.write("\r\u001b[K");
    },
  };
}
