import type { MemoryRecord, Ref, Sequence, TenantId, Version } from "@loci/domain";
import { keyIdOf, type SealedPlace, type Sealing } from "@loci/encryption";
import type { Checkpoint, CheckpointOwner } from "../ledger-checkpoints.ts";
import { memoriesFamily } from "../log-entry.ts";

/** What fields of rows are sealed with. `undefined`: encryption is off, and they stand as they are. */
export type FieldSealing = Sealing | undefined;

/** Begins a sealed field. No text and no JSON that Loci writes begins with it. */
const mark = "\u0001";
/** Begins a sealed record of a memory, which stays JSON. The name is none of a memory. */
const recordStart = '{"sealed":"';

/** What statements read of the record of a memory, and whoever has the file but no key with them. The rest is sealed. */
const plainFields = [
  "state",
  "importance",
  "updatedAt",
  "validFrom",
  "validTo",
  "supersededBy",
] as const satisfies readonly (keyof MemoryRecord)[];

/** An entry of the log, by what tells it from the others. */
interface EntryPlace {
  readonly tenant: TenantId;
  readonly sequence: Sequence;
}

/** Texts of an entry that are sealed. */
interface EntryTexts {
  readonly record: string | null;
  readonly reason: string | null;
}

/** Seals what an entry says, before it is written. @param isVersion of a memory: some of it stays as it is */
export function sealEntry<Texts extends Partial<EntryTexts>>(
  sealing: FieldSealing,
  { tenant, sequence }: EntryPlace,
  family: string,
  texts: Texts,
): Texts {
  if (sealing === undefined) return texts;
  const { record, reason } = texts;
  return {
    ...texts,
    ...(typeof record === "string" ? { record: sealRecord(sealing, { tenant, sequence }, family, record) } : {}),
    ...(typeof reason === "string"
      ? { reason: mark + sealing.seal(entryPlace(tenant, sequence, "reason"), reason) }
      : {}),
  };
}

/**
 * The entry's row with what it says, however it was written.
 *
 * @throws LociError `ENCRYPTION_KEY_MISSING`, `DATA_DIRECTORY_CORRUPT`
 */
export function openEntry<Row extends { readonly sequence: Sequence } & Partial<EntryTexts>>(
  sealing: FieldSealing,
  tenant: TenantId,
  row: Row,
): Row {
  if (sealing === undefined) return row;
  const { sequence, record, reason } = row;
  if (!isSealedText(record) && !isSealedText(reason)) return row;
  return {
    ...row,
    ...(typeof record === "string" ? { record: openRecord(sealing, { tenant, sequence }, record) } : {}),
    ...(typeof reason === "string" ? { reason: opened(sealing, entryPlace(tenant, sequence, "reason"), reason) } : {}),
  };
}

/** The same of many. Without encryption they are the same rows. */
export function openEntries<Row extends { readonly sequence: Sequence } & Partial<EntryTexts>>(
  sealing: FieldSealing,
  tenant: TenantId,
  rows: readonly Row[],
): readonly Row[] {
  return sealing === undefined ? rows : rows.map((row) => openEntry(sealing, tenant, row));
}

/** A resource, by what tells its version from all others. */
interface ResourcePlace {
  readonly ref: Ref;
  readonly version: Version;
}

export function sealState(
  sealing: FieldSealing,
  tenant: TenantId,
  { ref, version }: ResourcePlace,
  state: string | null,
): string | null {
  if (sealing === undefined || state === null) return state;
  return mark + sealing.seal({ tenant, path: ["resources", ref, version, "state"] }, state);
}

/** @throws as `openEntry` */
export function openState<Row extends ResourcePlace & { readonly state: string | null }>(
  sealing: FieldSealing,
  tenant: TenantId,
  row: Row,
): Row {
  const { ref, version, state } = row;
  if (sealing === undefined || !isSealedText(state)) return row;
  return { ...row, state: opened(sealing, { tenant, path: ["resources", ref, version, "state"] }, state) };
}

/** Seals the texts of a checkpoint. */
export function sealCheckpoint(
  sealing: FieldSealing,
  tenant: TenantId,
  owner: CheckpointOwner,
  { through, outline, state }: Checkpoint,
): Checkpoint {
  if (sealing === undefined) return { through, outline, state };
  const seal = (field: string, text: string): string =>
    mark + sealing.seal(checkpointPlace(tenant, owner, through, field), text);
  return { through, outline: seal("outline", outline), state: seal("state", state) };
}

/** @throws as `openEntry` */
export function openCheckpointText(
  sealing: FieldSealing,
  tenant: TenantId,
  owner: CheckpointOwner,
  { through, field, text }: { readonly through: number; readonly field: "outline" | "state"; readonly text: string },
): string {
  return sealing === undefined ? text : opened(sealing, checkpointPlace(tenant, owner, through, field), text);
}

export function sealDetails(
  sealing: FieldSealing,
  tenant: TenantId,
  { ref, activity }: { readonly ref: Ref; readonly activity: string },
  details: string,
): string {
  if (sealing === undefined) return details;
  return mark + sealing.seal({ tenant, path: ["decisions", ref, activity, "details"] }, details);
}

/** @throws as `openEntry` */
export function openDetails(
  sealing: FieldSealing,
  tenant: TenantId,
  { ref, activity }: { readonly ref: Ref; readonly activity: string },
  details: string,
): string {
  if (sealing === undefined) return details;
  return opened(sealing, { tenant, path: ["decisions", ref, activity, "details"] }, details);
}

/** The id of the key that a field is sealed with; `undefined` when it is not sealed. */
export function keyIdOfField(field: string): string | undefined {
  if (field.startsWith(mark)) return keyIdOf(field.slice(mark.length, mark.length + 64));
  if (field.startsWith(recordStart)) return keyIdOf(field.slice(recordStart.length, recordStart.length + 64));
  return undefined;
}

/** Whether a field is sealed, under whatever key. */
export function isSealedText(field: string | null | undefined): field is string {
  return typeof field === "string" && (field.startsWith(mark) || field.startsWith(recordStart));
}

/** Of a memory what is not a version, as kinds of a newer version of Loci may be, is JSON of any form: it is sealed as a whole. */
function sealRecord(sealing: Sealing, { tenant, sequence }: EntryPlace, family: string, record: string): string {
  const plain = family === memoriesFamily ? plainPartOf(record) : undefined;
  if (plain === undefined) return mark + sealing.seal(entryPlace(tenant, sequence, "record"), record);
  return `${recordStart}${sealing.seal(entryPlace(tenant, sequence, "record", plain), record)}${plain}`;
}

function openRecord(sealing: Sealing, { tenant, sequence }: EntryPlace, record: string): string {
  if (!record.startsWith(recordStart)) return opened(sealing, entryPlace(tenant, sequence, "record"), record);
  const end = record.indexOf('"', recordStart.length);
  const sealed = record.slice(recordStart.length, end < 0 ? undefined : end);
  // What stands beside it is part of what was sealed: nobody changes a state or a time unseen.
  return sealing.open(entryPlace(tenant, sequence, "record", end < 0 ? "" : record.slice(end)), sealed);
}

function opened(sealing: Sealing, place: SealedPlace, field: string): string {
  return field.startsWith(mark) ? sealing.open(place, field.slice(mark.length)) : field;
}

/** What follows the sealed text in a record, from its closing quotation mark on. */
function plainPartOf(record: string): string | undefined {
  const memory = JSON.parse(record) as Partial<MemoryRecord> | null;
  if (typeof memory !== "object" || memory === null) return undefined;
  const plain = Object.fromEntries(
    plainFields.flatMap((name) => (memory[name] === undefined ? [] : [[name, memory[name]]])),
  );
  const json = JSON.stringify(plain);
  return json === "{}" ? '"}' : `",${json.slice(1)}`;
}

function entryPlace(tenant: TenantId, sequence: Sequence, field: "record" | "reason", plain = ""): SealedPlace {
  return { tenant, path: plain === "" ? ["changes", sequence, field] : ["changes", sequence, field, plain] };
}

function checkpointPlace(
  tenant: TenantId,
  { ref, reading }: CheckpointOwner,
  through: number,
  field: string,
): SealedPlace {
  return { tenant, path: ["checkpoints", ref, reading, through, field] };
}
