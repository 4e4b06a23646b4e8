import { LociError } from "@loci/domain";
import type { Finding } from "@loci/server";
import type { Command } from "commander";
import { findOwningServer } from "../config/open-data-directory.ts";
import { printFinding } from "../output/print-finding.ts";
import { printJson } from "../output/print-json.ts";
import { printLine } from "../output/terminal.ts";
import { addServerOptions, serverOf, type ServerOptions } from "./health.ts";

interface DoctorOptions extends ServerOptions {
  readonly config?: string;
}

/** Milliseconds that a server has to tell its status. */
const statusPatience = 5_000;

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
      const tell = (finding: Finding): void => {
        found.push(finding);
        if (json !== true) printFinding(finding);
      };
      for await (const finding of examine({ configurationFile, dataDirectory, server })) tell(finding);
      if (connect === undefined) for (const finding of await ofRunningServer(dataDirectory)) tell(finding);
      const count = (wanted: Finding["state"]): number => found.filter(({ state }) => state === wanted).length;
      if (json === true) printJson({ findings: found, failed: count("fail"), warned: count("warn") });
      else printLine(`${count("ok")} ok, ${count("warn")} to know about, ${count("fail")} that fail.`);
      if (count("fail") > 0) process.exitCode = 1;
    });
}

/**
 * What the server of the directory says of itself to whoever may read its note. None where none serves it: then the files were
 * looked at, and where it does not answer it was said before.
 */
async function ofRunningServer(dataDirectory: string | undefined): Promise<readonly Finding[]> {
  if ((await findOwningServer(dataDirectory)) === undefined) return [];
  const [{ connectLocalLoci }, { statusFindings }] = await Promise.all([
    import("@loci/client"),
    import("@loci/server"),
  ]);
  try {
    await using loci = connectLocalLoci({ dataDirectory, timeoutMilliseconds: statusPatience });
    return statusFindings(await loci.status());
  } catch (error) {
    if (!LociError.is(error)) throw error;
    // A server whose keys are its own lets nobody in by its note.
    return [];
  }
}
