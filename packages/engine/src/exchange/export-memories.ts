import {
  authorize,
  checkFields,
  coversEveryScope,
  type ExportedMemory,
  type ExportPage,
  type ExportRequest,
  fieldsOf,
  formatScope,
  type MemoryId,
  memoryId,
  type NonEmpty,
  permitsScope,
  type Scope,
} from "@loci/domain";
import { type Ledger, reviewFamily, type StoredMemory } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { type Page, readPage } from "../calls/read-page.ts";
import { reviewRefOf, type ReviewRecord, storedReview } from "../memories/stored-review.ts";
import { checkWholeNumber } from "../validation/validate-number.ts";
import { maxLines, memoryFormat } from "./exported-line.ts";

const defaultPageSize = 500;
const exportFields = fieldsOf<ExportRequest>({ after: true, pageSize: true });

/** Which memories are exported, besides that they are covered. */
interface ExportedWhere extends ExportRequest {
  readonly scopes?: NonEmpty<Scope> | undefined;
}

/**
 * A stretch of the memories that the principal's scope patterns cover, as lines. `next` is the id of the last line: nothing
 * tells of memories that are not exported.
 *
 * @throws LociError `INVALID_REQUEST`, `INVALID_NUMBER`, `INVALID_IDENTIFIER`
 */
export async function exportMemories(
  services: { readonly ledger: Ledger },
  call: Call,
  request: ExportRequest,
): Promise<ExportPage> {
  checkFields(request, exportFields, "request");
  const { rows, isLast } = await exportedPage(services, call, request);
  const lines = rows.map(({ line }) => line);
  const next = isLast ? undefined : rows.at(-1)?.id;
  return next === undefined ? { lines } : { lines, next };
}

/** The same, each memory with its id. @throws LociError `INVALID_NUMBER`, `INVALID_IDENTIFIER` */
export async function exportedPage(
  { ledger }: { readonly ledger: Ledger },
  call: Call,
  { scopes, ...request }: ExportedWhere,
): Promise<Page<ExportedMemory>> {
  authorize(call.principal, "admin", scopes ?? []);
  const limit =
    request.pageSize === undefined
      ? defaultPageSize
      : checkWholeNumber(request.pageSize, "pageSize", { least: 1, most: maxLines });
  const after = request.after === undefined ? undefined : memoryId(request.after);
  return readPage<ExportedMemory>({
    limit,
    read: (last, count) => exportedAfter(ledger, call, { after: last?.id ?? after, limit: count, scopes }),
    bytesOf: ({ line }) => Buffer.byteLength(line),
  });
}

interface Stretch {
  readonly after: MemoryId | undefined;
  readonly limit: number;
  readonly scopes: NonEmpty<Scope> | undefined;
}

/** The next so many that are exported; fewer only at the end. */
async function exportedAfter(
  ledger: Ledger,
  { principal, signal }: Call,
  { after: start, limit, scopes }: Stretch,
): Promise<readonly ExportedMemory[]> {
  const found: StoredMemory[] = [];
  for (let after = start; ;) {
    const wanted = limit - found.length;
    // Where few are covered, more are looked at in one go.
    const asked = coversEveryScope(principal) ? wanted : Math.max(wanted, maxLines);
    const page = await ledger.scan(principal.tenant, { after, limit: asked, scopes }, { signal });
    const exported = page.filter(({ memory }) => memory.state !== "deleted" && permitsScope(principal, memory.scope));
    found.push(...exported.slice(0, wanted));
    if (found.length === limit || page.length < asked) break;
    after = page.at(-1)?.memory.id;
  }
  const reviews = await reviewsOf(ledger, principal.tenant, found, signal);
  return found.map((stored) => ({ id: stored.memory.id, line: lineOf(stored, reviews.get(stored.memory.id)) }));
}

/** What those that wait for approval wait for. */
async function reviewsOf(
  ledger: Ledger,
  tenant: Call["principal"]["tenant"],
  memories: readonly StoredMemory[],
  signal: AbortSignal,
): Promise<ReadonlyMap<MemoryId, ReviewRecord>> {
  const waiting = memories.filter(({ memory }) => memory.state === "quarantined");
  if (waiting.length === 0) return new Map();
  const refs = waiting.map(({ memory }) => reviewRefOf(memory.id));
  const found = await ledger.resources.get(tenant, reviewFamily, refs, { signal });
  const reviews = [...found.values()].flatMap((resource) => storedReview(resource) ?? []);
  return new Map(reviews.map((review) => [review.memory, review]));
}

function lineOf({ memory, recordedAt, usage }: StoredMemory, review: ReviewRecord | undefined): string {
  const { scope, ...fields } = memory;
  const waits = review && {
    reason: review.reason,
    replaces: review.replaces,
    capture: review.capture,
    createdAt: review.createdAt,
  };
  return JSON.stringify({
    format: memoryFormat,
    type: "memory",
    ...fields,
    scope: formatScope(scope),
    recordedAt,
    usage,
    review: waits,
  });
}
