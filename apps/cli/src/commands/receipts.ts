import type { KeptReceipt } from "@loci/loci";
import type { Command } from "commander";
import type { CommandEnvironment } from "../command-environment.ts";
import { addConnectionOptions } from "../config/connection-options.ts";
import { type DataOptions, withLoci } from "../config/open-data-directory.ts";
import { forTerminal } from "../output/format-text.ts";
import { printJson } from "../output/print-json.ts";
import { printReceipts, printReceiptSummary } from "../output/print-receipts.ts";
import { printLine } from "../output/terminal.ts";
import { parseListLimit } from "./number-option.ts";

type ReceiptOptions = Omit<DataOptions, "scope">;

interface ListOptions extends ReceiptOptions {
  readonly limit: number;
}

/** `loci receipts list|show`: what contexts were made of that were assembled lately. */
export function addReceiptsCommands(program: Command, { signal }: CommandEnvironment): void {
  const receipts = program
    .command("receipts")
    .description("look up what contexts were made of that were assembled lately");

  addConnectionOptions(receipts.command("list"))
    .description("list the receipts that are kept, newest first")
    .option("--limit <number>", "most receipts", parseListLimit, 50)
    .option("--json", "print JSON for machines")
    .action(async (options: ListOptions) => {
      const found = await withLoci({ ...options, scope: [] }, "read", (loci) =>
        loci.receipts.list({ pageSize: options.limit }, { signal }),
      );
      if (options.json === true) return printJson(found);
      printReceipts(found);
      if (found.nextPageToken !== undefined) printLine(`… there are more: --limit ${options.limit * 2}`);
    });

  addConnectionOptions(receipts.command("show <id>"))
    .description("show one: its sections and items with their tokens, and which versions of memories they were")
    .option("--json", "print JSON for machines")
    .action(async (id: string, options: ReceiptOptions) => {
      const kept = await withLoci({ ...options, scope: [] }, "read", (loci) => loci.receipts.get(id, { signal }));
      if (options.json === true) printJson(kept);
      else await printReceipt(kept);
    });
}

async function printReceipt({ summary, receipt, memories }: KeptReceipt): Promise<void> {
  const { formatReceipt } = await import("@loci/loci");
  printReceiptSummary(summary);
  printLine("");
  printLine(forTerminal(formatReceipt({ receipt, usage: summary.usage, warnings: [] })).trimEnd());
  if (memories.length === 0) return;
  printLine("\nMemories, in the versions of then:");
  for (const { id, version } of memories) printLine(`${id}  version ${version}`);
}
