import { setImmediate } from "node:timers/promises";
import type { ContentHash, Instant, MemoryRecord, Ref, Scope, Sequence, TenantId, Version } from "@loci/domain";
import type { CommitBatch } from "@loci/ledger";
import {
  type CommitOutcome,
  currentKeySetting,
  encodeCommitInTurns,
  type EncodedCommit,
  erasedRequest,
  erasedRequestId,
  type KnownAnswer,
  type KnownMemory,
  type KnownState,
  keysOf,
  type LogEnd,
  parseRecord,
  placedKey,
  placedText,
  planCommits,
  resourcesOf,
} from "@loci/ledger/sql";
import { answerOfRow, findAnswers, type RequestRow } from "./request-reader.ts";
import { allDone, type Connections, type RunStatement } from "./connections.ts";
import { holdKeys } from "./encryption/database-keys.ts";
import type { LedgerKeys, TenantKey } from "./encryption/ledger-keys.ts";
import { sealColumns } from "./encryption/seal-columns.ts";
import { holderOfKey, scopeColumns } from "./memory-reader.ts";
import { type KnownResourceRow, knownResourceOf, loadResources } from "./resource-rows.ts";
import { type Statement, statement } from "./statement.ts";
import { now } from "./database-clock.ts";
import { writePlan } from "./write-plan.ts";

interface MemoryRow {
  readonly ref: Ref;
  readonly version: Version | null;
  readonly sequence: Sequence;
  readonly scope_kind: Scope["kind"];
  readonly scope_id: string;
  readonly state: MemoryRecord["state"];
  readonly content_hash: ContentHash;
  readonly record: string | null;
  readonly is_purged: boolean;
}

interface TextRow {
  readonly ref: Ref;
  readonly version: Version;
  readonly scope_kind: Scope["kind"];
  readonly scope_id: string;
  readonly text_key: string;
}

interface KeyRow {
  readonly ref: Ref;
  readonly scope_kind: Scope["kind"];
  readonly scope_id: string;
  readonly key: string;
}

/** The end of a log that is locked. */
export interface LockedLog extends LogEnd {
  /** The key that the tenant is under, which nobody changes until the end of the transaction. */
  readonly columnsKey: TenantKey;
}

/** What a commit has to know. */
interface LoadedState extends KnownState {
  readonly end: LockedLog;
}

/** Locks the tenant's log: whoever comes next waits here, and then sees what was committed. */
export const lockLog: Statement<LockedLog> = statement(
  `SELECT head, recorded_at AS "recordedAt", columns_key AS "columnsKey", ${now("$2")} AS now FROM tenants WHERE tenant = $1 FOR UPDATE`,
);

/** A new tenant is under the current key of the database, which is held meanwhile. */
const beginLog = statement(
  `INSERT INTO tenants (tenant, columns_key, sealed_through)
     SELECT $1, (SELECT value FROM settings WHERE tenant = '' AND name = '${currentKeySetting}'), 0 ON CONFLICT DO NOTHING`,
);

const loadMemories: Statement<MemoryRow> = statement(
  `SELECT wanted.ref, m.version, m.sequence, m.scope_kind, m.scope_id, m.state, c.content_hash,
       CASE WHEN wanted.whole THEN c.record END AS record, p.ref IS NOT NULL AS is_purged
     FROM unnest($2::text[], $3::boolean[]) AS wanted (ref, whole)
     LEFT JOIN memories AS m ON m.tenant = $1 AND m.ref = wanted.ref
     LEFT JOIN changes AS c ON c.tenant = $1 AND c.sequence = m.sequence
     LEFT JOIN purged AS p ON p.tenant = $1 AND p.ref = wanted.ref
     WHERE m.ref IS NOT NULL OR p.ref IS NOT NULL`,
);

const loadTexts: Statement<TextRow> = statement(
  `SELECT m.ref, m.version, m.scope_kind, m.scope_id, m.text_key
     FROM unnest($2::text[], $3::text[], $4::text[]) AS wanted (kind, id, text_key)
     JOIN memories AS m ON m.tenant = $1 AND m.scope_kind = wanted.kind AND m.scope_id = wanted.id
       AND m.text_key = wanted.text_key AND m.state = 'active'`,
);

/** The first of those that share a key, as after a server of the version before has restored one. */
const loadKeys: Statement<KeyRow> = statement(
  `SELECT found.ref, wanted.kind AS scope_kind, wanted.id AS scope_id, wanted.key
     FROM unnest($2::text[], $3::text[], $4::text[]) AS wanted (kind, id, key) CROSS JOIN LATERAL (${holderOfKey}) AS found`,
);

/** Writes batches of one tenant in one transaction: two round trips, however many batches there are. */
export class CommitWriter {
  readonly #connections: Connections;
  readonly #keys: LedgerKeys;
  readonly #clock: (() => Instant) | undefined;
  readonly #requestRetention: number;

  constructor(
    connections: Connections,
    keys: LedgerKeys,
    clock: (() => Instant) | undefined,
    requestRetentionMilliseconds: number,
  ) {
    this.#connections = connections;
    this.#keys = keys;
    this.#clock = clock;
    this.#requestRetention = requestRetentionMilliseconds;
  }

  /** One outcome a batch. @throws LociError when the transaction failed, and with it all of them */
  async write(tenant: TenantId, batches: readonly CommitBatch[]): Promise<readonly CommitOutcome[]> {
    const commits: EncodedCommit[] = [];
    for (const batch of batches) commits.push(await encodeCommitInTurns(batch, setImmediate));
    const outcomes = await this.#write(tenant, batches, commits);
    if (outcomes !== undefined) return outcomes;
    await sealColumns(this.#connections, this.#keys, tenant);
    return (await this.#write(tenant, batches, commits)) ?? [];
  }

  /** @returns `undefined` for a tenant that a server without keys has begun: it has to come under one first */
  #write(
    tenant: TenantId,
    batches: readonly CommitBatch[],
    commits: readonly EncodedCommit[],
  ): Promise<readonly CommitOutcome[] | undefined> {
    return this.#connections.transaction({ tenant }, async (send, commit) => {
      const known = await this.#load(send, tenant, commits);
      const { columnsKey } = known.end;
      if (columnsKey === null && this.#keys.given !== undefined) {
        await commit([]);
        return undefined;
      }
      const sealing = this.#keys.under(columnsKey);
      const plan = planCommits(known, commits);
      const accepted = batches.filter((_, index) => isNew(plan.outcomes[index]));
      await commit(writePlan({ send, tenant, sealing }, plan, known.end, accepted));
      return plan.outcomes;
    });
  }

  async #load(send: RunStatement, tenant: TenantId, commits: readonly EncodedCommit[]): Promise<LoadedState> {
    const wanted = wantedMemories(commits);
    const keyed = commits.flatMap(({ author: { subject = "" }, idempotency }) =>
      idempotency === undefined
        ? []
        : [
            { subject, ...idempotency },
            { subject: erasedRequest, method: erasedRequest, requestId: erasedRequestId(subject, idempotency) },
          ],
    );
    const expected = commits.flatMap(({ expectTexts }) => expectTexts);
    const keys = commits.flatMap(keysOf);
    const resourceRefs = new Set(commits.flatMap(({ changes, expect }) => [...resourcesOf(changes, expect)]));
    // Sent behind the lock without waiting for it: each statement sees what was committed when it begins.
    const all = async (): Promise<LoadedState | undefined> => {
      const key = this.#keys.seen(tenant);
      const { columns } = this.#keys.under(key);
      const words = new Map(keys.map(({ key: word }) => [columns.of(tenant, "key", word), word]));
      const [ends, memories, requests, texts, holders, resources] = (await allDone([
        send(lockLog, [tenant, this.#clock?.() ?? null]),
        wanted.size === 0 ? [] : send(loadMemories, [tenant, [...wanted.keys()], [...wanted.values()]]),
        keyed.length === 0
          ? []
          : send(findAnswers, [
              tenant,
              keyed.map(({ subject }) => subject),
              keyed.map(({ method }) => method),
              keyed.map(({ requestId }) => requestId),
            ]),
        expected.length === 0
          ? []
          : send(loadTexts, [
              tenant,
              ...scopeColumns(expected.map(({ scope }) => scope)),
              expected.map(({ textKey }) => textKey),
            ]),
        keys.length === 0
          ? []
          : send(loadKeys, [
              tenant,
              ...scopeColumns(keys.map(({ scope }) => scope)),
              keys.map(({ key: word }) => columns.of(tenant, "key", word)),
            ]),
        resourceRefs.size === 0 ? [] : send(loadResources, [tenant, [...resourceRefs]]),
      ])) as [
        readonly LockedLog[],
        readonly MemoryRow[],
        readonly RequestRow[],
        readonly TextRow[],
        readonly KeyRow[],
        readonly KnownResourceRow[],
      ];
      const [end] = ends;
      if (end !== undefined && end.columnsKey !== key) {
        this.#keys.see(tenant, end.columnsKey);
        // Under another key the words have others in their place.
        if (keys.length > 0) return all();
      }
      const known = new Map(memories.map((row) => [row.ref, knownMemoryOf(this.#opened(tenant, row))]));
      return (
        end && {
          end,
          memories: known,
          resources: new Map(resources.map((row) => [row.ref, knownResourceOf(row)])),
          texts: placedTexts(texts),
          keys: new Map(
            holders.map(({ ref, scope_kind: kind, scope_id: id, key: sealed }) => [
              placedKey(scopeOf(kind, id), words.get(sealed) ?? sealed),
              ref,
            ]),
          ),
          answers: this.#answersOf(requests, end.now),
        }
      );
    };
    const loaded = await all();
    if (loaded !== undefined) return loaded;
    await allDone([send(holdKeys, []), send(beginLog, [tenant])]);
    const second = await all();
    if (second === undefined) throw new TypeError("The tenant's row is not there, although it was made.");
    return second;
  }

  #opened(tenant: TenantId, row: MemoryRow): MemoryRow {
    return row.record === null ? row : this.#keys.entry(tenant, row);
  }

  #answersOf(rows: readonly RequestRow[], time: Instant): ReadonlyMap<string, KnownAnswer> {
    return new Map(
      rows.filter(({ written_at }) => written_at > time - this.#requestRetention).map((row) => answerOfRow(row)),
    );
  }
}

function isNew(outcome: CommitOutcome | undefined): boolean {
  return outcome?.succeeded === true && !outcome.committed.replayed;
}

function placedTexts(rows: readonly TextRow[]): Map<string, Map<Ref, Version>> {
  const placed = new Map<string, Map<Ref, Version>>();
  for (const { ref, version, scope_kind: kind, scope_id: id, text_key: textKey } of rows) {
    const place = placedText(scopeOf(kind, id), textKey);
    placed.set(place, (placed.get(place) ?? new Map<Ref, Version>()).set(ref, version));
  }
  return placed;
}

/** Which memories the batches are about, and whether the whole record is needed, to make a tombstone of it. */
function wantedMemories(commits: readonly EncodedCommit[]): Map<Ref, boolean> {
  const wanted = new Map<Ref, boolean>();
  for (const { expect, changes, decisions } of commits) {
    for (const { ref } of [...expect, ...decisions]) wanted.set(ref, wanted.get(ref) ?? false);
    for (const { ref, type } of changes)
      if (type !== "resource") wanted.set(ref, wanted.get(ref) === true || type === "memoryRemoved");
  }
  return wanted;
}

function scopeOf(kind: Scope["kind"], id: string): Scope {
  return kind === "global" ? { kind } : { kind, id };
}

function knownMemoryOf(row: MemoryRow): KnownMemory {
  return {
    version: row.version ?? 0,
    sequence: row.sequence,
    scope: scopeOf(row.scope_kind, row.scope_id),
    isActive: row.state === "active",
    isPurged: row.is_purged,
    contentHash: row.content_hash,
    memory: row.record === null ? undefined : parseRecord(row.record, row.sequence),
  };
}
