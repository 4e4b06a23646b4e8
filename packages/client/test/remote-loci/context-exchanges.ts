import * as api from "@loci/api";
import type { KeptReceipt } from "@loci/domain";
import { expect } from "vitest";
import { sampleMemory as memory } from "../sample-memory.ts";
import { scope, type Exchanges } from "./exchange.ts";
import { assembled } from "./sample-context.ts";

const { id } = memory;

const parts = {
  relevance: 1,
  text: 0,
  recency: 0.5,
  importance: 0,
  frequency: 0,
  stale: 1,
  tagBoost: 1,
  neighbours: 0,
};

const recalled = {
  hits: [{ memory, score: 0.7, parts, text: memory.text, tokens: 8, truncated: false, foundBy: "relevance" as const }],
  dropped: [],
  evaluationTime: 1_767_225_600_789,
  degraded: [],
  usedFallback: false,
  timings: { search: 1.5 },
};

const keptReceipt: KeptReceipt = {
  summary: {
    id: "r",
    assembledAt: 1_800_000_000_000,
    subject: "api-key:ci",
    scopes: [{ kind: "user", id: "alice" }],
    session: { scope: { kind: "user", id: "alice" }, id: "chat" },
    layout: assembled.receipt.layout,
    usage: assembled.usage,
    kept: 1,
    shortened: 2,
    dropped: 3,
    stablePrefixHash: "0",
    stablePrefixTokens: 4,
  },
  receipt: assembled.receipt,
  prefix: [{ name: "system", hash: "0123456789abcdef" }],
  memories: [{ id, version: 2 }],
};

/** What is recalled, contexts, and their receipts. */
export const contextExchanges: Exchanges = {
  recallMemories: {
    call: (loci) => loci.recall({ query: "theme?", scopes: ["user:alice"] }),
    request: expect.objectContaining({ question: { $case: "query", value: "theme?" }, scopes: [scope] }),
    response: api.recallResultToProto(recalled),
    result: recalled,
  },
  assembleContext: {
    call: (loci) => loci.assemble({ query: "theme?" }),
    request: expect.objectContaining({ query: "theme?", messages: [] }),
    response: api.assembledContextToProto(assembled),
    result: assembled,
  },
  listReceipts: {
    call: ({ receipts }) => receipts.list({ pageSize: 7, pageToken: "t" }),
    request: { pageSize: 7, pageToken: "t" },
    response: api.listReceiptsResultToProto({ receipts: [keptReceipt.summary], keepMilliseconds: 60_000 }),
    result: { receipts: [keptReceipt.summary], keepMilliseconds: 60_000 },
  },
  getReceipt: {
    call: ({ receipts }) => receipts.get("r"),
    request: { id: "r" },
    response: { receipt: api.keptReceiptToProto(keptReceipt) },
    result: keptReceipt,
  },
};
