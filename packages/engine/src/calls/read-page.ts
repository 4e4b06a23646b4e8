/**
 * What a page may take, in bytes of its rows as JSON. Well below the 4 MiB that gRPC takes by default, whoever asks, and
 * what one call should hold in memory.
 */
export const maxPageBytes: number = 2 * 1024 * 1024;

/** As many as are read before anything is known of their size: of the largest texts there are, 8 MiB. */
const firstRead = 128;

export interface PageRequest<Row> {
  /** The most rows of the page. */
  readonly limit: number;
  /** Rows after one, or from the beginning, in order. Fewer than asked for: there are no more. */
  readonly read: (after: Row | undefined, limit: number) => Promise<readonly Row[]>;
  /** What a row takes in the answer. */
  readonly bytesOf: (row: Row) => number;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** True when nothing comes after it. */
  readonly isLast: boolean;
}

/** Reads a page that ends by number or by size, whichever is first, and holds at least one row if there is any. */
export async function readPage<Row>({ limit, read, bytesOf }: PageRequest<Row>): Promise<Page<Row>> {
  const rows: Row[] = [];
  let bytes = 0;
  for (let wanted = firstRead; ;) {
    // One more than the page may have tells whether there is another.
    const asked = Math.min(wanted, limit + 1 - rows.length);
    const found = await read(rows.at(-1), asked);
    for (const row of found) {
      bytes += bytesOf(row);
      if (rows.length === limit || (rows.length > 0 && bytes > maxPageBytes)) return { rows, isLast: false };
      rows.push(row);
    }
    if (found.length < asked) return { rows, isLast: true };
    const average = Math.max(1, bytes / rows.length);
    wanted = Math.max(1, Math.ceil((maxPageBytes - bytes) / average));
  }
}
