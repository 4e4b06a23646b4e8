import { isSetApartSql } from "../set-apart.ts";

/** A schema or table name as SQL. Ours are made of letters, digits and underscores alone; see `checkOptions`. */
export function identifier(schema: string, name: string): string {
  return `"${schema}"."${name}"`;
}

/** The rows of one projection. In a collection a row has several table rows, one a vector, numbered by `chunk`. */
export interface RowTables {
  readonly schema: string;
  readonly rows: string;
  /** One a tenant: where the projection stands. */
  readonly checkpoints: string;
  /** What each of the last batches has changed, see `recent-changes.ts`. */
  readonly recent: string;
  /** The condition of the one table row that stands for a live row, as deleted ones keep a row without a scope. */
  readonly isLive: string;
}

export interface CollectionTables extends RowTables {
  readonly index: string;
  /** The index's name without the schema, as CREATE INDEX wants it. */
  readonly indexName: string;
  /** Of the index of rows that lie apart, without the schema. */
  readonly apartName: string;
}

/** Of a collection that is open. */
export interface OpenTables extends CollectionTables {
  /** Whether this role may use the table of recent changes. */
  readonly notesChanges: boolean;
  /** The number that the database gave the type `vector`. */
  readonly vectorType: number;
}

export interface TextTables extends RowTables {
  /** One or two a scope: which of their texts lie on pages of postings. */
  readonly divisions: string;
  /** Pages of postings. */
  readonly postings: string;
  /** Pages of terms, and in how many texts each stands. */
  readonly terms: string;
}

export function collectionTables(schema: string, number: number): CollectionTables {
  const name = `vectors_${number}`;
  return {
    schema,
    rows: identifier(schema, name),
    checkpoints: identifier(schema, `${name}_checkpoints`),
    recent: identifier(schema, `${name}_recent`),
    isLive: "chunk = 0 AND scope IS NOT NULL",
    index: identifier(schema, `${name}_nearest`),
    indexName: `${name}_nearest`,
    apartName: `${name}_apart`,
  };
}

/** Of procedures alone, which are few: a search for them reads no others. */
export function indexOfSetApart({ rows, apartName }: CollectionTables): string {
  return `CREATE INDEX IF NOT EXISTS "${apartName}" ON ${rows} (tenant, scope) WHERE ${isSetApartSql}`;
}

export function textTables(schema: string): TextTables {
  return {
    schema,
    rows: identifier(schema, "texts"),
    checkpoints: identifier(schema, "text_checkpoints"),
    recent: identifier(schema, "text_recent"),
    isLive: "scope IS NOT NULL",
    divisions: identifier(schema, "text_divisions"),
    postings: identifier(schema, "text_postings"),
    terms: identifier(schema, "text_terms"),
  };
}

/**
 * Columns that rows of both kinds have, with the numbers that one kind has besides: these come first, so that nothing is filled up
 * to align them. A deleted row keeps its version, so that no older one comes back.
 */
export function rowColumns(numbers: string): string {
  return `version bigint NOT NULL CHECK (version > 0), ${numbers},
  ref uuid NOT NULL CHECK (substr(ref::text, 15, 1) = '7'),
  tenant text NOT NULL CHECK (tenant <> ''),
  scope text,
  field_values jsonb NOT NULL`;
}

/**
 * Keeps vectors within their rows as long as a page can hold one, which is up to about 2,000 dimensions. By default they
 * go into a table aside from 2 kB on, in pieces that are found by an index: comparing them then takes three times as long.
 */
export const vectorStorage = "WITH (toast_tuple_target = 8160)";

export interface TenantTableOptions {
  /** Of PostgreSQL, such as `WITH (fillfactor = 50)`. */
  readonly storage?: string | undefined;
  /** Tables that share the rows by a hash of their tenants. Default 1: the table is not split. */
  readonly partitions?: number | undefined;
}

/**
 * The statements that make a table whose rows belong to tenants. A role without BYPASSRLS, the owner too, sees only rows
 * of the tenant that `loci.tenant` names in its transaction: without that setting none. So it is for each partition, too.
 */
export function createTenantTable(
  table: string,
  columns: string,
  { storage = "", partitions = 1 }: TenantTableOptions = {},
): readonly string[] {
  if (partitions === 1) return [`CREATE TABLE ${table} (${columns}) ${storage}`, ...ofOneTenant(table)];
  const parts = Array.from({ length: partitions }, (_, remainder) => {
    const part = `${table.slice(0, -1)}_part_${remainder}"`;
    const values = `FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${remainder})`;
    return [`CREATE TABLE ${part} PARTITION OF ${table} ${values} ${storage}`, ...ofOneTenant(part)];
  });
  return [`CREATE TABLE ${table} (${columns}) PARTITION BY HASH (tenant)`, ...ofOneTenant(table), ...parts.flat()];
}

function ofOneTenant(table: string): readonly string[] {
  return [
    `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
    `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`,
    `CREATE POLICY tenant ON ${table} USING (tenant = current_setting('loci.tenant', true))`,
  ];
}
