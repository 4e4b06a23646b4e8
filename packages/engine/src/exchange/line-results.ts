import { exportedTypes, type ExportedType, type ImportRecordsReport, type LeftOutLine, LociError } from "@loci/domain";
import type { ReadLine } from "./exported-line.ts";

/** Why a line was left out. */
export type LeftOut = Omit<LeftOutLine, "index">;

/** What became of a line. */
export type LineResult = "imported" | "unchanged" | "erased" | LeftOut;

type Placed = Pick<ReadLine, "type" | "index">;

/** What became of each line. Whoever has to decide again says so again: what was said last counts. */
export class LineResults {
  readonly #results = new Map<number, { readonly type: ExportedType; readonly result: LineResult }>();

  set({ type, index }: Placed, result: LineResult): void {
    this.#results.set(index, { type, result });
  }

  /** The report, with what was counted by itself. */
  report(): ImportRecordsReport {
    const all = [...this.#results].toSorted(([left], [right]) => left - right);
    const counts = exportedTypes.flatMap((type) => {
      const ofType = all.filter(([, each]) => each.type === type).map(([, { result }]) => result);
      const count = (wanted: LineResult): number => ofType.filter((result) => result === wanted).length;
      if (ofType.length === 0) return [];
      return [{ type, imported: count("imported"), unchanged: count("unchanged"), erased: count("erased") }];
    });
    const leftOut = all.flatMap(([index, { result }]) => (typeof result === "string" ? [] : [{ index, ...result }]));
    return leftOut.length === 0 ? { counts } : { counts, leftOut };
  }
}

/** Has an error say which line it is about. @throws LociError what `read` throws, with the line's path */
export function inLine<Result>(path: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!LociError.is(error)) throw error;
    const { reason, message, field, ...rest } = error.toJSON();
    const place = field === undefined ? path : `${path}.${field}`;
    throw new LociError(reason, { ...rest, message: `${path}: ${message}`, field: place, cause: error });
  }
}
