import { type EventLoopUtilization, monitorEventLoopDelay, performance } from "node:perf_hooks";
import { serverInstruments } from "./metric-table.ts";

const nanosecondsPerSecond = 1e9;
const microsecondsPerSecond = 1e6;
/** How often the loop's delay is looked at, in milliseconds. */
const resolution = 10;

/** Tells of the process, by the names OpenTelemetry has for these, until the answer is called. */
export function observeProcess(): () => void {
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  let lastUtilization: EventLoopUtilization = performance.eventLoopUtilization();
  const stop = serverInstruments.observe(
    [
      "nodejs.eventloop.delay.p50",
      "nodejs.eventloop.delay.p99",
      "nodejs.eventloop.delay.max",
      "nodejs.eventloop.utilization",
      "process.memory.usage",
      "v8js.memory.heap.used",
      "process.cpu.time",
      "process.uptime",
    ],
    (observe) => {
      // What is measured is the time between two looks.
      const lateness = (nanoseconds: number): number =>
        Math.max(0, nanoseconds / nanosecondsPerSecond - resolution / 1_000);
      if (delay.count > 0) {
        observe("nodejs.eventloop.delay.p50", lateness(delay.percentile(50)));
        observe("nodejs.eventloop.delay.p99", lateness(delay.percentile(99)));
        observe("nodejs.eventloop.delay.max", lateness(delay.max));
        delay.reset();
      }
      const now = performance.eventLoopUtilization();
      observe("nodejs.eventloop.utilization", performance.eventLoopUtilization(now, lastUtilization).utilization);
      lastUtilization = now;
      const { rss, heapUsed } = process.memoryUsage();
      observe("process.memory.usage", rss);
      observe("v8js.memory.heap.used", heapUsed);
      const { user, system } = process.cpuUsage();
      observe("process.cpu.time", user / microsecondsPerSecond, { "cpu.mode": "user" });
      observe("process.cpu.time", system / microsecondsPerSecond, { "cpu.mode": "system" });
      observe("process.uptime", process.uptime());
    },
  );
  return () => {
    stop();
    delay.disable();
  };
}
