import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import {
  asGiven,
  authorize,
  checksOf,
  coversPatterns,
  type KeptReceipt,
  type KeptReceiptSummary,
  type ListReceiptsRequest,
  type ListReceiptsResult,
  LociError,
  permitsScope,
  type Principal,
  resourceId,
} from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { formatPlaceToken, parsePlaceToken } from "../calls/place-token.ts";
import { readPage } from "../calls/read-page.ts";
import { checkPageSize } from "../validation/validate-page-size.ts";
import type { ReceiptEntry, StoredSummary } from "./receipt-entry.ts";
import type { ReceiptKeeper } from "./receipt-keeper.ts";

/** What it takes to read receipts. */
export interface ReceiptServices {
  readonly ledger: Pick<Ledger, "receipts">;
  readonly receipts: ReceiptKeeper;
}

/** Of those that a caller may read there may be few among many. */
const leastRead = 200;

const unpacked = promisify(inflateRaw);

const checkRequest = checksOf<ListReceiptsRequest>()("request", {
  pageSize: checkPageSize,
  // Good for the rest of the request alone.
  pageToken: asGiven,
});

/** The receipts that the principal may read, newest first, a page at a time. */
export async function listReceipts(
  { ledger, receipts }: ReceiptServices,
  { principal, signal }: Call,
  request: ListReceiptsRequest,
): Promise<ListReceiptsResult> {
  const { pageSize: limit, pageToken } = checkRequest(request);
  authorize(principal, "read", []);
  const query = ["receipts", principal.tenant];
  const place = parsePlaceToken(pageToken, query, ([id]) => resourceId(id as string, "receipt"));
  await receipts.flush();
  const { rows, isLast } = await readPage<StoredSummary>({
    limit,
    read: async (last, count) => {
      const found: StoredSummary[] = [];
      const size = Math.max(count, leastRead);
      for (let before: string | undefined = last?.id ?? place; ;) {
        const stretch = await ledger.receipts.list(principal.tenant, { before, limit: size }, { signal });
        const summaries = stretch.map(({ summary }) => JSON.parse(summary) as StoredSummary);
        found.push(...summaries.filter((summary) => mayRead(principal, summary)).slice(0, count - found.length));
        if (found.length === count || stretch.length < size) return found;
        before = stretch.at(-1)?.id;
      }
    },
    bytesOf: (summary) => Buffer.byteLength(JSON.stringify(summary)),
  });
  const last = rows.at(-1);
  return {
    receipts: rows.map(shownSummary),
    keepMilliseconds: receipts.keepMilliseconds,
    ...(isLast || last === undefined ? {} : { nextPageToken: formatPlaceToken([last.id], query) }),
  };
}

/** One receipt. @throws LociError `RECEIPT_NOT_FOUND`, also for one that the principal may not read */
export async function getReceipt(
  { ledger, receipts }: ReceiptServices,
  { principal, signal }: Call,
  id: string,
): Promise<KeptReceipt> {
  const checked = resourceId(id, "receipt");
  authorize(principal, "read", []);
  await receipts.flush();
  const stored = await ledger.receipts.get(principal.tenant, checked, { signal });
  if (stored === undefined) throw receiptNotFound(checked);
  const summary = JSON.parse(stored.summary) as StoredSummary;
  if (!mayRead(principal, summary)) throw receiptNotFound(checked);
  const body = JSON.parse((await unpacked(stored.body)).toString()) as Omit<ReceiptEntry, "summary">;
  return { summary: shownSummary(summary), ...body };
}

/** It tells of every scope that it names, so that who may not read one of them may not read it. */
function mayRead(principal: Principal, { scopes, patterns }: StoredSummary): boolean {
  if (scopes.length > 0) return scopes.every((scope) => permitsScope(principal, scope));
  return patterns !== undefined && coversPatterns(principal, patterns);
}

function shownSummary(stored: StoredSummary): KeptReceiptSummary {
  const { patterns: _, ...summary } = stored;
  return summary;
}

function receiptNotFound(id: string): LociError {
  return new LociError("RECEIPT_NOT_FOUND", {
    message: `There is no receipt ${id}.`,
    resource: id,
    advice: "Receipts are kept for a time, where they are kept at all: list those that there are.",
  });
}
