/** Gives the reader a file of lines. Its name is the page's own, whatever the lines say. */
export function saveLines(name: string, lines: readonly string[]): void {
  const url = URL.createObjectURL(
    new Blob(
      lines.map((line) => `${line}\n`),
      { type: "application/jsonl" },
    ),
  );
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
