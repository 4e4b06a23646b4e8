import { LociError } from "@loci/domain";
import type { BlockOperation } from "@loci/loci";
import { type Command, InvalidArgumentError } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import { addDataOptions, type DataOptions, withLoci, writeScope } from "../config/open-data-directory.ts";
import { writeBlocks } from "../config/write-blocks.ts";
import { printFieldChanges, printOperations, printReason } from "../output/print-blocks.ts";
import { printJson } from "../output/print-json.ts";
import { printLine } from "../output/terminal.ts";

interface ProposeOptions extends DataOptions {
  readonly operation: readonly BlockOperation[];
  readonly reason?: string;
}

interface ApproveOptions extends DataOptions {
  readonly hunk?: readonly number[];
  readonly dryRun?: boolean;
}

/** `loci blocks propose|pending|approve|reject|withdraw`. */
export function addBlockEditCommands(blocks: Command, { signal }: CommandEnvironment): void {
  addDataOptions(blocks.command("propose <label>"))
    .description("propose a change of a block, which waits for approval")
    .requiredOption(
      "--operation <json>",
      'such as {"op":"append","field":"facts","value":"likes tea"}; may be repeated',
      parseOperation,
    )
    .option("--reason <text>", "what it is for")
    .action(async (label: string, { operation: operations, reason, ...options }: ProposeOptions) => {
      const request = { owner: writeScope(options), label, operations, reason };
      const edit = await writeBlocks(options, signal, (loci) => loci.blocks.propose(request, { signal }));
      if (options.json === true) printJson(edit);
      else printLine(edit.state === "pending" ? `Proposed as ${edit.id}.` : `Took effect at once: ${edit.id}.`);
    });

  addDataOptions(blocks.command("pending [label]"))
    .description("show the edits that wait for approval, and what each would change")
    .action(async (label: string | undefined, options: DataOptions) => {
      const details = await withLoci(options, "read", async (loci) => {
        const { edits } = await loci.blocks.listEdits({ owner: writeScope(options), label }, { signal });
        return Promise.all(edits.map(({ id }) => loci.blocks.getEdit({ id }, { signal })));
      });
      if (options.json === true) printJson({ edits: details });
      else {
        if (details.length === 0) printLine("Nothing waits for approval.");
        for (const { edit, preview, conflict } of details) {
          printLine(`${edit.id}  ${edit.label}  by ${edit.proposer}${edit.stale ? "  (stale)" : ""}`);
          if (edit.reason !== undefined) printReason(edit.reason);
          printOperations(edit.operations);
          if (conflict !== undefined) {
            printLine(`  cannot be applied now: ${conflict}`);
            printLine(`  if the block stays as it is: loci blocks reject ${edit.id}`);
          } else if (preview !== undefined) printFieldChanges(preview.diff);
        }
      }
    });

  addDataOptions(blocks.command("approve <id>"))
    .description("approve an edit, all of it or some of its operations")
    .option("--hunk <number...>", "only these operations, from 0; the others are rejected", parsePositions)
    .option("--dry-run", "only show what would change")
    .action(async (id: string, options: ApproveOptions) => {
      const { hunk: hunks } = options;
      const approved = await writeBlocks(options, signal, async (loci) => {
        const { edit, preview, conflict } = await loci.blocks.getEdit({ id, hunks }, { signal });
        if (preview === undefined) throw notToBeApproved(edit.state, conflict);
        const { baseVersion, contentHash, diff } = preview;
        if (options.json !== true) printFieldChanges(diff);
        const validateOnly = options.dryRun === true;
        return loci.blocks.approve({ id, baseVersion, contentHash, hunks, validateOnly }, { signal });
      });
      if (options.json === true) printJson(approved);
      else if (options.dryRun === true) printLine("Nothing was written.");
      else printLine(`${approved.block.label} is at version ${approved.block.version}.`);
    });

  for (const [word, done] of [
    ["reject", "Rejected"],
    ["withdraw", "Withdrawn"],
  ] as const)
    addDataOptions(blocks.command(`${word} <id>`))
      .description(word === "reject" ? "reject an edit" : "take back an edit that you proposed")
      .action(async (id: string, options: DataOptions) => {
        const edit = await writeBlocks(options, signal, (loci) => loci.blocks[word](id, { signal }));
        if (options.json === true) printJson(edit);
        else printLine(`${done}: ${id}`);
      });
}

/** The engine checks what is in it. */
function parseOperation(value: string, before: readonly BlockOperation[] = []): readonly BlockOperation[] {
  try {
    return [...before, JSON.parse(value) as BlockOperation];
  } catch {
    throw new InvalidArgumentError("It must be an operation as JSON.");
  }
}

function parsePositions(value: string, before: readonly number[] = []): readonly number[] {
  const position = Number(value);
  if (/^\d{1,3}$/u.test(value)) return [...before, position];
  throw new InvalidArgumentError("It must be the position of an operation, from 0.");
}

function notToBeApproved(state: string, conflict: string | undefined): LociError {
  return conflict === undefined
    ? new LociError("EDIT_NOT_PENDING", {
        message: `The edit is ${state}.`,
        advice: "Propose the change again if it is still wanted.",
      })
    : new LociError("EDIT_CONFLICT", { message: conflict, advice: "Reject it, or have it proposed again." });
}
