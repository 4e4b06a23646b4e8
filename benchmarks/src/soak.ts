// Many callers at once for a minute: no call may fail, and the server's memory must not grow.
import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { connectLoci, type Loci, memoryId } from "@loci/client";
import { percentile } from "./measure/percentile.ts";
import type { GrpcServers } from "./programs/grpc-servers.ts";

const { values } = parseArgs({
  options: {
    callers: { type: "string", default: "256" },
    seconds: { type: "string", default: "60" },
    json: { type: "boolean", default: false },
  },
});
/** What the last third may need above the second before it counts as growth: heaps breathe. */
const growthAllowed = 1.1;

const program = fileURLToPath(new URL("programs/grpc-servers.ts", import.meta.url));
const child = fork(program, { execArgv: process.execArgv, stdio: ["ignore", "ignore", "inherit", "ipc"] });
const [servers] = (await once(child, "message")) as [GrpcServers];

const loci = connectLoci({ address: servers.loci, apiKey: servers.apiKey });
const end = Date.now() + Number(values.seconds) * 1000;
let calls = 0;
const failures = new Map<string, number>();

/** One caller: reads mostly, and writes, recalls and assembles in between, as agents do. */
async function caller(loci: Loci, number: number): Promise<void> {
  for (let turn = 0; Date.now() < end; turn++) {
    try {
      if (turn % 50 === number % 50)
        await loci.memories.remember({ text: `Caller ${number} was here in turn ${turn}.`, scope: `user:${number}` });
      else if (turn % 10 === 5) await loci.recall({ query: "Who was here?", scopes: [`user:${number}`] });
      else await loci.memories.get(memoryId(servers.memory));
      calls += 1;
    } catch (error) {
      const name = String(error);
      failures.set(name, (failures.get(name) ?? 0) + 1);
    }
  }
}

/** Resident memory of the servers' process, in MiB. Linux only. */
function residentMegabytes(): number {
  const pages = Number(readFileSync(`/proc/${child.pid}/statm`, "utf8").split(" ")[1]);
  return (pages * 4096) / 2 ** 20;
}

const memory: number[] = [];
const sampling = setInterval(() => {
  memory.push(residentMegabytes());
  if (!values.json && process.stderr.isTTY) process.stderr.write(`\r${calls} calls, ${memory.at(-1)?.toFixed(0)} MiB `);
}, 500);
await Promise.all(Array.from({ length: Number(values.callers) }, (_, number) => caller(loci, number)));
clearInterval(sampling);
await loci.close();
child.disconnect();

const third = Math.floor(memory.length / 3);
const [second, last] = [memory.slice(third, 2 * third), memory.slice(2 * third)].map((part) =>
  percentile(part, 0.5),
) as [number, number];
const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
const isFlat = last <= second * growthAllowed;
const report = {
  callers: Number(values.callers),
  seconds: Number(values.seconds),
  calls,
  failed,
  secondThirdMiB: second,
  lastThirdMiB: last,
  peakMiB: Math.max(...memory),
  isFlat,
};
if (values.json) console.log(JSON.stringify(report));
else {
  console.log(`\n${report.callers} callers, ${report.seconds} s: ${calls} calls, ${failed} failed`);
  console.log(
    `memory of the server: ${second.toFixed(0)} MiB, then ${last.toFixed(0)} MiB, peak ${report.peakMiB.toFixed(0)} MiB: ${isFlat ? "flat" : "growing"}`,
  );
  for (const [name, count] of failures) console.log(`${count} × ${name}`);
}
process.exitCode = failed === 0 && isFlat ? 0 : 1;
