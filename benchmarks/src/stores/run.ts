// Every store on the same memories: what it costs to fill, to hold, to search, to update and to move to.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { defaultIndex } from "@loci/loci";
import { startPineconeEmulator } from "@loci/pinecone-emulator";
import { startPostgres } from "@loci/test-postgres";
import { Client } from "pg";
import { writeResultsPage } from "../report/write-results-page.ts";
import { type StoreKind, storeKinds, measuredKind } from "./measured-kinds.ts";
import { placeOf, type StorePlace } from "./measured-store.ts";
import type { LociFigures, SearchFigures, StoreFigures, StoresReport } from "./store-figures.ts";
import { formatStores } from "./stores-table.ts";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "20000" },
    dimensions: { type: "string", default: "1536" },
    stores: { type: "string", default: storeKinds.join(",") },
    /** Also the whole of Loci on each: reindex and recall. */
    loci: { type: "boolean", default: true },
    /** Where what was made up is kept for the next run. Stores are removed. */
    data: { type: "string", default: join(tmpdir(), "loci-benchmark-data") },
    json: { type: "boolean", default: false },
  },
  allowNegative: true,
});
const { rows, dimensions, data: folder } = values;
const program = fileURLToPath(new URL("measure-store.ts", import.meta.url));
const kinds = values.stores.split(",").map((name) => {
  const kind = storeKinds.find((known) => known === name);
  if (kind === undefined) throw new RangeError(`--stores: there is no ${name}, but ${storeKinds.join(", ")}`);
  return kind;
});

async function measure(part: string, kind: StoreKind, place: StorePlace): Promise<unknown> {
  const parameters = [program, part, kind, folder, rows, dimensions, JSON.stringify(place)];
  const child = spawn(process.execPath, ["--expose-gc", ...process.execArgv, ...parameters], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended: Promise<readonly unknown[]> = once(child, "close");
  let output = "";
  for await (const text of child.stdout.setEncoding("utf8")) output += String(text);
  const [code] = await ended;
  if (code !== 0) throw new Error(`${part} of ${kind} ended with ${String(code)}`);
  return JSON.parse(output);
}

/** A server of its own for the stores that need one, in this process or under it: its time is not that of the store. */
async function withServer(kind: StoreKind, work: (place: StorePlace) => Promise<StoreFigures>): Promise<StoreFigures> {
  const place = placeOf(kind, folder);
  const { server } = measuredKind(kind);
  if (server === "emulator") {
    await using emulator = await startPineconeEmulator();
    const { apiKey, controllerUrl } = emulator;
    return await work({ ...place, server: { apiKey, controllerUrl } });
  }
  if (server === undefined) return work(place);
  const { connectionString, stop } = await startPostgres({ kind: "native" });
  try {
    return await work({ ...place, server: { connectionString: await asOrdinaryRole(connectionString) } });
  } finally {
    await stop();
  }
}

/** Of a role that owns its schema and that row-level security holds for, as it should be where Loci runs. */
async function asOrdinaryRole(superuser: string): Promise<string> {
  const client = new Client({ connectionString: superuser });
  await client.connect();
  await client.query("CREATE EXTENSION vector");
  await client.query("CREATE ROLE ordinary LOGIN PASSWORD 'ordinary'");
  await client.query("GRANT CREATE ON DATABASE postgres TO ordinary");
  await client.end();
  const url = new URL(superuser);
  url.username = url.password = "ordinary";
  return url.href;
}

async function measureStore(kind: StoreKind): Promise<StoreFigures> {
  const [before = 0] = loadavg();
  const clear = (): void => rmSync(placeOf(kind, folder).directory, { recursive: true, force: true });
  clear();
  try {
    return await withServer(kind, async (place) => {
      const fill = (await measure("fill", kind, place)) as StoreFigures["fill"];
      const search = (await measure("search", kind, place)) as SearchFigures;
      const loci = values.loci ? { loci: (await measure("loci", kind, place)) as LociFigures } : {};
      return { store: kind, fill, search, ...loci, load: [before, loadavg()[0] ?? 0] };
    });
  } finally {
    clear();
  }
}

if (values.loci) await measure("build", defaultIndex, placeOf(defaultIndex, folder));
const stores: StoreFigures[] = [];
for (const kind of kinds) stores.push(await measureStore(kind));
const report: StoresReport = {
  time: new Date().toISOString(),
  processor: cpus()[0]?.model ?? "unknown",
  cores: cpus().length,
  node: process.versions.node,
  rows: Number(rows),
  dimensions: Number(dimensions),
  stores,
};
if (values.json) console.log(JSON.stringify(report));
else {
  const results = new URL("../../results/", import.meta.url);
  mkdirSync(results, { recursive: true });
  writeFileSync(new URL("stores.json", results), `${JSON.stringify(report, null, 2)}\n`);
  writeResultsPage(results);
  console.log(formatStores(report));
  console.log("Written: benchmarks/results/stores.json and index.html");
}
