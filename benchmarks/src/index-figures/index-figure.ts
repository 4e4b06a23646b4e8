import type { CallFigure } from "../measure/measure-calls.ts";

/** One line of the report: a time, or a plain number, next to what it is held against. */
export interface IndexFigure {
  readonly name: string;
  /** Of calls, in milliseconds. */
  readonly calls?: CallFigure;
  /** Of anything else. */
  readonly value?: number;
  readonly unit?: "s" | "MiB" | "GB" | "share" | "memories/s" | "×";
  readonly target?: { readonly p50?: number; readonly p99?: number; readonly most?: number; readonly least?: number };
}

/** By the minimum of CPU time where it is told: on a shared machine all else measures the others too. */
export function verdictOf({ calls, value, target }: IndexFigure): "met" | "met at best" | "missed" | "" {
  if (target === undefined) return "";
  const { p50 = Infinity, p99 = Infinity, most = Infinity, least = -Infinity } = target;
  if (calls === undefined) return (value ?? Number.NaN) <= most && (value ?? Number.NaN) >= least ? "met" : "missed";
  if (calls.cpu.p50 <= p50 && calls.cpu.p99 <= p99) return "met";
  return calls.cpu.minimum <= p50 ? "met at best" : "missed";
}
