/** Rows of cells as lines of equal columns, two spaces between them: numbers to the right, words to the left. */
export function textTable(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  return rows.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** A whole number with commas between the thousands, whatever the machine's language. */
export function formatNumber(value: number): string {
  const digits = String(value);
  let text = digits.slice(-3);
  for (let end = digits.length - 3; end > 0; end -= 3) text = `${digits.slice(Math.max(0, end - 3), end)},${text}`;
  return text;
}

export function formatPercent(ratio: number): string {
  return `${Math.round(ratio * 100)}%`;
}

/** Three decimals, nothing for what is not known. */
export function formatScore(score: number | undefined): string {
  return score === undefined ? "" : score.toFixed(3);
}

function pad(cell: string, width: number): string {
  return /^[x+]?[\d,.]+%?$/.test(cell) ? cell.padStart(width) : cell.padEnd(width);
}
