import {
  asGiven,
  authorize,
  checksOf,
  coversEveryScope,
  formatScope,
  LociError,
  type Memory,
  type MemoryChange,
  memoryId,
  parseScopes,
  permitsScope,
  type Ref,
  type Sequence,
  type TenantId,
  type Version,
  type WatchMemoriesRequest,
} from "@loci/domain";
import { memoriesFamily, memoryChangeOf } from "@loci/ledger";
import { sha256 } from "../calls/content-hash.ts";
import type { Call } from "../calls/call.ts";
import { logIdentity } from "../projections/ledger-identity.ts";
import type { MemoryServices } from "./memory-services.ts";
import { memoryViews } from "./memory-views.ts";

/** So many entries of the log are read at once: a stream whose reader takes its time holds as many memories, of 64 KiB at most. */
const entriesAtOnce = 64;

const check = checksOf<WatchMemoriesRequest>()("request", {
  scopes: (scopes, path) => (scopes === "*" ? undefined : parseScopes(scopes, path)),
  // Read when it is known how far the log goes.
  since: asGiven,
});

/** A watch that was checked. */
export interface MemoryWatch {
  /** In text form; `undefined` for all that the credential covers. */
  readonly scopes: ReadonlySet<string> | undefined;
  /** What ends each cursor: it tells ledgers and tenants apart. */
  readonly mark: string;
  readonly start: Sequence;
}

/** What changed behind a place in the log. */
export interface ChangedMemories {
  readonly changes: readonly MemoryChange[];
  /** Everything up to here was read. */
  readonly position: Sequence;
  /** Whether nothing came behind it when it was read. */
  readonly isEnd: boolean;
}

/** @throws LociError `INVALID_REQUEST`, `SCOPE_REQUIRED`, `SCOPE_NOT_PERMITTED`, `INVALID_CURSOR`, `CURSOR_EXPIRED` */
export async function beginWatch(
  { ledger }: Pick<MemoryServices, "ledger">,
  { principal }: Call,
  request: WatchMemoriesRequest,
): Promise<MemoryWatch> {
  const { scopes, since = "now" } = check(request);
  authorize(principal, "read", scopes ?? []);
  const { mark, head } = await endOfChanges(ledger, principal.tenant);
  return {
    scopes: scopes === undefined ? undefined : new Set(scopes.map(formatScope)),
    mark,
    start: startOf(since, head, mark),
  };
}

/** Where the changes of memories end now, and what marks its cursors. */
export async function endOfChanges(
  ledger: MemoryServices["ledger"],
  tenant: TenantId,
): Promise<{ readonly mark: string; readonly head: Sequence }> {
  const mark = sha256(JSON.stringify([await logIdentity(ledger, tenant), tenant])).slice(0, 16);
  return { mark, head: await ledger.head(tenant, { families: [memoriesFamily] }) };
}

function startOf(since: string, head: Sequence, mark: string): Sequence {
  if (since === "now") return head;
  if (since === "beginning") return 0;
  const [, sequence, given] = /^(\d{1,15})\.([0-9a-f]{16})$/u.exec(since) ?? [];
  if (sequence === undefined)
    throw new LociError("INVALID_CURSOR", {
      // Clients have names of their own for where to begin.
      message: "The cursor to go on behind is none that a watch has given.",
      field: "since",
      advice: "Pass the cursor of the last change that was dealt with, or begin anew.",
    });
  if (given === mark && Number(sequence) <= head) return Number(sequence);
  throw new LociError("CURSOR_EXPIRED", {
    message: "The cursor is a place in the log of another ledger, such as of this one before it was restored.",
    field: "since",
    advice: "Read all again, from the beginning, and drop what is not among it.",
  });
}

/** Where a watch goes on behind a place. */
export function cursorAt({ mark }: Pick<MemoryWatch, "mark">, position: Sequence): string {
  return `${position}.${mark}`;
}

/**
 * The next changes behind a place, each memory once: as it is now, at the place of its last change among those read. Of what only
 * waited for approval meanwhile, or was rejected, nothing is told: no watch has told of it before, and lists do not show it.
 */
export async function changedMemories(
  { ledger, space }: Pick<MemoryServices, "ledger" | "space">,
  { principal, signal }: Call,
  watch: MemoryWatch,
  after: Sequence,
): Promise<ChangedMemories> {
  authorize(principal, "read", []);
  const { tenant } = principal;
  const families = [memoriesFamily];
  const entries = await ledger.changes(tenant, after, entriesAtOnce, { families, signal });
  const last = new Map<Ref, Sequence>();
  const first = new Map<Ref, Version>();
  for (const entry of entries) {
    const change = memoryChangeOf(entry);
    if (change === undefined || change.type === "embeddingRecorded") continue;
    // A place of its own at the end, for the order.
    last.delete(entry.ref);
    last.set(entry.ref, entry.sequence);
    if (!first.has(entry.ref)) first.set(entry.ref, entry.version);
  }
  const stored = await ledger.memories(tenant, [...last.keys()], { signal });
  const active = [...stored.values()].filter(({ memory }) => memory.state === "active");
  const views = new Map<Ref, Memory>(
    (await memoryViews(ledger, tenant, space, active)).map((memory) => [memory.id, memory]),
  );
  const inactive = [...stored.values()].filter(({ memory }) => memory.state !== "active");
  const neverActive = new Set<Ref>();
  await Promise.all(
    inactive.map(async ({ memory: { id } }) => {
      const since = (first.get(id) as Version) - 1;
      const versions = await ledger.versions(tenant, id, { signal });
      if (!versions.some(({ memory }) => memory.version >= since && memory.state === "active")) neverActive.add(id);
    }),
  );
  const changes: MemoryChange[] = [];
  for (const [ref, sequence] of last) {
    const scope = stored.get(ref)?.memory.scope;
    const isWatched =
      scope === undefined
        ? watch.scopes === undefined && coversEveryScope(principal)
        : permitsScope(principal, scope) && watch.scopes?.has(formatScope(scope)) !== false;
    if (!isWatched || neverActive.has(ref)) continue;
    const cursor = cursorAt(watch, sequence);
    const memory = views.get(ref);
    changes.push(
      memory === undefined ? { type: "removed", cursor, id: memoryId(ref) } : { type: "written", cursor, memory },
    );
  }
  return { changes, position: entries.at(-1)?.sequence ?? after, isEnd: entries.length < entriesAtOnce };
}
