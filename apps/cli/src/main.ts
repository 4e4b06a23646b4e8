import { runCommandLine } from "./command-line.ts";
import { endOnSignal } from "./end-on-signal.ts";
import { exitCodeOf, printError } from "./output/print-error.ts";

const signal = endOnSignal();
// A reader such as `head` may close its end early: that is not an error of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

try {
  await runCommandLine(process.argv.slice(2), { signal });
} catch (error) {
  printError(error, { json: process.argv.includes("--json") });
  process.exitCode = exitCodeOf(error);
}
