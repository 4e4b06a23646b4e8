import { readFileSync } from "node:fs";
import { nearestName } from "@loci/domain";
import { Command } from "commander";
import { addAssembleCommand } from "./commands/assemble.ts";
import { addBackupCommands } from "./commands/backup.ts";
import { addBlockEditCommands } from "./commands/block-edits.ts";
import { addBlockFileCommands } from "./commands/block-files.ts";
import { addBlockSchemaCommands } from "./commands/block-schemas.ts";
import { addBlocksCommands } from "./commands/blocks.ts";
import { addBrowseCommand } from "./commands/browse.ts";
import { addBudgetCommand } from "./commands/budget.ts";
import { addDoctorCommand } from "./commands/doctor.ts";
import { addCompletionCommand } from "./commands/completion.ts";
import { addEvaluateCommand } from "./commands/evaluate.ts";
import { addExportCommand } from "./commands/export.ts";
import { addImportCommand } from "./commands/import.ts";
import { addHealthCommand } from "./commands/health.ts";
import { addKeyCommands } from "./commands/key.ts";
import { addMaintenanceCommands } from "./commands/maintenance.ts";
import { addMcpCommand } from "./commands/mcp.ts";
import { addCaptureCommands } from "./commands/capture.ts";
import { addMemoriesCommands } from "./commands/memories.ts";
import { addRecallCommand } from "./commands/recall.ts";
import { addReceiptsCommands } from "./commands/receipts.ts";
import { addRememberCommand } from "./commands/remember.ts";
import { addScopesCommand } from "./commands/scopes.ts";
import { addServeCommand } from "./commands/serve.ts";
import { addShardsCommands } from "./commands/shards.ts";
import { addSessionsCommands } from "./commands/sessions.ts";
import { addStatusCommand } from "./commands/status.ts";
import { addWatchCommand } from "./commands/watch.ts";
import { addTokenCommand } from "./commands/token.ts";
import { addTokensCommand } from "./commands/tokens.ts";
import { addWhoamiCommand } from "./commands/whoami.ts";
import { printNote } from "./output/terminal.ts";
import type { CommandEnvironment } from "./command-environment.ts";

/**
 * Runs one command line.
 *
 * @throws CommanderError for a command line that makes no sense; `LociError` for a command that failed
 */
export async function runCommandLine(words: readonly string[], environment: CommandEnvironment): Promise<void> {
  await commandLine(words, environment).parseAsync(words, { from: "user" });
}

/** Everything that can be typed. @param words what is, for how errors are printed */
export function commandLine(words: readonly string[], environment: CommandEnvironment): Command {
  const program = new Command("loci")
    .description("Memory and context for AI agents.")
    .version(packageVersion(), "-V, --version")
    .exitOverride()
    .configureOutput({
      // Commander quotes what was typed. Where JSON is wanted, the error itself is printed as JSON at the end.
      writeErr: (text) => {
        if (!words.includes("--json")) printNote(text.trimEnd());
      },
    });
  addRememberCommand(program, environment);
  addRecallCommand(program, environment);
  addEvaluateCommand(program, environment);
  addAssembleCommand(program, environment);
  addReceiptsCommands(program, environment);
  addImportCommand(program, environment);
  addExportCommand(program, environment);
  addMemoriesCommands(program, environment);
  addScopesCommand(program, environment);
  addWatchCommand(program, environment);
  addSessionsCommands(program, environment);
  const blocks = program.command("blocks").description("keep what stands in every context of its owner");
  addBlocksCommands(blocks, environment);
  addBlockSchemaCommands(blocks, environment);
  addBlockEditCommands(blocks, environment);
  addBlockFileCommands(blocks, environment);
  addCaptureCommands(program, environment);
  addMaintenanceCommands(program, environment);
  addBackupCommands(program, environment);
  addTokensCommand(program, environment);
  addBudgetCommand(program, environment);
  addServeCommand(program);
  addShardsCommands(program, environment);
  addStatusCommand(program, environment);
  addWhoamiCommand(program, environment);
  addHealthCommand(program);
  addDoctorCommand(program);
  addKeyCommands(program);
  addTokenCommand(program);
  addBrowseCommand(program, environment);
  addMcpCommand(program, environment);
  addCompletionCommand(program);
  pointToHelp(program, "loci");
  pointToCommand(program);
  return program;
}

function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };
  return manifest.version;
}

/** What was typed wrongly is looked up where it was typed. @param path of the command, such as `loci blocks list` */
function pointToHelp(command: Command, path: string): void {
  command.showHelpAfterError(`(${path} --help shows the ${command.commands.length > 0 ? "commands" : "options"})`);
  for (const child of command.commands) pointToHelp(child, `${path} ${child.name()}`);
}

/** `loci forget` is not there, and `loci memories forget` is: a command of a group is looked for in all of them. */
function pointToCommand(program: Command): void {
  program.on("command:*", ([typed = ""]: readonly string[]) => {
    const inGroups = program.commands
      .filter(({ commands }) => commands.some((command) => command.name() === typed))
      .map((group) => `${group.name()} ${typed}`);
    const nearest = nearestName(
      typed,
      program.commands.map((command) => command.name()),
    );
    const meant = inGroups.length > 0 ? inGroups : nearest === undefined ? [] : [nearest];
    const advice =
      meant.length === 0 ? "" : `\n(Did you mean ${new Intl.ListFormat("en", { type: "disjunction" }).format(meant)}?)`;
    program.error(`error: unknown command '${typed}'${advice}`, { code: "commander.unknownCommand" });
  });
}
