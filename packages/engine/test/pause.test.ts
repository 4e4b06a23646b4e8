import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const pauseModule = fileURLToPath(new URL("../src/calls/pause.ts", import.meta.url));

/** What a process prints that has nothing else to do than to pause. */
function printedAfter(pause: string): string {
  const program = `const pauses = await import(process.argv[1]); await pauses.${pause}(20); console.log("awake");`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", program, pauseModule], {
    encoding: "utf8",
  });
  return stdout.trim();
}

test("a pause of a call that somebody waits for keeps the process alive", () => {
  expect(printedAfter("pause")).toBe("awake");
});

test("a pause in the background does not", () => {
  expect(printedAfter("backgroundPause")).toBe("");
});
