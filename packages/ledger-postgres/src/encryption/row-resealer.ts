import { randomUUID } from "node:crypto";
import { type CallOptions, type TenantId, throwIfAborted } from "@loci/domain";
import type { ResealStep } from "@loci/ledger";
import {
  isUnderCurrent,
  type LedgerSealing,
  resealRow,
  type SealedRow,
  type SealedTable,
  sealedTables,
} from "@loci/ledger/sql";
import { lockLog } from "../commit-writer.ts";
import type { Connections } from "../connections.ts";
import { type Statement, statement } from "../statement.ts";
import { checkIsCurrent, forgetOtherKeys, readKeys } from "./database-keys.ts";
import type { LedgerKeys } from "./ledger-keys.ts";
import { sealColumns } from "./seal-columns.ts";
import { beginningOf, keyOf, pageOf, placeOf, writingOf } from "./sealed-rows.ts";

/** Few enough that whoever writes to the tenant hardly waits for a step. */
const rowsAtOnce = 128;

/** Where a pass is. */
interface Place {
  readonly pass: string;
  readonly arrivals: string;
  readonly tenant: TenantId;
  readonly table: number;
  readonly key: readonly (string | number)[];
}

type Pass = Pick<Place, "pass" | "arrivals">;

const nextTenant: Statement<{ readonly tenant: TenantId }> = statement(
  "SELECT tenant FROM tenants WHERE tenant > $1 ORDER BY tenant LIMIT 1",
);

const steps = sealedTables.map((table) => ({
  table,
  page: pageOf(table, [...table.besides, ...table.fields], rowsAtOnce),
  writing: writingOf(table),
}));

type Counts = Pick<ResealStep, "looked" | "sealed" | "damaged">;

/** Seals rows under the current key, one tenant after the other, a step at a time. */
export class RowResealer {
  readonly #connections: Connections;
  readonly #keys: LedgerKeys;

  constructor(connections: Connections, keys: LedgerKeys) {
    this.#connections = connections;
    this.#keys = keys;
  }

  /**
   * @param from where to go on. Absent: a new pass begins
   * @throws LociError `INVALID_CONFIGURATION` when a server was started with another current key
   */
  async step(from: string | undefined, call?: CallOptions): Promise<ResealStep> {
    throwIfAborted(call?.signal);
    const { current, arrivals } = await readKeys(this.#connections);
    checkIsCurrent(this.#keys, current, this.#connections.where);
    const place =
      from === undefined ? await this.#next({ pass: randomUUID(), arrivals }, "") : (JSON.parse(from) as Place);
    if (!isPlace(place)) return { pass: JSON.stringify(place), looked: 0, sealed: 0, damaged: 0 };
    const { pass, tenant, table } = place;
    if (table === 0) await sealColumns(this.#connections, this.#keys, tenant);
    const { last, ...counts } = await this.#reseal(place);
    const own = { pass, arrivals: place.arrivals };
    let next: Place | Pass;
    if (last !== undefined) next = { ...place, key: last };
    else if (table + 1 < sealedTables.length)
      next = { ...own, tenant, table: table + 1, key: beginningOf(sealedTables[table + 1] as SealedTable) };
    else next = await this.#next(own, tenant);
    const done = { pass: JSON.stringify(own), ...counts };
    return isPlace(next) ? { ...done, next: JSON.stringify(next) } : done;
  }

  /** @returns the keys that are not needed any more; `undefined` when another key has become current since the pass began */
  async retire(pass: string): Promise<readonly string[] | undefined> {
    const { arrivals } = JSON.parse(pass) as Pass;
    const current = this.#keys.given?.current;
    return current === undefined ? undefined : forgetOtherKeys(this.#connections, current, arrivals);
  }

  async #next(pass: Pass, after: string): Promise<Place | Pass> {
    const [row] = await this.#connections.read({ everyTenant: true }, nextTenant, [after]);
    if (row === undefined) return pass;
    return { ...pass, tenant: row.tenant, table: 0, key: beginningOf(sealedTables[0] as SealedTable) };
  }

  /** One page, while nobody writes to the tenant. */
  #reseal({ tenant, table: number, key }: Place): Promise<Counts & { readonly last: Place["key"] | undefined }> {
    const { table, page, writing } = steps[number] as (typeof steps)[number];
    return this.#connections.transaction({ tenant }, async (send, commit) => {
      const [end] = await send(lockLog, [tenant, null]);
      const rows = await send(page, [tenant, ...key]);
      const sealing = this.#keys.under(end?.columnsKey ?? null);
      const { written, damaged } = resealedRows(table, tenant, rows, sealing);
      const columns = [...keyOf(table), ...table.fields];
      const arrays = columns.map((column) => written.map((row) => row[column] ?? null));
      await commit(written.length === 0 ? [] : [send(writing, [tenant, ...arrays])]);
      const last = rows.at(-1);
      return {
        looked: rows.length,
        sealed: written.length,
        damaged,
        last: last === undefined || rows.length < rowsAtOnce ? undefined : placeOf(table, last),
      };
    });
  }
}

function resealedRows(
  table: SealedTable,
  tenant: TenantId,
  rows: readonly SealedRow[],
  { fields }: LedgerSealing,
): { readonly written: readonly SealedRow[]; readonly damaged: number } {
  const written: SealedRow[] = [];
  let damaged = 0;
  if (fields === undefined) return { written, damaged };
  for (const row of rows) {
    if (isUnderCurrent(table, fields, row)) continue;
    const resealed = resealRow(table, fields, tenant, row);
    if (resealed === undefined) damaged++;
    else written.push({ ...row, ...resealed });
  }
  return { written, damaged };
}

function isPlace(place: Place | Pass): place is Place {
  return "tenant" in place;
}
