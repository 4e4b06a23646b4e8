import { runCommandLine } from "./command-line.ts";
import { exitCodeOf, printError } from "./output/print-error.ts";

const interrupted = new AbortController();
process.once("SIGINT", () => interrupted.abort());
process.once("SIGTERM", () => interrupted.abort());
// A reader such as `head` may close its end early: that is not an error of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

try {
  await runCommandLine(process.argv.slice(2), { signal: interrupted.signal });
} catch (error) {
  printError(error, { json: process.argv.includes("--json") });
  process.exitCode = exitCodeOf(error);
}
