/** A text as one word of bash and zsh. */
export function inQuotes(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A text as one word of fish, where a backslash counts inside quotes too. */
export function inFishQuotes(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
