import * as api from "@loci/api";
import type { Caller, LociStatus, MaintenanceReport } from "@loci/domain";
import { sampleMemory as memory } from "../sample-memory.ts";
import type { Exchanges } from "./exchange.ts";

const { id } = memory;

const pruned: MaintenanceReport = {
  job: "prune",
  dryRun: true,
  counts: { selected: 1 },
  findings: [{ memory: id, reason: "DORMANT", details: { dormantDays: "200.0" } }],
  notes: ["One of them."],
};

const caller: Caller = {
  tenant: "acme" as Caller["tenant"],
  subject: "api-key:ci",
  roles: ["read"],
  scopePatterns: ["user:*"],
  version: "0.1.0",
  services: ["loci.v1.MemoryService"],
};

const status: LociStatus = {
  ledger: { sequence: 9, memories: 5, kept: 6, scopes: 2 },
  projections: [{ name: "text", checkpoint: 7, behind: 2, oldest: 1_000, ratePerSecond: 0.5 }],
  jobs: [{ kind: "capture", queued: 1, running: 0, dead: 0 }],
};

/** Who calls, how the server is, and its maintenance. */
export const serverExchanges: Exchanges = {
  getCaller: {
    call: (loci) => loci.caller(),
    request: {},
    response: { caller: api.callerToProto(caller) },
    result: caller,
  },
  getStatus: {
    call: (loci) => loci.status(),
    request: {},
    response: { status: api.statusToProto(status) },
    result: status,
  },
  startMaintenance: {
    call: ({ maintenance }) => maintenance.prune({ dryRun: true, dormantDays: 1.5 }),
    request: { job: { job: { $case: "prune", value: { dormantDays: 1.5 } } }, validateOnly: true },
    response: {
      operation: api.operationToProto({
        id: "o",
        kind: "prune",
        state: "succeeded",
        createdAt: 0,
        result: { type: "maintenance", report: pruned },
      }),
    },
    result: pruned,
  },
  exportMemories: {
    call: ({ maintenance }) => maintenance.exportMemories({ after: "here", pageSize: 7 }),
    request: { pageToken: "here", pageSize: 7 },
    response: { lines: ["{}"], nextPageToken: "there" },
    result: { lines: ["{}"], next: "there" },
  },
  importMemories: {
    call: ({ maintenance }) => maintenance.importMemories(["{}"]),
    request: { lines: ["{}"] },
    response: {
      importedCount: 3,
      unchangedCount: 2,
      erasedCount: 1,
      leftOut: [{ index: 0, reason: "INVALID_TEXT", problem: "text is empty." }],
    },
    result: {
      imported: 3,
      unchanged: 2,
      erased: 1,
      leftOut: [{ index: 0, reason: "INVALID_TEXT", problem: "text is empty." }],
    },
  },
  importRecords: {
    call: ({ maintenance }) => maintenance.importRecords(["{}"]),
    request: { lines: ["{}"] },
    response: {
      counts: [{ type: "turn", importedCount: 3, unchangedCount: 2, erasedCount: 1 }],
      leftOut: [{ index: 0, reason: "TURN_CONFLICT", problem: "The session has gone on." }],
    },
    result: {
      counts: [{ type: "turn", imported: 3, unchanged: 2, erased: 1 }],
      leftOut: [{ index: 0, reason: "TURN_CONFLICT", problem: "The session has gone on." }],
    },
  },
};
