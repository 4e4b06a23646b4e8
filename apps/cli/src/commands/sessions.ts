import { parseScope } from "@loci/domain";
import type { Loci, SessionKey } from "@loci/loci";
import type { Command } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import { captureModelOfVariables } from "../config/capture-model.ts";
import { addDataOptions, type DataOptions, readScopes, withLoci, writeScope } from "../config/open-data-directory.ts";
import { counted } from "../output/format-text.ts";
import { printJson } from "../output/print-json.ts";
import { printSession, printSessionLines, printTurns } from "../output/print-sessions.ts";
import { printLine } from "../output/terminal.ts";
import { captureClosed, isCapturedWhenClosed, printCaptureSummary } from "../sessions/capture-closed.ts";
import { parseNumber } from "./number-option.ts";
import { addDailyCommand } from "./sessions-daily.ts";
import { addSessionsImportCommand } from "./sessions-import.ts";
import { everySession, newestTurns, turnsFrom } from "../sessions/read-sessions.ts";

interface ListOptions extends DataOptions {
  readonly state?: "open" | "closed";
}

interface TurnOptions extends DataOptions {
  readonly from: number;
  readonly limit: number;
}

interface TailOptions extends DataOptions {
  readonly lines: number;
}

/** `loci sessions list|show|tail|close|reopen|delete|state|daily|import`. */
export function addSessionsCommands(program: Command, environment: CommandEnvironment): void {
  const sessions = program
    .command("sessions")
    .description("look at conversations, turn by turn; close, import and delete them");
  addListCommand(sessions, environment);
  addTurnCommands(sessions, environment);
  addChangeCommands(sessions, environment);
  addStateCommand(sessions, environment);
  addDailyCommand(sessions, environment);
  addSessionsImportCommand(sessions, environment);
}

function addListCommand(sessions: Command, { signal }: CommandEnvironment): void {
  addDataOptions(sessions.command("list"))
    .description("list sessions, the one that was changed last first")
    .option("--state <state>", "open or closed ones only")
    .action(async (options: ListOptions) => {
      const found = await withLoci(options, "read", (loci) =>
        everySession(loci, { scopes: readScopes(options), state: options.state }, signal),
      );
      if (options.json === true) printJson({ sessions: found });
      else if (found.length > 0) printSessionLines(found);
      else
        printLine(
          `No sessions in ${options.scope.join(", ")}. Other scopes: --scope; \`loci scopes\` lists those that hold memories.`,
        );
    });
}

function addTurnCommands(sessions: Command, { signal }: CommandEnvironment): void {
  addDataOptions(sessions.command("show <id>"))
    .description("show a session and its turns")
    .option("--from <turn>", "the first turn", parseNumber, 1)
    .option("--limit <number>", "most turns", parseNumber, 50)
    .action(async (id: string, options: TurnOptions) => {
      const key = { scope: writeScope(options), id };
      const { session, turns } = await withLoci(options, "read", async (loci) => ({
        session: await loci.sessions.get(key, { signal }),
        turns: await turnsFrom(loci, key, { first: options.from, limit: options.limit }, signal),
      }));
      if (options.json === true) return printJson({ session, turns });
      printSession(session);
      printTurns(turns);
      const last = turns.at(-1)?.number ?? session.lastTurn;
      if (last < session.lastTurn)
        printLine(`\n… ${session.lastTurn - last} more: --from ${last + 1}, or the end: loci sessions tail ${id}`);
    });

  addDataOptions(sessions.command("tail <id>"))
    .description("show the last turns of a session")
    .option("--lines <number>", "how many turns", parseNumber, 10)
    .action(async (id: string, options: TailOptions) => {
      const key = { scope: writeScope(options), id };
      const turns = await withLoci(options, "read", (loci) => newestTurns(loci, key, options.lines, signal));
      if (options.json === true) printJson({ turns });
      else if (turns.length > 0) printTurns(turns);
      else printLine("It has no turns yet.");
    });
}

function addChangeCommands(sessions: Command, { signal }: CommandEnvironment): void {
  addDataOptions(sessions.command("close <id>"))
    .description("let a session take no more turns, and make memories of it unless its captures are off")
    .action(async (id: string, options: DataOptions) => {
      const scope = writeScope(options);
      const key = { scope: parseScope(scope), id };
      const { session, captures } = await withLoci(options, "read", async (loci, place) => {
        if (place === "process") await checkCaptureModel(loci, key, signal);
        return {
          session: await loci.sessions.close(key, undefined, { signal }),
          captures: await captureClosed(loci, key, signal),
        };
      });
      if (options.json === true) printJson({ ...session, captures });
      else {
        printLine(`Closed: ${session.id}, ${counted(session.lastTurn, "turn")}`);
        printCaptureSummary(id, scope, captures);
      }
    });

  addDataOptions(sessions.command("reopen <id>"))
    .description("let a session take turns again")
    .action(async (id: string, options: DataOptions) => {
      const key = { scope: writeScope(options), id };
      const session = await withLoci(options, "read", (loci) => loci.sessions.reopen(key, undefined, { signal }));
      if (options.json === true) printJson(session);
      else printLine(`Open again: ${session.id}, ${counted(session.lastTurn, "turn")}`);
    });

  addDataOptions(sessions.command("delete <id>"))
    .description("delete a session with its turns; memories made from it stay")
    .action(async (id: string, options: DataOptions) => {
      const key = { scope: writeScope(options), id };
      await withLoci(options, "read", (loci) => loci.sessions.delete(key, undefined, { signal }));
      if (options.json === true) printJson({ deleted: id });
      else printLine(`Deleted: ${id}`);
    });
}

/**
 * What captures the session is looked at before it is closed, so that nothing is half done; one that is not captured needs no model.
 *
 * @throws LociError `INVALID_CONFIGURATION` for a model that this process cannot ask
 */
async function checkCaptureModel(loci: Loci, key: SessionKey, signal: AbortSignal | undefined): Promise<void> {
  if (isCapturedWhenClosed(await loci.sessions.get(key, { signal }))) await captureModelOfVariables(true);
}

function addStateCommand(sessions: Command, { signal }: CommandEnvironment): void {
  addDataOptions(sessions.command("state <id>"))
    .description("show where an agent stands in the work of a session")
    .action(async (id: string, options: DataOptions) => {
      const key = { scope: writeScope(options), id };
      const { kept, summary } = await withLoci(options, "read", async (loci) => ({
        kept: await loci.sessions.turnState.load(key, { signal }),
        summary: await loci.sessions.turnState.summaryForContext(key, { signal }),
      }));
      if (options.json === true) printJson(kept);
      else printLine(kept.etag === undefined ? "Nothing was saved yet." : summary);
    });
}
