import type { Command } from "commander";
import { LociError } from "@loci/domain";
import type { CaptureExtractor, CaptureJob, ListCapturesRequest, Loci, ScopeText } from "@loci/loci";
import type { CommandEnvironment } from "../command-environment.ts";
import { addDataOptions, type DataOptions, readScopes, withLoci } from "../config/open-data-directory.ts";
import { forTerminal } from "../output/format-text.ts";
import { printCapture, printReviews } from "../output/print-captures.ts";
import { printJson } from "../output/print-json.ts";
import { printLine } from "../output/terminal.ts";
import { addEvidenceCommand } from "./capture-evidence.ts";
import { addLessonCommand } from "./capture-lesson.ts";
import { parseListLimit, parseNumber } from "./number-option.ts";

interface RunOptions extends DataOptions {
  readonly first?: number;
  readonly last?: number;
  readonly project?: ScopeText;
  readonly extractor?: CaptureExtractor;
  readonly dryRun?: boolean;
}

interface ListOptions extends DataOptions {
  readonly limit: number;
}

interface DecideOptions extends DataOptions {
  readonly etag?: string;
}

interface ListCapturesOptions extends ListOptions {
  readonly allScopes?: boolean;
  readonly dead?: boolean;
}

/** `loci capture run|report|list|evidence|undo|replay|lesson|reviews|approve|reject`. */
export function addCaptureCommands(program: Command, environment: CommandEnvironment): void {
  const { signal } = environment;
  const capture = program.command("capture").description("make memories of what was said in sessions");
  const shown = (job: CaptureJob, options: DataOptions): void => {
    if (options.json === true) printJson(job);
    else printCapture(job);
  };

  addDataOptions(capture.command("run <session>"))
    .description("make memories of a session of the scope: of what was not captured yet, or of some turns")
    .option("--first <number>", "first turn", parseNumber)
    .option("--last <number>", "last turn", parseNumber)
    .option("--project <scope>", "where statements on the project belong, such as project:loci")
    .option("--extractor <name>", "auto, rules or model")
    .option("--dry-run", "write nothing, and show what would be made")
    .action(async (id: string, options: RunOptions) => {
      const turns =
        options.first === undefined && options.last === undefined
          ? undefined
          : { first: options.first, last: options.last };
      const job = await withLoci(capturing(options), "read", async (loci) => {
        const started = await loci.captures.start(
          {
            session: { scope: onlyScope(options), id },
            turns,
            projectScope: options.project,
            extractor: options.extractor,
            dryRun: options.dryRun,
          },
          { signal },
        );
        return options.dryRun === true ? started : loci.captures.wait(started.id, { signal });
      });
      shown(job, options);
    });

  addDataOptions(capture.command("report <session|id>"))
    .description("show what the captures of a session of the scope, or one capture, made of each statement, and why")
    .action(async (named: string, options: DataOptions) => {
      const jobs = await withLoci(options, "read", (loci) => reported(loci, named, { options, signal }));
      if (options.json === true) printJson({ captures: jobs });
      else {
        for (const job of jobs) printCapture(job);
        if (jobs.length === 0) printLine(noneYet);
      }
    });

  addDataOptions(capture.command("list [session]"))
    .description("list the captures of a session of the scope, or of all sessions of the scopes")
    .option("--all-scopes", "every scope there is, instead of --scope")
    .option("--dead", "those only that have failed for good")
    .option("--limit <number>", "most captures", parseListLimit, 50)
    .action(async (id: string | undefined, options: ListCapturesOptions) => {
      const request = { ...listed(id, options), pageSize: options.limit };
      const found = await withLoci(options, "read", (loci) => loci.captures.list(request, { signal }));
      if (options.json === true) return printJson(found);
      for (const job of found.captures) printCapture(job, { withScope: id === undefined });
      if (found.captures.length === 0) printLine(id === undefined ? noneThere(options) : noneYet);
      if (found.nextPageToken !== undefined) printLine(`… there are more: --limit ${options.limit * 2}`);
    });

  addEvidenceCommand(capture, environment);

  addDataOptions(capture.command("undo <id>"))
    .description("forget what a capture added, and open again what it closed")
    .action(async (id: string, options: DataOptions) =>
      shown(await withLoci(options, "read", (loci) => loci.captures.undo(id, { signal })), options),
    );

  addDataOptions(capture.command("replay <id>"))
    .description("show what the capture would make of its turns now; writes nothing")
    .option("--extractor <name>", "auto, rules or model")
    .action(async (id: string, options: RunOptions) =>
      shown(
        await withLoci(capturing(options), "read", (loci) =>
          loci.captures.replay(id, { extractor: options.extractor }, { signal }),
        ),
        options,
      ),
    );

  addLessonCommand(capture, environment);

  addDataOptions(capture.command("reviews"))
    .description("list memories that wait for approval")
    .option("--limit <number>", "most reviews", parseListLimit, 50)
    .action(async (options: ListOptions) => {
      const found = await withLoci(options, "read", (loci) =>
        loci.captures.reviews.list({ scopes: readScopes(options), pageSize: options.limit }, { signal }),
      );
      if (options.json === true) printJson(found);
      else printReviews(found.reviews);
    });

  for (const decision of ["approve", "reject"] as const)
    addDataOptions(capture.command(`${decision} <id>`))
      .description(
        decision === "approve"
          ? "let a memory that waits be recalled, or a rule that is only shown be followed; the id is of its review or its own"
          : "forget a memory that waits",
      )
      .option("--etag <etag>", "only if the memory is as you have looked at it. Default: as it is now")
      .action(async (id: string, options: DecideOptions) => {
        const precondition = options.etag === undefined ? undefined : { etag: options.etag };
        const memory = await withLoci(options, "read", (loci) =>
          loci.captures.reviews.decide(id, decision, precondition, { signal }),
        );
        if (options.json === true) printJson({ review: id, decision, memory });
        else if (decision === "reject") printLine(`Rejected: ${id}`);
        else printLine(`Approved: ${memory?.id ?? id}\n${forTerminal(memory?.text ?? "")}`);
      });
}

const noneYet = "None yet. A closed session is captured in the background; loci capture run does it now.";

/** @throws LociError `INVALID_REQUEST` for a session in all scopes */
function listed(id: string | undefined, options: ListCapturesOptions): ListCapturesRequest {
  const { allScopes = false, dead = false } = options;
  const states = dead ? { states: ["dead"] as const } : {};
  if (id === undefined) return { scopes: allScopes ? "*" : readScopes(options), ...states };
  if (!allScopes) return { session: { scope: onlyScope(options), id }, ...states };
  throw new LociError("INVALID_REQUEST", {
    message: "A session belongs to one scope.",
    field: "--all-scopes",
    advice: "Leave the session or --all-scopes out.",
  });
}

function noneThere({ scope, allScopes = false, dead = false }: ListCapturesOptions): string {
  const where = allScopes ? "in any scope" : `in ${scope.join(", ")}. All scopes: --all-scopes`;
  return `No ${dead ? "dead captures" : "captures"} ${where}.`;
}

/** The capture with that id; else the captures of the session with that id, whole, in the order of what was said. */
async function reported(
  loci: Loci,
  named: string,
  { options, signal }: { readonly options: DataOptions; readonly signal: AbortSignal | undefined },
): Promise<readonly CaptureJob[]> {
  const call = { signal };
  try {
    return [await loci.captures.get(named, call)];
  } catch (error) {
    if (!LociError.is(error) || !noCapture.has(error.reason)) throw error;
  }
  const session = { scope: onlyScope(options), id: named };
  const { captures } = await loci.captures.list({ session, pageSize: 1_000 }, call);
  // Which also says when there is no such session.
  if (captures.length === 0) await loci.sessions.get(session, call);
  const whole: CaptureJob[] = [];
  for (const { id } of captures) whole.push(await loci.captures.get(id, call));
  return whole.toSorted((left, right) => left.turns.first - right.turns.first || left.createdAt - right.createdAt);
}

const noCapture: ReadonlySet<string> = new Set(["CAPTURE_NOT_FOUND", "INVALID_IDENTIFIER"]);

/** Only rules need no model. */
function capturing(options: RunOptions): DataOptions {
  return { ...options, captures: options.extractor !== "rules" };
}

/** A session belongs to one scope: the first that is named. */
function onlyScope(options: DataOptions): ScopeText {
  return options.scope[0] as ScopeText;
}
