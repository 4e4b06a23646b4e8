import type { Finding } from "@loci/server";
import type { Command } from "commander";
import { printFinding } from "../output/print-finding.ts";
import { printJson } from "../output/print-json.ts";
import { printLine } from "../output/terminal.ts";
import { addServerOptions, serverOf, type ServerOptions } from "./health.ts";

interface DoctorOptions extends ServerOptions {
  readonly config?: string;
}

/** `loci doctor`: what is wrong with a deployment, and what to do. Exit code 1 when something does not work. */
export function addDoctorCommand(program: Command): void {
  addServerOptions(program.command("doctor"))
    .description(
      "look at everything a server stands on and say what to do; changes nothing (exit code 1: something fails)",
    )
    .option("--config <file>", "the server's TOML file, to look at its keys, TLS files and models, too")
    .action(async (options: DoctorOptions) => {
      const { examine } = await import("@loci/server");
      const { config: configurationFile, data: dataDirectory, connect, json } = options;
      const server = connect === undefined ? undefined : serverOf(options);
      const found: Finding[] = [];
      for await (const finding of examine({ configurationFile, dataDirectory, server })) {
        found.push(finding);
        if (json !== true) printFinding(finding);
      }
      const count = (wanted: Finding["state"]): number => found.filter(({ state }) => state === wanted).length;
      if (json === true) printJson({ findings: found, failed: count("fail"), warned: count("warn") });
      else printLine(`${count("ok")} ok, ${count("warn")} to know about, ${count("fail")} that fail.`);
      if (count("fail") > 0) process.exitCode = 1;
    });
}
