import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { sideBySideSection } from "../side-by-side/side-by-side-section.ts";
import type { SideBySideResults } from "../side-by-side/side-by-side-results.ts";
import type { BenchmarkResults } from "./results.ts";
import { storesSection } from "../stores/stores-section.ts";
import type { StoresReport } from "../stores/store-figures.ts";
import { resultsPage } from "./results-page.ts";

/** Writes `index.html` from what the benchmarks have left in the folder, each whenever it last ran. */
export function writeResultsPage(folder: URL): void {
  const results = read(folder, "results.json") as BenchmarkResults | undefined;
  const compared = read(folder, "side-by-side.json") as SideBySideResults | undefined;
  const stores = read(folder, "stores.json") as StoresReport | undefined;
  const further = `${compared === undefined ? "" : sideBySideSection(compared)}${stores === undefined ? "" : storesSection(stores)}`;
  writeFileSync(new URL("index.html", folder), resultsPage(results, further));
}

function read(folder: URL, name: string): unknown {
  const file = new URL(name, folder);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
