import { type Instant, LociError, type MemoryId, memoryId } from "@loci/domain";
import { queryFingerprint, readTokenContent } from "./token-content.ts";

/** Where a page ended. */
export interface PagePosition {
  /** Of the first page, so that all pages see the same memories expired. */
  readonly evaluationTime: Instant;
  readonly after: { readonly createdAt: Instant; readonly ref: MemoryId };
}

/** @param query what the pages are pages of; the token is good for nothing else */
export function formatPageToken({ evaluationTime, after }: PagePosition, query: readonly unknown[]): string {
  const content = [evaluationTime, after.createdAt, after.ref, queryFingerprint(query)];
  return Buffer.from(JSON.stringify(content)).toString("base64url");
}

/** @throws LociError `INVALID_PAGE_TOKEN` for anything that `formatPageToken` did not make for this query */
export function parsePageToken(token: unknown, query: readonly unknown[]): PagePosition {
  try {
    const content = readTokenContent(token);
    if (content.length !== 4) throw new TypeError("not a page token");
    const [evaluationTime, createdAt, ref, queryHash] = content;
    if (
      !Number.isSafeInteger(evaluationTime) ||
      !Number.isSafeInteger(createdAt) ||
      queryHash !== queryFingerprint(query)
    )
      throw new TypeError("not a page token of this query");
    return {
      evaluationTime: evaluationTime as Instant,
      after: { createdAt: createdAt as Instant, ref: memoryId(ref as string) },
    };
  } catch (cause) {
    throw new LociError("INVALID_PAGE_TOKEN", {
      message: "pageToken does not continue this list.",
      field: "pageToken",
      advice: "Pass the nextPageToken of the page before, with the same scopes, categories, states and validAt.",
      cause,
    });
  }
}
