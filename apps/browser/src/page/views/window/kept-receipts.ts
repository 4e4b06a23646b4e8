import type { KeptReceiptSummary } from "@loci/api-web";
import { contexts } from "../../api/calls.ts";

const pageSize = 50;

/** The receipts that the server keeps, as far as they are asked for. */
export interface KeptReceipts {
  /** The newest first. */
  readonly receipts: readonly KeptReceiptSummary[];
  /** There are more. */
  readonly hasMore: boolean;
  /** How long they are kept, in milliseconds. 0: none are. */
  readonly keepMilliseconds: number;
}

/** @param pages how many pages are wanted */
export async function keptReceipts(pages: number, signal: AbortSignal): Promise<KeptReceipts> {
  const receipts: KeptReceiptSummary[] = [];
  let pageToken = "";
  let keepMilliseconds = 0;
  for (let page = 0; page < pages; page++) {
    const answer = await contexts.listReceipts({ pageSize, pageToken }, { signal });
    receipts.push(...answer.receipts);
    keepMilliseconds = Number(answer.keepMilliseconds);
    pageToken = answer.nextPageToken;
    if (pageToken === "") break;
  }
  return { receipts, hasMore: pageToken !== "", keepMilliseconds };
}
