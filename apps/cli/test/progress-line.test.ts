import { afterEach, expect, test, vi } from "vitest";
import { progressLine } from "../src/output/progress-line.ts";

afterEach(() => vi.restoreAllMocks());

/** What is written to a terminal when so much of a total is done, a second after the work began. */
function drawn(done: number, total: number, { isTerminal = true, after = 1_000 } = {}): string {
  const { isTTY } = process.stderr;
  const start = performance.now();
  let text = "";
  const write = vi.spyOn(process.stderr, "write").mockImplementation((part) => {
    text += String(part);
    return true;
  });
  process.stderr.isTTY = isTerminal;
  try {
    using progress = progressLine("verify", { enabled: true });
    vi.spyOn(performance, "now").mockReturnValue(start + after);
    progress.update(done, total);
  } finally {
    process.stderr.isTTY = isTTY;
    write.mockRestore();
  }
  return text;
}

test("shows how far the work is, and wipes that in the end", () => {
  expect(drawn(1, 3)).toBe(`\r${"█".repeat(10)}${"·".repeat(20)} 1/3 verify\r\u001b[K`);
  expect(drawn(0, 0)).toContain("·".repeat(30));
});

test("work that turns out to be more than was counted shows a full bar", () => {
  expect(drawn(7, 3)).toBe(`\r${"█".repeat(30)} 7/3 verify\r\u001b[K`);
});

test("nothing is shown where nobody watches, and of work that is soon done", () => {
  expect(drawn(1, 3, { isTerminal: false })).toBe("");
  expect(drawn(1, 3, { after: 100 })).toBe("");
});
