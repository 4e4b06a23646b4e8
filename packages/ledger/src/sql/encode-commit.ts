import type { ContentHash, Ref, Scope, Version } from "@loci/domain";
import type { Change, EmbeddingRecorded, MemoryRemoved } from "../change.ts";
import type { CommitBatch, TextExpectation } from "../commit-batch.ts";
import { type Family, memoriesFamily } from "../log-entry.ts";
import type { ResourceChange } from "../resource-change.ts";
import { type IndexedFields, indexedFieldsOf } from "./indexed-fields.ts";
import { textKeyOf, unitsBetweenRests } from "./text-key.ts";

/** A written version, taken apart for its row and its indexes. */
export interface EncodedMemory {
  readonly type: "memoryWritten";
  readonly ref: Ref;
  readonly version: Version;
  readonly contentHash: ContentHash;
  /** The whole record as JSON. */
  readonly record: string;
  readonly fields: IndexedFields;
}

/** A change of a resource, taken apart for its row and its entry. */
export interface EncodedResource {
  readonly type: "resource";
  readonly family: Family;
  readonly kind: string;
  readonly ref: Ref;
  readonly version: Version;
  /** Absent: it is removed. */
  readonly written:
    | {
        readonly scope: Scope;
        /** Empty: none. */
        readonly group: string;
        /** As JSON. */
        readonly state: string;
        /** As JSON. */
        readonly payload: string;
      }
    | undefined;
}

export type EncodedMemoryChange = EncodedMemory | MemoryRemoved | EmbeddingRecorded;

export type EncodedChange = EncodedMemoryChange | EncodedResource;

/** A text expectation, its text as memories are found by it. */
export interface EncodedTextExpectation extends Omit<TextExpectation, "text"> {
  readonly textKey: string;
}

/** What of a batch decides whether it is committed, and what it writes but for vectors. */
export interface EncodedCommit extends Pick<
  CommitBatch,
  "tenant" | "author" | "scopePatterns" | "reason" | "idempotency" | "expect" | "modelUsage"
> {
  readonly expectTexts: readonly EncodedTextExpectation[];
  readonly changes: readonly EncodedChange[];
  readonly decisions: NonNullable<CommitBatch["decisions"]>;
}

export function encodeCommit(batch: CommitBatch): EncodedCommit {
  const steps = encodingSteps(batch);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * The same, so that others have the thread between two long texts.
 *
 * @param rest resolves after they had it
 */
export async function encodeCommitInTurns(batch: CommitBatch, rest: () => Promise<unknown>): Promise<EncodedCommit> {
  const steps = encodingSteps(batch);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await rest();
  }
}

function* encodingSteps(batch: CommitBatch): Generator<undefined, EncodedCommit> {
  const { tenant, author, scopePatterns, reason, idempotency, expect, modelUsage } = batch;
  const keys = new Map<string, string>();
  // Most texts are both expected to be new and written.
  const keyOf = (text: string, contentHash?: ContentHash): string => {
    let key = keys.get(text);
    if (key === undefined) keys.set(text, (key = textKeyOf(text, contentHash)));
    return key;
  };
  let units = 0;
  const isDue = (text: string): boolean => {
    units += text.length;
    if (units < unitsBetweenRests) return false;
    units = 0;
    return true;
  };
  const changes: EncodedChange[] = [];
  for (const change of batch.changes) {
    changes.push(encodeChange(change, keyOf));
    if (change.type === "memoryWritten" && isDue(change.memory.text)) yield;
  }
  const expectTexts: EncodedTextExpectation[] = [];
  for (const { text, ...expected } of batch.expectTexts ?? []) {
    const isKnown = keys.has(text);
    expectTexts.push({ ...expected, textKey: keyOf(text) });
    if (!isKnown && isDue(text)) yield;
  }
  return {
    tenant,
    author,
    scopePatterns,
    reason,
    idempotency,
    expect,
    modelUsage,
    expectTexts,
    changes,
    decisions: batch.decisions ?? [],
  };
}

/** The keys that a batch wants for its memories, each where it is to be. */
export function keysOf({ changes }: Pick<EncodedCommit, "changes">): readonly ScopedKey[] {
  return changes.flatMap((change) => {
    if (change.type !== "memoryWritten" || change.fields.key === null) return [];
    return [{ scope: change.fields.scope, key: change.fields.key }];
  });
}

/** A key in its scope. */
export interface ScopedKey {
  readonly scope: Scope;
  readonly key: string;
}

/** The families of what a batch changes. */
export function familiesOf(changes: CommitBatch["changes"]): readonly Family[] {
  return [...new Set(changes.map((change) => ("family" in change ? change.family : memoriesFamily)))];
}

function encodeChange(
  change: Change | ResourceChange,
  keyOf: (text: string, contentHash: ContentHash) => string,
): EncodedChange {
  if (change.type === "resourceRemoved") return { ...change, type: "resource", written: undefined };
  if (change.type === "resourceWritten") {
    const { family, kind, ref, version, scope, group = "", state, payload } = change;
    const encoded = JSON.stringify(state);
    const written = {
      scope,
      group,
      state: encoded,
      payload: payload === undefined ? encoded : JSON.stringify(payload),
    };
    return { type: "resource", family, kind, ref, version, written };
  }
  if (change.type !== "memoryWritten") return change;
  const { memory, contentHash } = change;
  return {
    type: "memoryWritten",
    ref: memory.id,
    version: memory.version,
    contentHash,
    record: JSON.stringify(memory),
    fields: indexedFieldsOf(memory, (text) => keyOf(text, contentHash)),
  };
}
