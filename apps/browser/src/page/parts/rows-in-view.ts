/** The height of every row, as the style sheet has it. */
export const rowHeight = 36;

/** Browsers stop drawing somewhere above this; a list that would be taller is scrolled by its share. */
const mostPixels = 15_000_000;

/** How tall a list of so many rows is to its scroll bar. */
export function scrollHeight(count: number): number {
  return Math.min(count * rowHeight, mostPixels);
}

/** The row at the top of the window, with the fraction of it that is above. */
export function firstRow(scrollTop: number, windowHeight: number, count: number): number {
  const scrollable = scrollHeight(count) - windowHeight;
  if (scrollable <= 0) return 0;
  const last = count - windowHeight / rowHeight;
  return Math.max(0, Math.min(last, (scrollTop / scrollable) * last));
}

/** Where to scroll so that a row is at the top. */
export function scrollTopOf(row: number, windowHeight: number, count: number): number {
  const last = count - windowHeight / rowHeight;
  if (last <= 0) return 0;
  return (Math.min(row, last) / last) * (scrollHeight(count) - windowHeight);
}
