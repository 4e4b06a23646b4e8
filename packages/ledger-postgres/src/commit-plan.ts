import type { ContentHash, Instant, LociError, MemoryRecord, Ref, Sequence, Version } from "@loci/domain";
import {
  type Change,
  type CommitBatch,
  type Committed,
  type EmbeddingOfRecord,
  type Expectation,
  type Idempotency,
  type ModelUsageEntry,
  refOfChange,
  type TextExpectation,
  versionOfChange,
} from "@loci/ledger";
import {
  erasedRequest,
  erasedRequestId,
  type IndexedFields,
  indexedFieldsOf,
  memoryErased,
  requestErased,
  requestIdReused,
  textKeyOf,
  tombstoneOf,
  versionConflict,
} from "@loci/ledger/sql";

/** What the database says of a memory before the batches. */
export interface KnownMemory {
  /** 0: it does not exist. */
  readonly version: Version;
  readonly sequence: Sequence;
  readonly scopeKind: string;
  readonly scopeId: string;
  readonly isActive: boolean;
  readonly isPurged: boolean;
  readonly contentHash: ContentHash;
  /** Loaded only where a batch forgets it. */
  readonly memory: MemoryRecord | undefined;
}

/** An entry for the log. */
export interface NewEntry {
  readonly sequence: Sequence;
  readonly type: Change["type"];
  readonly ref: Ref;
  readonly version: Version;
  readonly space: string | null;
  readonly contentHash: string;
  readonly record: string | null;
}

/** A version that is current, or was for some entries of these batches. */
export interface NewVersion {
  readonly ref: Ref;
  readonly version: Version;
  readonly sequence: Sequence;
  readonly state: MemoryRecord["state"];
  readonly fields: IndexedFields;
  /** The entry that ended it, if these batches did. */
  ended: Sequence | null;
}

/** An active version of the database that these batches end. */
export interface EndedVersion {
  readonly scopeKind: string;
  readonly scopeId: string;
  readonly sequence: Sequence;
  readonly ended: Sequence;
}

export interface AnsweredRequest extends Idempotency {
  readonly subject: string;
  readonly committed: Committed;
}

export type Outcome =
  | { readonly succeeded: true; readonly committed: Committed }
  | { readonly succeeded: false; readonly error: LociError };

/** Where a tenant's log stands, and the time. */
export interface LogEnd {
  readonly head: Sequence;
  readonly recordedAt: Instant;
  readonly now: Instant;
}

interface State extends KnownMemory {
  /** The version that these batches made, if they did. */
  readonly made: NewVersion | undefined;
}

/**
 * Decides what becomes of batches that share a transaction, before anything is written: one that conflicts leaves no
 * trace, and takes nobody along. What is to be written is then written in a few statements.
 */
export class CommitPlan {
  readonly entries: NewEntry[] = [];
  readonly versions: NewVersion[] = [];
  readonly ended: EndedVersion[] = [];
  readonly embeddings: EmbeddingOfRecord[] = [];
  readonly requests: AnsweredRequest[] = [];
  readonly modelUsage: ModelUsageEntry[] = [];
  readonly recordedAt: Instant;
  head: Sequence;
  readonly #states: Map<Ref, State>;
  readonly #texts: Map<string, Map<Ref, Version>>;
  readonly #answers: Map<string, { readonly bodyHash: string; readonly committed: Committed }>;

  /**
   * @param texts the active memories with the texts that batches expect something of, by `placedText`
   * @param answers by `requestKey`; only those that are still to be repeated
   */
  constructor(
    end: LogEnd,
    known: ReadonlyMap<Ref, KnownMemory>,
    texts: Map<string, Map<Ref, Version>>,
    answers: ReadonlyMap<string, { readonly bodyHash: string; readonly committed: Committed }>,
  ) {
    this.head = end.head;
    // The clock may have been set back, or that of another server may be ahead.
    this.recordedAt = Math.max(end.now, end.recordedAt);
    this.#states = new Map(Array.from(known, ([ref, memory]) => [ref, { ...memory, made: undefined }]));
    this.#texts = texts;
    this.#answers = new Map(answers);
  }

  /** The memories as they are after the batches, of those that changed. */
  get current(): readonly NewVersion[] {
    return Array.from(this.#states.values(), ({ made }) => made).filter((made) => made !== undefined);
  }

  /** Adds a batch, whole or not at all. @throws nothing: what refuses it is the outcome */
  add(batch: CommitBatch): Outcome {
    const { idempotency, principal } = batch;
    const key = idempotency && requestKey(principal.subject, idempotency);
    const answer = key === undefined ? undefined : this.#answers.get(key);
    if (answer !== undefined && idempotency !== undefined) {
      if (answer.bodyHash !== idempotency.bodyHash) return { succeeded: false, error: requestIdReused(idempotency) };
      return { succeeded: true, committed: { ...answer.committed, replayed: true } };
    }
    const isErased = idempotency !== undefined && this.#answers.has(erasedKey(principal.subject, idempotency));
    if (isErased) return { succeeded: false, error: requestErased(idempotency) };
    const refusal = this.#refusal(batch.expect, batch.changes) ?? this.#refusalOfText(batch.expectTexts ?? []);
    if (refusal !== undefined) return { succeeded: false, error: refusal };

    for (const change of batch.changes) this.#apply(change);
    this.embeddings.push(...(batch.embeddings ?? []));
    if (batch.modelUsage !== undefined) this.modelUsage.push(batch.modelUsage);
    const committed: Committed = {
      sequence: this.head,
      recordedAt: this.recordedAt,
      replayed: false,
      results: batch.changes.map((change) => ({ ref: refOfChange(change), version: versionOfChange(change) })),
    };
    if (key !== undefined && idempotency !== undefined) {
      this.#answers.set(key, { bodyHash: idempotency.bodyHash, committed });
      this.requests.push({ ...idempotency, subject: principal.subject, committed });
    }
    return { succeeded: true, committed };
  }

  /** Looks at all of a batch before any of it is applied. */
  #refusal(expect: readonly Expectation[], changes: readonly Change[]): LociError | undefined {
    for (const { ref, version } of expect) {
      const state = this.#stateOf(ref);
      if (state.isPurged) return memoryErased(ref);
      if (state.version !== version) return versionConflict(ref, version, state.version);
    }
    const versions = new Map<Ref, Version>();
    for (const change of changes) {
      const ref = refOfChange(change);
      const version = versionOfChange(change);
      const state = this.#stateOf(ref);
      if (state.isPurged) return memoryErased(ref);
      const found = versions.get(ref) ?? state.version;
      if (change.type === "embeddingRecorded") {
        if (version < 1 || version > found) return versionConflict(ref, version, found);
        continue;
      }
      const isMissing = change.type === "memoryRemoved" && found === 0;
      if (isMissing || found !== version - 1) return versionConflict(ref, version - 1, found);
      versions.set(ref, version);
    }
    return undefined;
  }

  #refusalOfText(expected: readonly TextExpectation[]): LociError | undefined {
    for (const { scope, text, known } of expected)
      for (const [ref, version] of this.#texts.get(placedText(scope.kind, scope.id, textKeyOf(text))) ?? [])
        if (!known.includes(ref)) return versionConflict(ref, 0, version);
    return undefined;
  }

  /** Notes the new version for the batches behind this one, and that the one before it is no more. */
  #placeText(ref: Ref, version: Version, fields: IndexedFields, before: NewVersion | undefined): void {
    if (before !== undefined) this.#texts.get(placeOf(before.fields))?.delete(ref);
    if (!fields.active) return;
    const place = placeOf(fields);
    const there = this.#texts.get(place);
    if (there === undefined) this.#texts.set(place, new Map([[ref, version]]));
    else there.set(ref, version);
  }

  #apply(change: Change): void {
    const sequence = ++this.head;
    if (change.type === "embeddingRecorded") {
      const { type, ref, version, space, contentHash } = change;
      this.entries.push({ sequence, type, ref, version, space, contentHash, record: null });
      return;
    }
    const state = this.#stateOf(refOfChange(change));
    let memory: MemoryRecord;
    let contentHash: ContentHash;
    if (change.type === "memoryWritten") ({ memory, contentHash } = change);
    else {
      if (state.memory === undefined) throw new TypeError("A memory that is to be forgotten was not loaded.");
      memory = tombstoneOf(state.memory, change);
      ({ contentHash } = state);
    }
    const { id: ref, version } = memory;
    const record = JSON.stringify(memory);
    this.entries.push({ sequence, type: change.type, ref, version, space: null, contentHash, record });
    this.#retire(state, sequence);
    const fields = indexedFieldsOf(memory);
    const made: NewVersion = { ref, version, sequence, state: memory.state, fields, ended: null };
    this.versions.push(made);
    this.#placeText(ref, version, fields, state.made);
    this.#states.set(ref, {
      version,
      sequence,
      scopeKind: fields.scope.kind,
      scopeId: fields.scope.id ?? "",
      isActive: fields.active,
      isPurged: false,
      contentHash,
      memory,
      made,
    });
  }

  #retire(state: State, next: Sequence): void {
    if (state.made !== undefined) state.made.ended = next;
    else if (state.isActive)
      this.ended.push({
        scopeKind: state.scopeKind,
        scopeId: state.scopeId,
        sequence: state.sequence,
        ended: next,
      });
  }

  #stateOf(ref: Ref): State {
    return this.#states.get(ref) ?? unknown;
  }
}

const unknown: State = {
  version: 0,
  sequence: 0,
  scopeKind: "",
  scopeId: "",
  isActive: false,
  isPurged: false,
  contentHash: "" as ContentHash,
  memory: undefined,
  made: undefined,
};

/** What tells texts of a tenant apart. */
export function placedText(kind: string, id: string | undefined, textKey: string): string {
  return JSON.stringify([kind, id ?? "", textKey]);
}

function placeOf({ scope, textKey }: IndexedFields): string {
  return placedText(scope.kind, scope.id, textKey);
}

/** The key of what is kept of a request once something of its answer was purged. */
function erasedKey(subject: string, idempotency: Idempotency): string {
  const requestId = erasedRequestId(subject, idempotency);
  return requestKey(erasedRequest, { method: erasedRequest, requestId, bodyHash: "" });
}

/** What tells requests of a tenant apart. */
export function requestKey(subject: string, { method, requestId }: Idempotency): string {
  return JSON.stringify([subject, method, requestId]);
}
