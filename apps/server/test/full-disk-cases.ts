// Fills the disk of a directory, argv[2], that is a file system of its own, and starts servers on it: with workers if argv[3] is 2.
// Prints what was seen as JSON.
import { closeSync, existsSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { LociError } from "@loci/loci";
import { failureOf, startTestServer, type TestServer, until } from "./test-server.ts";
import { startWorkerServer } from "./worker-server.ts";
import { scrape, sumOf } from "./prometheus.ts";

const [, , disk = "", workers = "1"] = process.argv;
const dataDirectory = join(disk, "data");
const shard = workers === "1" ? dataDirectory : join(dataDirectory, "shards/1");
const telemetry = { prometheus: { address: "127.0.0.1", port: 0 } };

/** Nothing is left for anybody, not even a block. */
function fill(): void {
  for (const size of [1024 * 1024, 4096, 1]) {
    const file = openSync(join(disk, "filler"), "a");
    try {
      for (;;) writeSync(file, Buffer.alloc(size, "x"));
    } catch {
      // Full.
    } finally {
      closeSync(file);
    }
  }
}

interface Started {
  readonly server: TestServer;
  readonly key: string | undefined;
}

async function start(): Promise<Started> {
  if (workers === "1") {
    const server = await startTestServer({ configuration: { dataDirectory, index: {}, telemetry } });
    return { server, key: server.apiKey };
  }
  const server = await startWorkerServer({ configuration: { dataDirectory, index: {}, telemetry } });
  return { server, key: server.keys[1] };
}

async function textsOf({ server, key }: Started): Promise<readonly string[]> {
  return server.client(key).texts();
}

const first = await start();
await first.server.client(first.key).remember("The canary is yellow.");
await first.server[Symbol.asyncDispose]();
fill();

const onFullDisk = await start();
const textsOnFullDisk = await textsOf(onFullDisk);
fill();
const { reason } = await failureOf(onFullDisk.server.client(onFullDisk.key).remember("It does not fit.".repeat(2_000)));
const textsAfterRefusal = await textsOf(onFullDisk);
const refusedCalls = sumOf(await scrape(onFullDisk.server.prometheusAddress ?? ""), "loci_disk_refused_calls_total");
const log = onFullDisk.server.log().filter(({ event, level }) => event === "disk full" || level === "error");
await onFullDisk.server[Symbol.asyncDispose]();

// Somebody has taken all that was kept.
for (const kept of [dataDirectory, shard]) rmSync(join(kept, "ballast"), { force: true });
fill();
const noRoom = await start().then(
  () => undefined,
  (error: LociError) => error.toJSON(),
);
rmSync(join(disk, "filler"));
const again = await start();
await again.server.client(again.key).remember("There is room.");
await until(() => existsSync(join(shard, "ballast")));
const textsAtLast = await textsOf(again);
await again.server[Symbol.asyncDispose]();
console.log(JSON.stringify({ textsOnFullDisk, textsAfterRefusal, reason, refusedCalls, log, noRoom, textsAtLast }));
