import { resolve } from "node:path";
import { findListeningServer, locateDataDirectory } from "@loci/served-directory";
import type { Erasure } from "@loci/loci";
import type { Command } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import { encryptionSettings } from "../config/encryption-settings.ts";
import { addOperatorOptions, type OperatorOptions, withEngine } from "../config/operator-options.ts";
import { formatInstant } from "../output/format-text.ts";
import { boundedLines } from "../files/bounded-lines.ts";
import { printJson } from "../output/print-json.ts";
import { run } from "./maintenance.ts";
import { printLine } from "../output/terminal.ts";

/** `loci backup|restore|erasures`. */
export function addBackupCommands(program: Command, environment: CommandEnvironment): void {
  addOperatorOptions(program.command("backup <directory>"))
    .description(
      "copy the ledger into a new directory while it is in use (of a server: a name in its backup_directory)",
    )
    .action(async (given: string, options: OperatorOptions) => {
      if (await backUpShards(given, options, environment)) return;
      // A server takes a name, for its own backup directory.
      await run(
        (place) => ({ type: "backup", directory: place === "server" ? given : resolve(given) }),
        { ...options, isOfEveryTenant: true },
        environment,
      );
    });

  program
    .command("restore <backup>")
    .description("make a new data directory of a backup")
    .option("--data <directory>", "the new data directory (default: LOCI_DATA_DIR, else the XDG data home)")
    .option("--erasures <file>", "what was forgotten and erased since: erasures.jsonl of the newest backup")
    .option("--json", "print JSON for machines")
    .action(async (from: string, { data, erasures, json }: OperatorOptions & { erasures?: string }) => {
      const dataDirectory = locateDataDirectory(data);
      const { signal } = environment;
      const { restoreBackup } = await import("@loci/loci");
      const restored = await restoreBackup({
        from,
        dataDirectory,
        erasures: erasures === undefined ? undefined : readErasureFile(erasures),
        encryption: await encryptionSettings(),
        signal,
      });
      if (json === true) printJson({ dataDirectory, ...restored });
      else
        printLine(
          `${dataDirectory} is as it was on ${formatInstant(restored.createdAt)}. ` +
            `${restored.erased} memories were forgotten or erased again.`,
        );
    });

  addOperatorOptions(program.command("erasures"))
    .description("print what was forgotten and erased, as JSON lines, for the restore of an older backup")
    .action((options: OperatorOptions) =>
      withEngine(options, async (engine) => {
        for await (const erasure of engine.erasures()) printJson(erasure);
      }),
    );
}

/** Backs up all shards of a divided directory, by its server if there is one. @returns whether it is divided */
async function backUpShards(
  given: string,
  { connect, data, json }: OperatorOptions,
  { signal }: CommandEnvironment,
): Promise<boolean> {
  if (connect !== undefined) return false;
  const directory = resolve(given);
  const server = await findListeningServer(data);
  let shards: number | undefined;
  if (server === undefined) {
    const { backUpStopped } = await import("@loci/loci");
    const dataDirectory = locateDataDirectory(data);
    const encryption = await encryptionSettings();
    const division = await backUpStopped({ dataDirectory, target: directory, encryption, signal });
    shards = division?.shards;
  } else if (server.operatorSocket !== undefined) {
    const { askOperator } = await import("@loci/server");
    const answer = await askOperator(server.operatorSocket, { type: "backup", directory }, { signal });
    if (answer.type === "backedUp") ({ shards } = answer);
  }
  if (shards === undefined) return false;
  if (json === true) printJson({ directory, shards });
  else printLine(`${directory} has a backup of ${shards} shards.`);
  return true;
}

async function* readErasureFile(file: string): AsyncGenerator<Erasure> {
  const { parseErasure } = await import("@loci/loci");
  let number = 0;
  for await (const line of boundedLines(file)) if (line.trim() !== "") yield parseErasure(line, `${file}:${++number}`);
}
