import {
  formatScope,
  LociError,
  type MemoryRecord,
  permitsScope,
  type Ref,
  type Scope,
  type Sequence,
  type Version,
} from "@loci/domain";
import type { MemoryRemoved } from "../change.ts";
import type { Committed } from "../commit-batch.ts";
import { keyTaken } from "../key-taken.ts";
import { memoriesFamily } from "../log-entry.ts";
import type {
  CommitOutcome,
  CommitPlan,
  EndedVersion,
  KnownAnswer,
  KnownMemory,
  KnownState,
  PlannedAnswer,
  PlannedDecision,
  PlannedEntry,
  PlannedVersion,
} from "./commit-plan.ts";
import type { EncodedChange, EncodedCommit } from "./encode-commit.ts";
import { type IndexedFields, indexedFieldsOf } from "./indexed-fields.ts";
import { tombstoneOf } from "./record-json.ts";
import { KeyHolders } from "./key-holders.ts";
import { ResourcePlanner } from "./plan-resources.ts";
import { memoryErased, versionConflict } from "./refusals.ts";
import { answerOf, erasedRequestKey, placedKey, placedText, requestKey } from "./request-answer.ts";

/**
 * Decides what becomes of batches that share a transaction: one that is refused leaves no trace, and takes nobody along.
 * Pure: the same for every ledger, whatever it writes the plan with.
 */
export function planCommits(known: KnownState, batches: readonly EncodedCommit[]): CommitPlan {
  const planner = new CommitPlanner(known);
  const outcomes = batches.map((batch) => planner.add(batch));
  return { ...planner.plan(), outcomes };
}

interface State extends KnownMemory {
  /** The version that these batches made, if they did. */
  readonly made: MadeVersion | undefined;
}

interface MadeVersion extends PlannedVersion {
  ended: Sequence | null;
}

class CommitPlanner {
  readonly #recordedAt: number;
  readonly #entries: PlannedEntry[] = [];
  readonly #versions: MadeVersion[] = [];
  readonly #ended: EndedVersion[] = [];
  readonly #written: PlannedAnswer[] = [];
  readonly #decisions: PlannedDecision[] = [];
  readonly #states: Map<Ref, State>;
  readonly #resources: ResourcePlanner;
  readonly #texts: Map<string, Map<Ref, Version>>;
  readonly #keys: KeyHolders;
  readonly #answers: Map<string, KnownAnswer>;
  #head: Sequence;

  constructor({ end, memories, resources, texts, keys, answers }: KnownState) {
    this.#head = end.head;
    // The clock may have been set back, or that of another server may be ahead.
    this.#recordedAt = Math.max(end.now, end.recordedAt);
    this.#states = new Map(Array.from(memories, ([ref, memory]) => [ref, { ...memory, made: undefined }]));
    this.#resources = new ResourcePlanner(resources);
    this.#texts = new Map(Array.from(texts, ([place, found]) => [place, new Map(found)]));
    this.#keys = new KeyHolders(keys);
    this.#answers = new Map(answers);
  }

  plan(): Omit<CommitPlan, "outcomes"> {
    return {
      head: this.#head,
      recordedAt: this.#recordedAt,
      entries: this.#entries,
      versions: this.#versions,
      current: Array.from(this.#states.values(), ({ made }) => made).filter((made) => made !== undefined),
      ended: this.#ended,
      resources: this.#resources.planned,
      answers: this.#written,
      decisions: this.#decisions,
    };
  }

  /** Adds a batch, whole or not at all. */
  add(batch: EncodedCommit): CommitOutcome {
    try {
      return { succeeded: true, committed: this.#commit(batch) };
    } catch (error) {
      if (!LociError.is(error)) throw error;
      return { succeeded: false, error };
    }
  }

  /** @throws LociError before anything of the batch is noted */
  #commit(batch: EncodedCommit): Committed {
    const { idempotency, author, changes } = batch;
    const subject = author.subject ?? "";
    const replayed =
      idempotency &&
      answerOf(
        this.#answers.get(requestKey(subject, idempotency)),
        this.#answers.has(erasedRequestKey(subject, idempotency)),
        idempotency,
      );
    if (replayed !== undefined) return replayed;
    this.#checkExpectations(batch);
    this.#checkChanges(batch);
    this.#checkTexts(batch);
    this.#checkKeys(batch);

    for (const change of changes) this.#apply(change, batch);
    const sequence = this.#head;
    for (const decision of batch.decisions)
      this.#decisions.push({ ...decision, activity: author.activity ?? "", sequence });
    const committed = {
      sequence,
      recordedAt: this.#recordedAt,
      replayed: false,
      results: changes.map(({ ref, version }) => ({ ref, version })),
    };
    if (idempotency !== undefined) {
      this.#answers.set(requestKey(subject, idempotency), { bodyHash: idempotency.bodyHash, committed });
      this.#written.push({ ...idempotency, subject, committed });
    }
    return committed;
  }

  #checkExpectations({ expect, decisions }: EncodedCommit): void {
    for (const { ref, version } of expect) {
      const state = this.#resources.get(ref) ?? this.#stateOf(ref);
      if (state.isPurged) throw memoryErased(ref);
      if (state.version !== version) throw versionConflict(ref, version, state.version);
    }
    for (const { ref } of decisions) if (this.#stateOf(ref).isPurged) throw memoryErased(ref);
  }

  /** Each version is the one after that before it, and lies where the author may write. */
  #checkChanges({ changes, scopePatterns }: EncodedCommit): void {
    const versions = new Map<Ref, Version>();
    // The changes of a batch mostly lie in one scope.
    let permitted: Scope | undefined;
    const checkScope = (scope: Scope): void => {
      if (permitted !== undefined && permitted.kind === scope.kind && permitted.id === scope.id) return;
      checkPermitted(scopePatterns, scope);
      permitted = scope;
    };
    this.#resources.check(changes, checkScope);
    for (const change of changes) {
      if (change.type === "resource") continue;
      const { ref, version } = change;
      const state = this.#stateOf(ref);
      if (state.isPurged) throw memoryErased(ref);
      if (state.version > 0) checkScope(state.scope);
      const found = versions.get(ref) ?? state.version;
      if (change.type === "embeddingRecorded") {
        if (version < 1 || version > found) throw versionConflict(ref, version, found);
        continue;
      }
      const isMissing = change.type === "memoryRemoved" && found === 0;
      if (isMissing || found !== version - 1) throw versionConflict(ref, version - 1, found);
      if (change.type === "memoryWritten") checkScope(change.fields.scope);
      versions.set(ref, version);
    }
  }

  #checkTexts({ expectTexts }: EncodedCommit): void {
    for (const { scope, textKey, known } of expectTexts)
      for (const [ref, version] of this.#texts.get(placedText(scope, textKey)) ?? [])
        if (!known.includes(ref)) throw versionConflict(ref, 0, version);
  }

  /** In the order of the changes: what one of them forgets has no key for the next one. */
  #checkKeys({ changes }: EncodedCommit): void {
    const keys = this.#keys.copy();
    for (const change of changes) {
      if (change.type === "memoryWritten") takeKey(keys, change.ref, change.fields);
      else if (change.type === "memoryRemoved") keys.free(change.ref);
    }
  }

  #apply(change: EncodedChange, { author, reason }: EncodedCommit): void {
    const sequence = ++this.#head;
    if (change.type === "resource") {
      this.#entries.push({ ...this.#resources.apply(change, sequence), author, reason });
      return;
    }
    const { type: kind, ref, version } = change;
    const entry = { sequence, family: memoriesFamily, kind, ref, version, author, reason };
    if (change.type === "embeddingRecorded") {
      const { space, contentHash } = change;
      this.#entries.push({ ...entry, previous: null, space, contentHash, record: null });
      return;
    }
    const before = this.#stateOf(ref);
    const made = change.type === "memoryWritten" ? change : removedFrom(before, change);
    const { contentHash, record, fields } = made;
    const previous = before.version === 0 ? null : before.sequence;
    this.#entries.push({ ...entry, previous, space: null, contentHash, record });
    this.#retire(before, sequence);
    const planned: MadeVersion = { ref, version, sequence, fields, ended: null };
    this.#versions.push(planned);
    this.#placeText(ref, version, fields);
    takeKey(this.#keys, ref, fields);
    this.#states.set(ref, {
      version,
      sequence,
      scope: fields.scope,
      isActive: fields.active,
      isPurged: false,
      contentHash,
      // Parsed again only if one of the next changes forgets it.
      get memory() {
        return JSON.parse(record) as MemoryRecord;
      },
      made: planned,
    });
  }

  #retire(state: State, next: Sequence): void {
    if (state.made !== undefined) state.made.ended = next;
    else if (state.isActive) {
      const { scope, sequence, memory } = state;
      this.#ended.push({ scope, sequence, ended: next, memory });
    }
  }

  /** Notes the new version for the batches behind this one, and that the one before it is no more. */
  #placeText(ref: Ref, version: Version, { active, scope, textKey }: IndexedFields): void {
    if (version > 1) for (const there of this.#texts.values()) there.delete(ref);
    if (!active) return;
    const place = placedText(scope, textKey);
    const there = this.#texts.get(place);
    if (there === undefined) this.#texts.set(place, new Map([[ref, version]]));
    else there.set(ref, version);
  }

  #stateOf(ref: Ref): State {
    return this.#states.get(ref) ?? unknown;
  }
}

const unknown: State = {
  version: 0,
  sequence: 0,
  scope: { kind: "global" },
  isActive: false,
  isPurged: false,
  contentHash: "",
  memory: undefined,
  made: undefined,
};

/** @throws LociError `MEMORY_EXISTS` when another memory has the key */
function takeKey(keys: KeyHolders, ref: Ref, { scope, key }: IndexedFields): void {
  if (key === null) {
    keys.free(ref);
    return;
  }
  const place = placedKey(scope, key);
  const holder = keys.holderOf(place);
  if (holder !== undefined && holder !== ref) throw keyTaken(scope, key);
  keys.hold(place, ref);
}

/** The tombstone: the last version's record, marked as deleted. */
function removedFrom(
  { memory, contentHash }: State,
  change: MemoryRemoved,
): { readonly contentHash: string; readonly record: string; readonly fields: IndexedFields } {
  if (memory === undefined) throw new TypeError("A memory that is to be forgotten was not loaded.");
  const tombstone = tombstoneOf(memory, change);
  return { contentHash, record: JSON.stringify(tombstone), fields: indexedFieldsOf(tombstone) };
}

function checkPermitted(scopePatterns: readonly string[], scope: Scope): void {
  if (permitsScope({ scopePatterns }, scope)) return;
  const resource = formatScope(scope);
  throw new LociError("SCOPE_NOT_PERMITTED", {
    message: `The author of the batch may not touch the scope ${resource}.`,
    resource,
    advice: "Ask for a scope that the credential covers.",
  });
}
