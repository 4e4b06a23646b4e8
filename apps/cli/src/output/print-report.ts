import type { MaintenanceReport } from "@loci/loci";
import { forTerminal } from "./format-text.ts";
import { printJson } from "./print-json.ts";
import { printLine } from "./terminal.ts";

/** Findings shown to a person; JSON has all of them. */
const shownFindings = 20;

/** Prints what came of a job. */
export function printReport(report: MaintenanceReport, json: boolean | undefined): void {
  if (json === true) {
    printJson(report);
    return;
  }
  const counts = Object.entries(report.counts).map(([name, count]) => `${count} ${inWords(name)}`);
  printLine(`${report.job}${report.dryRun ? " (nothing was changed)" : ""}: ${counts.join(", ") || "done"}`);
  for (const { memory, reason, details } of report.findings.slice(0, shownFindings)) {
    const numbers = Object.entries(details).map(([name, value]) => `${inWords(name)} ${value}`);
    printLine(forTerminal(`  ${reason}${memory === undefined ? "" : ` ${memory}`}  ${numbers.join(", ")}`));
  }
  const hidden = report.findings.length - shownFindings;
  if (hidden > 0) printLine(`  … and ${hidden} more: --json shows them.`);
  for (const note of report.notes) printLine(note);
}

/** `reclaimedBytes` → `reclaimed bytes`. */
function inWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
