import type { Finding } from "@loci/server";
import { printLine } from "./terminal.ts";

const checkWidth = 14;
const indent = " ".repeat(5 + checkWidth);

/** One line of what was found, and one of what to do. */
export function printFinding({ check, state, message, advice }: Finding): void {
  printLine(`${state.padEnd(5)}${check.padEnd(checkWidth)}${message}`);
  if (advice !== undefined) printLine(`${indent}${advice}`);
}
