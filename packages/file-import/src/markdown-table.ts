/** What stands under the names of the columns, as {@link withoutPadding} leaves it. */
const underNames = /^\|?(?: ?:?-{1,3}:? ?\|)+(?: ?:?-{1,3}:?)? ?$/;

/** A table without what makes its columns stand below each other: that is for the eye, and is most of many tables. */
export function withoutPadding(table: string): string {
  const [names = "", under = "", ...rows] = table.split("\n").map(unpadded);
  return [names, under.replaceAll(/-{4,}/g, "---"), ...rows].join("\n");
}

/** What the rows of a table cannot be read without: the names of its columns. `undefined` for a block that is no table. */
export function columnNames(block: string): string | undefined {
  const [names, under] = block.split("\n", 2);
  return under !== undefined && underNames.test(under) ? `${names}\n${under}\n` : undefined;
}

function unpadded(line: string): string {
  const isBorder = (at: number): boolean => line.charAt(at) === "|";
  return line
    .replaceAll(/ {2,}/g, (spaces, at: number) => (isBorder(at - 1) || isBorder(at + spaces.length) ? " " : spaces))
    .trimEnd();
}
