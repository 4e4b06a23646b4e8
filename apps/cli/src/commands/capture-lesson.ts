import type { Command } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import { addDataOptions, type DataOptions, withLoci, writeScope } from "../config/open-data-directory.ts";
import { printJson } from "../output/print-json.ts";
import { printLine } from "../output/terminal.ts";

interface LessonOptions extends DataOptions {
  readonly failure: string;
  readonly tag?: readonly string[];
}

/** `loci capture lesson TEXT`: what is to be done from now on, after something went wrong. */
export function addLessonCommand(capture: Command, { signal }: CommandEnvironment): void {
  addDataOptions(capture.command("lesson <text>"))
    .description(
      "remember what is to be done from now on, after something went wrong; it is followed once it is approved",
    )
    .requiredOption("--failure <text>", "what went wrong, in at most 500 characters")
    .option("--tag <tag...>", "what it is about, such as the names of tools; at most 8")
    .action(async (lesson: string, options: LessonOptions) => {
      const input = { scope: writeScope(options), failure: options.failure, lesson, tags: options.tag };
      const memory = await withLoci(options, "write", (loci) => loci.captures.recordPostMortem(input, { signal }));
      if (options.json === true) printJson(memory);
      else if (memory.state === "active") printLine(`Remembered, and approved: ${memory.id}`);
      else printLine(`Waits for approval: ${memory.id}`);
    });
}
