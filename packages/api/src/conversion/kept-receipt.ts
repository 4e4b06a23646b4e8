import type {
  KeptReceipt,
  KeptReceiptSummary,
  ListReceiptsRequest,
  ListReceiptsResult,
  MemoryId,
  SessionKey,
} from "@loci/domain";
import type {
  ListReceiptsRequest as ProtoListReceiptsRequest,
  ListReceiptsResponse,
} from "../gen/loci/v1/context_service.ts";
import type {
  KeptReceipt as ProtoKeptReceipt,
  KeptReceiptSummary as ProtoSummary,
} from "../gen/loci/v1/kept_receipt.ts";
import type { SessionReference } from "../gen/loci/v1/scope.ts";
import { instantFromProto, instantToProto } from "./instant.ts";
import { optionalPageTokenToProto, pageTokenFromProto } from "./page-token.ts";
import { int64FromProto, required, withoutUndefined } from "./read-value.ts";
import { receiptFromProto, receiptToProto } from "./receipt.ts";
import { field, RequestForm, sameField } from "./request-form.ts";
import { keptScopeFromProto, parsedScopeToProto } from "./scope.ts";
import { copyUsage } from "./token-usage.ts";
import { optionalWritableInt32, writableInt64 } from "./writable-value.ts";

export const listReceiptsRequest: RequestForm<ListReceiptsRequest, ProtoListReceiptsRequest> = new RequestForm<
  ListReceiptsRequest,
  ProtoListReceiptsRequest
>("request", {
  pageSize: sameField("pageSize", optionalWritableInt32),
  pageToken: field("pageToken", optionalPageTokenToProto, pageTokenFromProto),
});

export function listReceiptsResultToProto(result: ListReceiptsResult): ListReceiptsResponse {
  return {
    receipts: result.receipts.map((summary, index) => summaryToProto(summary, `receipts[${index}]`)),
    nextPageToken: result.nextPageToken ?? "",
    keepMilliseconds: writableInt64(result.keepMilliseconds, "keepMilliseconds"),
  };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function listReceiptsResultFromProto(response: ListReceiptsResponse): ListReceiptsResult {
  return withoutUndefined({
    receipts: response.receipts.map((summary, index) => summaryFromProto(summary, `receipts[${index}]`)),
    nextPageToken: pageTokenFromProto(response.nextPageToken),
    keepMilliseconds: int64FromProto(response.keepMilliseconds, "keepMilliseconds"),
  });
}

export function keptReceiptToProto({ summary, receipt, prefix, memories }: KeptReceipt): ProtoKeptReceipt {
  return {
    summary: summaryToProto(summary, "receipt.summary"),
    receipt: receiptToProto(receipt),
    prefixSections: prefix.map(({ name, hash }) => ({ name, hash })),
    memories: memories.map(({ id, version }) => ({ id, version: writableInt64(version, "receipt.memories.version") })),
  };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function keptReceiptFromProto(message: ProtoKeptReceipt | undefined): KeptReceipt {
  const { summary, receipt, prefixSections, memories } = required(message, "receipt");
  return {
    summary: summaryFromProto(required(summary, "receipt.summary"), "receipt.summary"),
    receipt: receiptFromProto(required(receipt, "receipt.receipt"), "receipt.receipt"),
    prefix: prefixSections.map(({ name, hash }) => ({ name, hash })),
    memories: memories.map(({ id, version }) => ({
      id: id as MemoryId,
      version: int64FromProto(version, "receipt.memories.version"),
    })),
  };
}

function summaryToProto(summary: KeptReceiptSummary, path: string): ProtoSummary {
  return {
    id: summary.id,
    assembleTime: instantToProto(summary.assembledAt, `${path}.assembledAt`),
    subject: summary.subject,
    scopes: summary.scopes.map((scope, index) => parsedScopeToProto(scope, `${path}.scopes[${index}]`)),
    session: summary.session && sessionToProto(summary.session, `${path}.session`),
    layout: summary.layout,
    model: summary.model,
    usage: copyUsage(summary.usage),
    keptItems: summary.kept,
    shortenedItems: summary.shortened,
    droppedItems: summary.dropped,
    stablePrefixHash: summary.stablePrefixHash,
    stablePrefixTokens: summary.stablePrefixTokens,
  };
}

function summaryFromProto(summary: ProtoSummary, path: string): KeptReceiptSummary {
  return withoutUndefined({
    id: summary.id,
    assembledAt: instantFromProto(summary.assembleTime, `${path}.assembleTime`),
    subject: summary.subject,
    scopes: summary.scopes.map((scope, index) => keptScopeFromProto(scope, `${path}.scopes[${index}]`)),
    session: summary.session && sessionFromProto(summary.session, `${path}.session`),
    layout: summary.layout,
    model: summary.model,
    usage: copyUsage(required(summary.usage, `${path}.usage`)),
    kept: summary.keptItems,
    shortened: summary.shortenedItems,
    dropped: summary.droppedItems,
    stablePrefixHash: summary.stablePrefixHash,
    stablePrefixTokens: summary.stablePrefixTokens,
  });
}

function sessionToProto({ scope, id }: SessionKey, path: string): SessionReference {
  return { scope: parsedScopeToProto(scope, `${path}.scope`), id };
}

function sessionFromProto({ scope, id }: SessionReference, path: string): SessionKey {
  return { scope: keptScopeFromProto(scope, `${path}.scope`), id };
}
