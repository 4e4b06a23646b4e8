import type { ContentHash, EmbeddingSpaceId, Instant, MemoryRecord, Ref, Version } from "@loci/domain";
import { type LogEntry, memoriesFamily } from "./log-entry.ts";

/** A version of a memory came to be: the first, an edit, a restored one, a closed one. */
export interface MemoryWritten {
  readonly type: "memoryWritten";
  /** The whole version. Its `version` is the one before it plus 1. */
  readonly memory: MemoryRecord;
  /** Where its embeddings of record are found, once there are any. */
  readonly contentHash: ContentHash;
}

/** A memory was forgotten. The tombstone is a version of its own. */
export interface MemoryRemoved {
  readonly type: "memoryRemoved";
  readonly ref: Ref;
  /** The tombstone's version. */
  readonly version: Version;
  /** In the caller's time. */
  readonly removedAt: Instant;
}

/** A vector was recorded for a version that had none. Changes no version. */
export interface EmbeddingRecorded {
  readonly type: "embeddingRecorded";
  readonly ref: Ref;
  readonly version: Version;
  readonly space: EmbeddingSpaceId;
  readonly contentHash: ContentHash;
}

/** What can happen to a memory: the kinds of the family `memories`. */
export type Change = MemoryWritten | MemoryRemoved | EmbeddingRecorded;

/** The resource a change is about. */
export function refOfChange(change: Change): Ref {
  return change.type === "memoryWritten" ? change.memory.id : change.ref;
}

/** The version a change makes or concerns. */
export function versionOfChange(change: Change): Version {
  return change.type === "memoryWritten" ? change.memory.version : change.version;
}

/**
 * What an entry of the log says of a memory; `undefined` for an entry of another family, or of a kind that this version does
 * not know.
 */
export function memoryChangeOf({ family, kind, ref, version, payload }: LogEntry): Change | undefined {
  if (family !== memoriesFamily || !isKnownKind(kind)) return undefined;
  if (kind === "memoryWritten") return { type: kind, ...(payload as PayloadOf<MemoryWritten>) };
  if (kind === "memoryRemoved") return { type: kind, ref, version, ...(payload as PayloadOf<MemoryRemoved>) };
  return { type: kind, ref, version, ...(payload as PayloadOf<EmbeddingRecorded>) };
}

/** The part of an entry that a change of a memory decides. */
export function memoryEntryOf(change: Change): Pick<LogEntry, "family" | "kind" | "ref" | "version" | "payload"> {
  const head = {
    family: memoriesFamily,
    kind: change.type,
    ref: refOfChange(change),
    version: versionOfChange(change),
  };
  const { type: _, ...rest } = change;
  if (change.type === "memoryWritten") return { ...head, payload: rest };
  const { ref: _ref, version: _version, ...payload } = rest as Omit<Exclude<Change, MemoryWritten>, "type">;
  return { ...head, payload };
}

/** What an entry of a kind holds beside what every entry has. */
type PayloadOf<Kind extends Change> = Omit<Kind, "type" | "ref" | "version">;

const knownKinds: ReadonlySet<string> = new Set<Change["type"]>([
  "memoryWritten",
  "memoryRemoved",
  "embeddingRecorded",
]);

function isKnownKind(kind: string): kind is Change["type"] {
  return knownKinds.has(kind);
}
