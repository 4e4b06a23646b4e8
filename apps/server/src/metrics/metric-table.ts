import {
  engineMetricAttributes,
  engineMetrics,
  type Metric,
  type MetricAttributes,
  MetricInstruments,
} from "@loci/loci";

/** What a server tells besides what its engine does. */
export const serverMetrics = {
  "rpc.server.duration": {
    kind: "histogram",
    unit: "ms",
    attributes: ["rpc.system", "rpc.service", "rpc.method", "rpc.grpc.status_code", "loci.call.kind"],
    buckets: "milliseconds",
    meaning: "How long calls took, from the first handler line to the answer. Those that were not let in count as 0.",
  },
  "loci.server.running_calls": {
    kind: "gauge",
    unit: "{call}",
    attributes: ["loci.limit"],
    meaning: "Handlers at work. The most there can be: `limits.max_running_calls`, `limits.max_waiting_calls`.",
  },
  "loci.server.queued_calls": {
    kind: "gauge",
    unit: "{call}",
    attributes: ["loci.limit"],
    meaning: "Calls that wait for a handler. When `limits.max_queued_calls` wait, further ones are refused.",
  },
  "loci.server.streams": {
    kind: "gauge",
    unit: "{stream}",
    attributes: [],
    meaning: "Watches and exports under way. The most: `limits.max_streams`.",
  },
  "loci.server.unread_answers": {
    kind: "gauge",
    unit: "By",
    attributes: [],
    meaning: "Answers that wait to be read by their callers. The most: `limits.max_unread_bytes`.",
  },
  "loci.server.connections": {
    kind: "gauge",
    unit: "{connection}",
    attributes: [],
    meaning: "Connections. The most: `limits.max_connections`.",
  },
  "loci.server.serving": {
    kind: "gauge",
    unit: "1",
    attributes: ["loci.part"],
    meaning: "1 while health says SERVING of it, else 0.",
  },
  "loci.worker.up": {
    kind: "gauge",
    unit: "1",
    attributes: ["loci.worker"],
    meaning:
      "1 while a worker is there and has said so in the last 3 s, else 0. Said by the front; of one that is 0 there are no other metrics.",
  },
  "loci.disk.free": {
    kind: "gauge",
    unit: "By",
    attributes: [],
    meaning: "What is free for the server's user on the disk of the data directory.",
  },
  "loci.disk.size": {
    kind: "gauge",
    unit: "By",
    attributes: [],
    meaning: "How large that disk is.",
  },
  "loci.disk.refused_calls": {
    kind: "counter",
    unit: "{call}",
    attributes: [],
    meaning: "Calls that failed because a disk is full: that of the data directory, or the database's (`DISK_FULL`).",
  },
  "loci.ledger.size": {
    kind: "gauge",
    unit: "By",
    attributes: [],
    meaning: "The ledger's file and its log. Of a ledger in PostgreSQL nothing is told.",
  },
  "nodejs.eventloop.delay.p50": {
    kind: "gauge",
    unit: "s",
    attributes: [],
    meaning: "By how much timers were late since the metrics were collected last: half of them by more.",
  },
  "nodejs.eventloop.delay.p99": {
    kind: "gauge",
    unit: "s",
    attributes: [],
    meaning: "The same: one of a hundred by more. Whatever else a call waits for, it waits for this.",
  },
  "nodejs.eventloop.delay.max": {
    kind: "gauge",
    unit: "s",
    attributes: [],
    meaning: "The same: the longest.",
  },
  "nodejs.eventloop.utilization": {
    kind: "gauge",
    unit: "1",
    attributes: [],
    meaning: "The share of the time since the last collection in which the main thread was at work.",
  },
  "process.memory.usage": {
    kind: "gauge",
    unit: "By",
    attributes: [],
    meaning: "Memory of the process that is in RAM.",
  },
  "v8js.memory.heap.used": {
    kind: "gauge",
    unit: "By",
    attributes: [],
    meaning: "What of V8's heap is used by the main thread.",
  },
  "process.cpu.time": {
    kind: "observed counter",
    unit: "s",
    attributes: ["cpu.mode"],
    meaning: "Processor time of all threads.",
  },
  "process.uptime": {
    kind: "gauge",
    unit: "s",
    attributes: [],
    meaning: "How long the process has been running.",
  },
} as const;

/** Every metric of a server by name: what is not here is told nowhere. */
export const metricTable: Readonly<Record<string, Metric>> = { ...engineMetrics, ...serverMetrics };

/** What the attributes of the metrics are, for people. */
export const metricAttributes: MetricAttributes = {
  ...engineMetricAttributes,
  "rpc.system": "`grpc`",
  "rpc.service": "a service of the contract, such as `loci.v1.MemoryService`",
  "rpc.method": "a method of the contract, such as `RecallMemories`",
  "rpc.grpc.status_code": "gRPC's code as a number: 0 is OK, 8 a limit that was reached, 14 unavailable",
  "loci.call.kind": "`read`, `write`, `wait`, `stream`, or `other` for health and reflection",
  "loci.limit": "`work`, or `wait` for calls that wait for an operation",
  "loci.part": "`server`, `ledger` or `index`",
  "loci.worker": "the number of a worker, from 0",
  "cpu.mode": "`user` or `system`",
};

/** What the server itself tells its metrics with. */
export const serverInstruments: MetricInstruments<typeof serverMetrics> = new MetricInstruments(
  "@loci/server",
  serverMetrics,
);
