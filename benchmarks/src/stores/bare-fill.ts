import { rmSync } from "node:fs";
import { connect, makeArrowTable, type Table } from "@lancedb/lancedb";
import { formatScope } from "@loci/domain";
import type { IndexUpsert } from "@loci/store";
import { Client, type Connection } from "pg";
import { measuredKind, type StoreKind } from "./measured-kinds.ts";
import type { StorePlace } from "./measured-store.ts";

/** How a database is filled with vectors without Loci: its own quickest way, into a table of its own with the same columns. */
export interface BareFill extends AsyncDisposable {
  readonly write: (rows: readonly IndexUpsert[]) => Promise<unknown>;
}

/** `undefined` for stores that have no words of their own. */
export async function openBareFill(
  kind: StoreKind,
  place: StorePlace,
  tenant: string,
  dimensions: number,
): Promise<BareFill | undefined> {
  const { client } = measuredKind(kind);
  if (client === undefined) return undefined;
  if (client === "postgres") return barePostgres(place.server?.["connectionString"] ?? "", tenant, dimensions);
  return bareLance(place.directory, tenant);
}

async function bareLance(directory: string, tenant: string): Promise<BareFill> {
  const connection = await connect(`${directory}-bare`);
  const records = (rows: readonly IndexUpsert[]): Parameters<typeof makeArrowTable>[0] =>
    rows.map(({ ref, version, scope, vectors: [vector] }) => ({
      tenant,
      ref,
      version,
      scope: formatScope(scope),
      vector: [...(vector ?? [])],
    }));
  let table: Table | undefined;
  return {
    write: async (rows) => {
      const added = makeArrowTable(records(rows));
      if (table === undefined) table = await connection.createTable("bare", added);
      else await table.add(added);
    },
    [Symbol.asyncDispose]: async () => {
      table?.close();
      connection.close();
      rmSync(`${directory}-bare`, { recursive: true, force: true });
    },
  };
}

/** COPY in its binary form. Into a table without row-level security, which COPY refuses to fill. */
async function barePostgres(connectionString: string, tenant: string, dimensions: number): Promise<BareFill> {
  const client = new Client({ connectionString });
  await client.connect();
  await client.query(`CREATE TABLE loci_indexes.bare (tenant text NOT NULL, ref uuid NOT NULL, version bigint NOT NULL, scope text,
    fields jsonb NOT NULL, chunk smallint NOT NULL, embedding vector(${dimensions}), PRIMARY KEY (tenant, ref, chunk))
    WITH (toast_tuple_target = 8160)`);
  await client.query("CREATE INDEX ON loci_indexes.bare (tenant, scope)");
  return {
    write: async (rows) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      client.query(
        copyOf("COPY loci_indexes.bare FROM STDIN (FORMAT binary)", copyBytes(tenant, rows), resolve, reject),
      );
      await promise;
    },
    [Symbol.asyncDispose]: async () => {
      await client.query("DROP TABLE loci_indexes.bare");
      await client.end();
    },
  };
}

/** What pg's client calls while it runs a statement: a COPY answers by asking for the rows. */
function copyOf(
  text: string,
  bytes: Buffer,
  resolve: () => void,
  reject: (error: Error) => void,
): { readonly submit: (connection: Connection) => void } {
  const ignore = (): void => {};
  const handlers = {
    submit: (connection: Connection) => connection.query(text),
    handleCopyInResponse: (
      connection: Connection & { sendCopyFromChunk(bytes: Buffer): void; endCopyFrom(): void },
    ) => {
      connection.sendCopyFromChunk(bytes);
      connection.endCopyFrom();
    },
    handleCommandComplete: ignore,
    handleReadyForQuery: resolve,
    handleError: reject,
  };
  return handlers;
}

/** https://www.postgresql.org/docs/current/sql-copy.html#id-1.9.3.55.9.4: each field after its length. */
function copyBytes(tenant: string, rows: readonly IndexUpsert[]): Buffer {
  const header = Buffer.concat([Buffer.from("PGCOPY\n\u00ff\r\n\0", "latin1"), Buffer.alloc(8)]);
  const parts: Buffer[] = [header];
  for (const {
    ref,
    version,
    scope,
    fields,
    vectors: [vector = new Float32Array()],
  } of rows) {
    const own = [
      Buffer.from(tenant),
      Buffer.from(ref.replaceAll("-", ""), "hex"),
      bigint(version),
      Buffer.from(formatScope(scope)),
      // A byte for the form's version comes first.
      Buffer.from(`\u0001${JSON.stringify(fields)}`),
      Buffer.alloc(2),
      vectorBytes(vector),
    ];
    parts.push(smallint(own.length), ...own.flatMap((field) => [integer(field.length), field]));
  }
  return Buffer.concat([...parts, smallint(-1)]);
}

function vectorBytes(vector: Float32Array): Buffer {
  const values = Buffer.from(
    Uint8Array.from(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)),
  ).swap32();
  return Buffer.concat([smallint(vector.length), smallint(0), values]);
}

function smallint(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function integer(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function bigint(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}
