import type { CallFigure } from "../measure/measure-calls.ts";
import { formatTime } from "../report/format-table.ts";
import type { Traffic } from "./count-traffic.ts";
import { measuredKind, type StoreKind } from "./measured-kinds.ts";
import type { RateFigure, StoreFigures, StoresReport } from "./store-figures.ts";

/** The most a search through Loci is to take beyond the database's own, in percent. */
const overheadTarget = 15;

type Cell = (figures: StoreFigures) => string;

const isEmulated = (kind: StoreKind): boolean => measuredKind(kind).server === "emulator";

/** An emulator's times say nothing about the service. */
const timed =
  (cell: Cell): Cell =>
  (figures) =>
    isEmulated(figures.store) ? "–" : cell(figures);
const calls = (figure: (figures: StoreFigures) => CallFigure | undefined): Cell =>
  timed((figures) => callCell(figure(figures)));

/** What is told of each store, a line a figure. */
export const storeLines: readonly (readonly [name: string, cell: Cell])[] = [
  ["ingest, rows/s (by CPU)", timed(({ fill }) => rateCell(fill.ingest))],
  ["of the vectors alone; the database's own", timed(({ fill }) => vectorsCell(fill))],
  ["`maintain` afterwards", timed(({ fill }) => formatTime(fill.maintainSeconds * 1e6))],
  ["candidates, own CPU p50 / p99 (server p50)", calls(({ search }) => search.candidates)],
  ["candidates, wall min / p50 / p99", timed(({ search }) => wallCell(search.candidates))],
  ["best ten of all rows, own CPU p50 / p99 (server p50)", calls(({ search }) => search.broad)],
  ["one update, own CPU p50 / p99 (server p50)", calls(({ search }) => search.update)],
  ["one update, wall min / p50 / p99", timed(({ search }) => wallCell(search.update))],
  ["search next to the database's own, CPU of both", timed(({ search }) => overheadCell(search.overhead, "ours"))],
  ["the same with exact cosines", timed(({ search }) => overheadCell(search.overhead, "exact"))],
  ["reindex, memories/s (by CPU)", timed(({ loci }) => (loci === undefined ? "–" : rateCell(loci.reindex)))],
  ["whole recall, own CPU p50 / p99 (server p50)", calls(({ loci }) => loci?.recall)],
  ["whole recall, wall min / p50 / p99", timed(({ loci }) => wallCell(loci?.recall))],
  [
    "top-10 agreement with exact, own scopes / all rows",
    ({ search }) => `${share(search.agreement)} / ${share(search.broadAgreement)}`,
  ],
  ["memory added to our process (server)", timed(({ search }) => memoryCell(search.memory, search.serverMemory))],
  ["disk", ({ fill, store }) => (isEmulated(store) ? `${size(fill.disk)} (words alone)` : size(fill.disk))],
  ["requests / sent / received, 1,000 rows", ({ fill }) => trafficCell(fill.traffic)],
  ["requests / sent / received, one search", ({ search }) => trafficCell(search.traffic?.search)],
  ["requests / sent / received, one update", ({ search }) => trafficCell(search.traffic?.update)],
  ["similarity", ({ search }) => search.capabilities.similarity],
  ["visible", ({ search }) => (search.capabilities.visibility === "immediate" ? "at once" : "later")],
  ["durable", ({ search }) => (search.capabilities.durable ? "yes" : "no")],
  ["most dimensions", ({ search }) => search.capabilities.maxDimensions.toLocaleString("en")],
  ["most candidates of a search", ({ search }) => limitCell(search.capabilities.maxLimit)],
  ["filter operators", ({ search }) => String(search.capabilities.filterOperators.length)],
  ["load average before / after", ({ load }) => load.map((average) => average.toFixed(1)).join(" / ")],
];

/** A table in Markdown, for a terminal and for the documentation. */
export function formatStores(report: StoresReport): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(["", ...report.stores.map(({ store }) => store)]),
    line(["---", ...report.stores.map(() => "---")]),
    ...storeLines.map(([name, cell]) => line([name, ...report.stores.map((figures) => cell(figures))])),
    "",
    `${report.rows.toLocaleString("en")} rows of ${report.dimensions} dimensions. ${report.processor}, ${report.cores} cores, Node ${report.node}.`,
  ].join("\n");
}

function callCell(figure: CallFigure | undefined): string {
  if (figure === undefined) return "–";
  const own = `${milliseconds(figure.cpu.p50)} / ${milliseconds(figure.cpu.p99)}`;
  return figure.server === undefined ? own : `${own} (${milliseconds(figure.server.p50)})`;
}

function wallCell(figure: CallFigure | undefined): string {
  if (figure === undefined) return "–";
  const { minimum, p50, p99 } = figure.wall;
  return [minimum, p50, p99].map(milliseconds).join(" / ");
}

function rateCell({ perSecond, perCpuSecond }: RateFigure): string {
  return `${Math.round(perSecond).toLocaleString("en")} (${Math.round(perCpuSecond).toLocaleString("en")})`;
}

/** By the sum of both processes' CPU time: wall time would measure whoever else uses the machine. */
function overheadCell(overhead: StoreFigures["search"]["overhead"], which: "ours" | "exact"): string {
  if (overhead === undefined) return "–";
  const cpu = ({ cpu: own, server }: CallFigure): number => own.p50 + (server?.p50 ?? 0);
  const times = `${milliseconds(cpu(overhead.bare))} → ${milliseconds(cpu(overhead[which]))}`;
  const percent = Math.round((cpu(overhead[which]) / cpu(overhead.bare) - 1) * 100);
  return `${times}: ${percent < 0 ? "" : "+"}${percent}%, ${percent <= overheadTarget ? "met" : "missed"}`;
}

function vectorsCell({ vectors, bareVectors }: StoreFigures["fill"]): string {
  return bareVectors === undefined ? rateCell(vectors) : `${rateCell(vectors)}; ${rateCell(bareVectors)}`;
}

function memoryCell(own: number, server: number | undefined): string {
  return `${Math.round(own)} MiB${server === undefined ? "" : ` (${Math.round(server)} MiB)`}`;
}

function trafficCell(traffic: Traffic | undefined): string {
  if (traffic === undefined) return "–";
  return `${traffic.requests.toPrecision(3)} / ${size(traffic.sentBytes)} / ${size(traffic.receivedBytes)}`;
}

function limitCell(limit: number): string {
  return limit === Number.MAX_SAFE_INTEGER ? "any" : limit.toLocaleString("en");
}

function milliseconds(time: number): string {
  return formatTime(time * 1000);
}

function share(value: number): string {
  return `${(value * 100).toFixed(1)}%`;
}

function size(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toPrecision(3)} GB`;
  return bytes >= 1e6 ? `${(bytes / 1e6).toPrecision(3)} MB` : `${(bytes / 1e3).toPrecision(3)} kB`;
}
