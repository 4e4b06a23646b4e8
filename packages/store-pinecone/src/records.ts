import { formatScope, type Ref, type ScopeText, type Sequence, type Version } from "@loci/domain";
import type { IndexFields, IndexUpsert } from "@loci/store";
import type { PineconeRecord, RecordMetadata } from "@pinecone-database/pinecone";

/*
 * A row is one record for each of its vectors, `REF#0`, `REF#1` and so on. The first stands for the row: it says how many
 * there are, and it is there even for a row without vectors and, as a tombstone, for a row that was deleted, so that no
 * older version comes back. One more record holds the checkpoint. Everything else in the namespace is not ours.
 */

/** `vector`: can be found. `zero`: all its vectors are zeros, which Pinecone does not take. `none`: it has no vector. */
export type RecordKind = "vector" | "zero" | "none" | "tombstone" | "checkpoint";

export const checkpointId = "checkpoint";

/** What the first record of a row says. */
export interface RowHead {
  readonly ref: Ref;
  readonly version: Version;
  readonly kind: RecordKind;
  readonly records: number;
}

/** A record that was found. */
export interface FoundRecord extends RowHead {
  readonly fields: IndexFields;
  /** True when its fields were too large to be stored: then no filter can be judged here. */
  readonly isPartial: boolean;
}

/** Metadata may take 40 KiB; the names, quotes and our own fields are counted in. */
const maxMetadataBytes = 40 * 1024;
const fieldPrefix = "f_";

export const metadataNames = { kind: "kind", scope: "scope", isPartial: "partial" } as const;

/** The name under which a field of a row stands in the metadata. */
export function metadataName(field: string): string {
  return fieldPrefix + field;
}

export function recordId(ref: Ref, place: number): string {
  return `${ref}#${place}`;
}

export function headId(ref: Ref): string {
  return recordId(ref, 0);
}

export function isHeadId(id: string): boolean {
  return id.endsWith("#0");
}

/** The records of a row: at least one. */
export function recordsOf(row: IndexUpsert, dimensions: number): readonly PineconeRecord[] {
  const vectors = row.vectors.filter((vector) => vector.some((value) => value !== 0));
  const kind: RecordKind = vectors.length > 0 ? "vector" : row.vectors.length > 0 ? "zero" : "none";
  const head = headMetadata({ ref: row.ref, version: row.version, kind, records: Math.max(1, vectors.length) });
  const own: RecordMetadata = { ...head, [metadataNames.scope]: formatScope(row.scope) };
  const whole: RecordMetadata = { ...own, ...fieldMetadata(row.fields) };
  const fits = Buffer.byteLength(JSON.stringify(whole)) <= maxMetadataBytes;
  const metadata = fits ? whole : { ...own, [metadataNames.isPartial]: true };
  if (kind !== "vector") return [{ id: headId(row.ref), values: placeholder(dimensions), metadata }];
  return vectors.map((vector, place) => ({ id: recordId(row.ref, place), values: [...vector], metadata }));
}

export function tombstoneOf(ref: Ref, version: Version, dimensions: number): PineconeRecord {
  const metadata = headMetadata({ ref, version, kind: "tombstone", records: 1 });
  return { id: headId(ref), values: placeholder(dimensions), metadata };
}

export function checkpointRecord(through: Sequence, dimensions: number): PineconeRecord {
  const metadata = { [metadataNames.kind]: "checkpoint", through };
  return { id: checkpointId, values: placeholder(dimensions), metadata };
}

/** `undefined` for a record that is not a checkpoint of ours. */
export function readCheckpoint(metadata: RecordMetadata | undefined): Sequence | undefined {
  const through = metadata?.["through"];
  return metadata?.[metadataNames.kind] === "checkpoint" && typeof through === "number" ? through : undefined;
}

/** `undefined` for a record that is no part of a row of ours. */
export function readRecord(metadata: RecordMetadata | undefined): FoundRecord | undefined {
  const { ref, version, records } = metadata ?? {};
  const kind = metadata?.[metadataNames.kind];
  if (metadata === undefined || typeof ref !== "string" || typeof version !== "number" || typeof records !== "number")
    return undefined;
  if (kind !== "vector" && kind !== "zero" && kind !== "none" && kind !== "tombstone") return undefined;
  const fields = Object.entries(metadata).flatMap(([name, value]) =>
    name.startsWith(fieldPrefix) ? [[name.slice(fieldPrefix.length), value] as const] : [],
  );
  return {
    ref: ref as Ref,
    version,
    kind,
    records,
    fields: Object.fromEntries(fields),
    isPartial: metadata[metadataNames.isPartial] === true,
  };
}

/** Selects what a search may find in these scopes. */
export function selection(kind: "vector" | "zero", scopes: readonly ScopeText[]): object {
  return { $and: [{ [metadataNames.kind]: { $eq: kind } }, { [metadataNames.scope]: { $in: scopes } }] };
}

/** Pinecone takes no zeros and no record without a vector. Searches select by kind, so this one is never compared. */
export function placeholder(dimensions: number): number[] {
  return Array.from({ length: dimensions }, (_, index) => (index === 0 ? 1 : 0));
}

function headMetadata({ ref, version, kind, records }: RowHead): RecordMetadata {
  return { ref, version, [metadataNames.kind]: kind, records };
}

function fieldMetadata(fields: IndexFields): RecordMetadata {
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      metadataName(field),
      typeof value === "object" ? [...value] : value,
    ]),
  );
}
