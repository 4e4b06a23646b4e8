import { pipeline } from "node:stream/promises";
import { forTerminal } from "./format-text.ts";

// Everything that a command says goes through here, and nothing else writes to a terminal: what was stored, said or read from
// a file may hold sequences that move the cursor, fill the clipboard or hide what is shown.

/** Writes a line to standard output. */
export function printLine(text: string): void {
  console.log(forTerminal(text));
}

/** Writes a line to standard error. */
export function printNote(text: string): void {
  console.error(forTerminal(text));
}

/** Writes a text for another program to read: to a file or a pipe as it is, to a terminal like any other line. */
export function printResult(text: string): void {
  console.log(process.stdout.isTTY ? forTerminal(text) : text);
}

/** Writes lines like {@link printResult}, as they come. A reader that takes its time is waited for. */
export async function printResultLines(lines: AsyncIterable<string>): Promise<void> {
  const { stdout } = process;
  const written = async function* (): AsyncGenerator<string> {
    for await (const line of lines) yield `${stdout.isTTY ? forTerminal(line) : line}\n`;
  };
  await pipeline(written, stdout, { end: false });
}

/** Begins again at the top of a terminal. A file or a pipe gets an empty line instead. */
export function clearTerminal(): void {
  if (process.stdout.isTTY) process.stdout.write("\u001b[H\u001b[2J");
  else printLine("");
}
