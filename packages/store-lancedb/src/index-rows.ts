import { formatScope, type Ref, type Sequence, type TenantId } from "@loci/domain";
import type { IndexChange } from "@loci/store";
import {
  Bool,
  type DataType,
  Field,
  Float64,
  List,
  Map_,
  type Schema,
  Struct,
  Table,
  Utf8,
  type Vector,
  vectorFromArray,
} from "apache-arrow";
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
  new Field("members", new List(new Field("item", new Utf8(), true)), true),
];

/** Rows as LanceDB takes them, with the columns that only one kind of table has. */
export function indexTable(schema: Schema, rows: readonly IndexRow[], others: Readonly<Record<string, Vector>>): Table {
  const values: Readonly<Record<string, (row: IndexRow) => unknown>> = {
    key: ({ key }) => key,
    tenant: ({ tenant }) => tenant,
    ref: ({ ref }) => ref,
    version: ({ version }) => version,
    scope: ({ scope }) => scope,
    texts: ({ fields }) => fields?.texts ?? null,
    numbers: ({ fields }) => fields?.numbers ?? null,
    flags: ({ fields }) => fields?.flags ?? null,
    members: ({ fields }) => fields?.members ?? null,
  };
  const columns = Object.fromEntries(
    indexFields.map(({ name, type }) => [
      name,
      vectorFromArray(
        rows.map((row) => values[name]?.(row)),
        type as DataType,
      ),
    ]),
  );
  return new Table(schema, { ...columns, ...others });
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

function mapOf(values: DataType): Map_ {
  const entry = new Struct<{ key: Utf8; value: DataType }>([
    new Field("key", new Utf8(), false),
    new Field("value", values, true),
  ]);
  return new Map_(new Field("entries", entry, false));
}
