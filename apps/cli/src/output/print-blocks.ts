import type { BlockFieldChange, BlockOperation, BlockValue } from "@loci/loci";
import { forTerminal, oneLine } from "./format-text.ts";
import { printLine } from "./terminal.ts";

const width = 100;

/** Fields that differ, a line with `-` for each line that goes and one with `+` for each that comes. */
export function printFieldChanges(changes: readonly BlockFieldChange[]): void {
  if (changes.length === 0) printLine("  no difference");
  for (const { field, before, after } of changes) {
    const [left, right] = [linesOf(before), linesOf(after)];
    printLine(`  ${field}`);
    for (const line of left) if (!right.includes(line)) printLine(`  - ${line}`);
    for (const line of right) if (!left.includes(line)) printLine(`  + ${line}`);
  }
}

/** What somebody proposed an edit for. None of its lines can be taken for an operation or a change. */
export function printReason(reason: string): void {
  for (const line of forTerminal(reason).split("\n")) printLine(`  | ${line}`);
}

/** The operations of an edit with the positions that `--hunk` takes. */
export function printOperations(operations: readonly BlockOperation[]): void {
  for (const [hunk, { op, field, value }] of operations.entries())
    printLine(`  [${hunk}] ${op} ${field}: ${oneLine(linesOf(value).join("; "), width)}`);
}

function linesOf(value: BlockValue | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === "object" ? value : String(value).split("\n");
}
