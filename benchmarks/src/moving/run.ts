// How fast indexes are built while they are in use, and what verifying and exporting take.
import { createWriteStream } from "node:fs";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Loci, openLoci } from "@loci/loci";
import { prose } from "../data/prose.ts";

const { values } = parseArgs({
  options: { json: { type: "boolean", default: false }, memories: { type: "string", default: "50000" } },
});
const memories = Number(values.memories);
const folder = await mkdtemp(join(tmpdir(), "loci-benchmark-"));

interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly target: string;
}

try {
  const figures = await measure();
  if (values.json) console.log(JSON.stringify({ memories, figures }));
  else console.table(figures.map((figure) => ({ ...figure, value: Math.round(figure.value) })));
} finally {
  await rm(folder, { recursive: true });
}

async function measure(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  await using loci = await openLoci({ tenant: "benchmark", dataDirectory: join(folder, "data"), index: "memory" });
  for (let start = 0; start < memories; start += 1_000)
    await loci.memories.rememberMany(
      Array.from({ length: Math.min(1_000, memories - start) }, (_, index) => ({
        text: prose(start + index, 2),
        scope: `user:${(start + index) % 100}` as const,
      })),
    );
  await loci.settled();

  const cpu = process.cpuUsage();
  const building = await seconds(() => loci.maintenance.reindex({ to: "embedded" }));
  const { user, system } = process.cpuUsage(cpu);
  figures.push(
    { name: "reindex into the embedded store", value: memories / building, unit: "memories/s", target: "≥ 5,000" },
    { name: "the same by CPU time", value: (memories * 1e6) / (user + system), unit: "memories/s", target: "≥ 5,000" },
  );
  const verifying = await seconds(() => loci.maintenance.verify());
  figures.push({ name: "verify both indexes", value: memories / verifying, unit: "memories/s", target: "–" });
  const exported = await exportAll(loci);
  figures.push(
    { name: "export", value: memories / exported.seconds, unit: "memories/s", target: "–" },
    { name: "memory that the export took", value: exported.megabytes, unit: "MB", target: "≤ 64, at any number" },
  );
  return figures;
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}

async function exportAll(loci: Loci): Promise<{ readonly seconds: number; readonly megabytes: number }> {
  const before = process.memoryUsage().rss;
  let most = before;
  const file = createWriteStream(join(folder, "export.jsonl"));
  const taken = await seconds(async () => {
    for (let after: string | undefined; ;) {
      const page = await loci.maintenance.exportMemories({ after });
      if (!file.write(`${page.lines.join("\n")}\n`)) await once(file, "drain");
      most = Math.max(most, process.memoryUsage().rss);
      after = page.next;
      if (after === undefined) return;
    }
  });
  file.end();
  await once(file, "finish");
  return { seconds: taken, megabytes: (most - before) / 2 ** 20 };
}
