const sectionsHeader = /^\s*\[\[\s*(?:sections|"sections"|'sections')\s*\]\]/;
const anyHeader = /^\s*\[/;

/**
 * The line, from 1, where a TOML text says something: the key's own, else that of the section, else of the list. Reads
 * the text by its lines, because the parser does not say where it found a value.
 */
export function tomlLineOf(text: string, path: string): number | undefined {
  const lines = text.split("\n");
  const found = /^sections\[(\d+)\](?:\.(.*))?$/.exec(path);
  if (found === null) return keyLine(lines, 0, path);
  const headers = lines.flatMap((line, index) => (sectionsHeader.test(line) ? [index] : []));
  const header = headers[Number(found[1])];
  if (header === undefined) return keyLine(lines, 0, "sections");
  const key = found[2];
  return (key === undefined ? undefined : keyLine(lines, header + 1, key)) ?? header + 1;
}

/** The line of a key, before the next table begins; of `rank.rag` also a line that sets all of `rank`. */
function keyLine(lines: readonly string[], start: number, key: string): number | undefined {
  const [first = ""] = key.split(".");
  for (let index = start; index < lines.length; index++) {
    const line = lines[index] as string;
    if (anyHeader.test(line)) return undefined;
    const name = /^\s*["']?([\w-]+)["']?\s*[.=]/.exec(line)?.[1];
    if (name === first) return index + 1;
  }
  return undefined;
}
