import { LociError, memoryId } from "@loci/domain";
import type { Loci, MemoryEvidence } from "@loci/loci";
import type { Command } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import { addDataOptions, type DataOptions, withLoci } from "../config/open-data-directory.ts";
import { formatInstant, forTerminal } from "../output/format-text.ts";
import { printJson } from "../output/print-json.ts";
import { printLine } from "../output/terminal.ts";

interface QuotedEvidence extends MemoryEvidence {
  /** The words. Absent: the session or the turn is not there any more. */
  readonly quote?: string | undefined;
}

/** `loci capture evidence MEMORY`: the words of sessions that a memory rests on. */
export function addEvidenceCommand(capture: Command, { signal }: CommandEnvironment): void {
  addDataOptions(capture.command("evidence <memory>"))
    .description("show the words of sessions that a memory rests on")
    .action(async (id: string, options: DataOptions) => {
      const evidence = await withLoci(options, "read", async (loci) => {
        const found = await loci.captures.evidence(memoryId(id), { signal });
        return Promise.all(found.map((each) => quoted(loci, each, signal)));
      });
      if (options.json === true) return printJson({ evidence });
      if (evidence.length === 0) printLine("It rests on no session: nobody captured it.");
      for (const { session, turn, at, quote } of evidence) {
        printLine(`${forTerminal(session.id)}  turn ${turn}  ${formatInstant(at)}`);
        for (const line of (quote ?? "(not there any more)").split("\n")) printLine(`  | ${line}`);
      }
    });
}

async function quoted(loci: Loci, evidence: MemoryEvidence, signal: AbortSignal): Promise<QuotedEvidence> {
  const { session, turn, start, end } = evidence;
  try {
    const { turns } = await loci.sessions.turns(session, { first: turn, last: turn }, { signal });
    return { ...evidence, quote: turns[0]?.content.slice(start, end) };
  } catch (error) {
    if (LociError.is(error) && error.reason === "SESSION_NOT_FOUND") return evidence;
    throw error;
  }
}
