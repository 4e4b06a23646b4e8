import { LociError } from "@loci/domain";
import type { DailyFiles, Loci } from "@loci/loci";
import type { Command } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import { addDataOptions, type DataOptions, withLoci, writeScope } from "../config/open-data-directory.ts";
import { printJson } from "../output/print-json.ts";
import { printLine, printResult } from "../output/terminal.ts";
import { parseNumber } from "./number-option.ts";
import { zoneOfComputer } from "./zone-of-computer.ts";

interface DailyOptions extends DataOptions {
  readonly zone?: string;
  readonly to?: string;
  readonly days?: number;
}

/** `loci sessions daily`. */
export function addDailyCommand(sessions: Command, { signal }: CommandEnvironment): void {
  addDataOptions(sessions.command("daily [date]"))
    .description("tell what was talked about on a day, yyyy-mm-dd (default: today)")
    .option("--zone <name>", "time zone, such as Europe/Berlin (default: this computer's)")
    .option("--to <directory>", "write this day and those before it as daily/yyyy-mm-dd.md in an agent's folder")
    .option("--days <number>", "with --to: how many days (default 7)", parseNumber)
    .action(async (given: string | undefined, options: DailyOptions) => {
      const timeZone = options.zone ?? zoneOfComputer();
      const scope = writeScope(options);
      if (options.days !== undefined && options.to === undefined)
        throw new LociError("INVALID_REQUEST", {
          message: "--days says how many files are written, and nothing says where.",
          field: "days",
          advice: "Name an agent's folder with --to, or leave --days out.",
        });
      const date = given ?? new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(Date.now());
      const work = async (loci: Loci): Promise<void> => {
        if (options.to !== undefined) {
          const { to: directory, days } = options;
          const { writeDailyFiles } = await import("@loci/loci");
          const files = await writeDailyFiles(loci, { scope, directory, until: date, days, timeZone, signal });
          if (options.json === true) printJson({ directory, timeZone, ...files });
          else printFiles(directory, files);
          return;
        }
        const text = await loci.sessions.dailyLog({ scope, date, timeZone }, { signal });
        if (options.json === true) printJson({ date, timeZone, text });
        else if (text === "") printLine(`Nothing was said on ${date} in ${scope}.`);
        else printResult(text.trimEnd());
      };
      await withLoci(options, "read", work);
    });
}

function printFiles(directory: string, files: DailyFiles): void {
  const said: Readonly<Record<keyof DailyFiles, string>> = {
    written: "written",
    unchanged: "as they should be",
    removed: "removed: nothing is left of these days",
    left: "left alone: somebody else's",
  };
  printLine(`${directory}: daily/yyyy-mm-dd.md`);
  for (const kind of ["written", "removed", "left", "unchanged"] as const)
    if (files[kind].length > 0) printLine(`  ${said[kind]}: ${files[kind].join(", ")}`);
}
