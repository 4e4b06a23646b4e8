import { terminalControls } from "./format-text.ts";
import { printLine } from "./terminal.ts";

/** A value as one line of JSON, in which nothing can steer a terminal: JSON has escapes of its own for that. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    terminalControls,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Prints a value as one line of JSON. */
export function printJson(value: unknown): void {
  printLine(jsonLine(value));
}
