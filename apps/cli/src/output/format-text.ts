import type { Instant } from "@loci/loci";

/** What would move the cursor, change colours or hide text in a terminal. */
export const terminalControls: RegExp = /[[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]--[\t\n]]/gv;

/** Text as it may be written to a terminal: control and bidirectional characters are shown as `\u{…}`, CRLF as line breaks. */
export function forTerminal(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(terminalControls, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`);
}

/** The beginning of a text on one line. */
export function oneLine(text: string, length: number): string {
  const line = forTerminal(text.replace(/\s+/gu, " ").trim());
  return line.length <= length ? line : `${line.slice(0, length - 1).trimEnd()}…`;
}

/** `2026-11-22 09:30`, in UTC. */
export function formatInstant(instant: Instant | undefined): string {
  return instant === undefined ? "–" : new Date(instant).toISOString().slice(0, 16).replace("T", " ");
}

/** A bar of `width` cells for a value between 0 and 1. */
export function bar(value: number, width: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, value)) * width);
  return "█".repeat(filled) + "·".repeat(width - filled);
}

/** `1 turn`, `2 turns`. */
export function counted(count: number, noun: string, plural: string = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
