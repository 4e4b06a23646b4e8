import { escapeHtml } from "../report/escape-html.ts";
import type { StoresReport } from "./store-figures.ts";
import { storeLines } from "./stores-table.ts";

/** The part of the results page that compares the stores. Made from the JSON alone. */
export function storesSection(report: StoresReport): string {
  const cells = (tag: string, texts: readonly string[]): string =>
    texts.map((text) => `<${tag}>${escapeHtml(text.replaceAll("`", ""))}</${tag}>`).join("");
  return `<h2>Stores</h2>
<p>${report.rows.toLocaleString("en")} memories of ${report.dimensions} dimensions, ${report.time.slice(0, 16)} UTC. Pinecone is an emulator on this
machine: only what it was asked is told, and none of it was compared with the service. PostgreSQL runs with 64 MB of shared
buffers and without flushing to the disk.</p>
<table>
<tr><th></th>${cells(
    "th",
    report.stores.map(({ store }) => store),
  )}</tr>
${storeLines.map(([name, cell]) => `<tr>${cells("td", [name, ...report.stores.map((figures) => cell(figures))])}</tr>`).join("\n")}
</table>
`;
}
