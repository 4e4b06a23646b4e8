import { formatScope, type Ref, type Sequence, type TenantId } from "@loci/domain";
import type { IndexChange } from "@loci/store";
import { Bool, Field, Float64, type Schema, Table, Utf8, type Vector } from "apache-arrow";
import {
  flagMapColumn,
  mapOf,
  numberColumn,
  numberMapColumn,
  textColumn,
  textList,
  textListColumn,
  textMapColumn,
} from "./column-vectors.ts";
import { type FieldColumns, fieldColumns } from "./field-columns.ts";
import { column, isOneOf } from "./sql.ts";

/**
 * What the rows of both kinds of table have. A row without a scope is never found: it keeps the version a ref was deleted
 * by, or, without a ref, how far its tenant has come.
 */
export interface IndexRow {
  /** Its tenant and what it is of that tenant, unlike every other row's. */
  readonly key: string;
  readonly tenant: TenantId;
  readonly ref: Ref | null;
  /** Of the memory, or the sequence of a checkpoint. */
  readonly version: number;
  readonly scope: string | null;
  readonly fields: FieldColumns | null;
}

export const indexFields: readonly Field[] = [
  new Field("key", new Utf8(), false),
  new Field("tenant", new Utf8(), false),
  new Field("ref", new Utf8(), true),
  new Field("version", new Float64(), false),
  new Field("scope", new Utf8(), true),
  new Field("texts", mapOf(new Utf8()), true),
  new Field("numbers", mapOf(new Float64()), true),
  new Field("flags", mapOf(new Bool()), true),
  new Field("members", textList, true),
];

/** Rows as LanceDB takes them, with the columns that only one kind of table has. */
export function indexTable(schema: Schema, rows: readonly IndexRow[], others: Readonly<Record<string, Vector>>): Table {
  return new Table(schema, {
    key: textColumn(rows.map(({ key }) => key)),
    tenant: textColumn(rows.map(({ tenant }) => tenant)),
    ref: textColumn(rows.map(({ ref }) => ref)),
    version: numberColumn(rows.map(({ version }) => version)),
    scope: textColumn(rows.map(({ scope }) => scope)),
    texts: textMapColumn(rows.map(({ fields }) => fields?.texts ?? null)),
    numbers: numberMapColumn(rows.map(({ fields }) => fields?.numbers ?? null)),
    flags: flagMapColumn(rows.map(({ fields }) => fields?.flags ?? null)),
    members: textListColumn(rows.map(({ fields }) => fields?.members ?? null)),
    ...others,
  });
}

/** The row of a change: of what is deleted, its version alone. */
export function changeRow(tenant: TenantId, change: IndexChange): IndexRow {
  const { ref, version } = change;
  const isLive = change.type === "upsert";
  return {
    key: rowKey(tenant, ref),
    tenant,
    ref,
    version,
    scope: isLive ? formatScope(change.scope) : null,
    fields: isLive ? fieldColumns(change.fields) : null,
  };
}

/** The row that says how far a tenant has come. It is merged with the changes, in one commit: both stand or neither. */
export function checkpointRow(tenant: TenantId, through: Sequence): IndexRow {
  return { key: rowKey(tenant), tenant, ref: null, version: through, scope: null, fields: null };
}

/** Names a row. JSON keeps names apart that could be joined in two ways. */
export function rowKey(tenant: TenantId, ...place: readonly (string | number)[]): string {
  return JSON.stringify([tenant, ...place]);
}

/** Selects rows by their keys. */
export function hasKey(keys: readonly string[]): string {
  return isOneOf(column("key"), keys);
}
