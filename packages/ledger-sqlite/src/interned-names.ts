import type { DatabaseSync } from "node:sqlite";
import type { EmbeddingSpaceId, Scope, TenantId } from "@loci/domain";
import { prepareCommand, prepareQuery } from "./query.ts";

/** Remembered ids are dropped at this number, so that a server with millions of sessions does not keep them all. */
const maxRemembered = 20_000;

/** The numbers that stand for tenants, scopes and spaces in keys. Unknown names get one. */
export class InternedNames {
  readonly #ids = new Map<string, number>();
  readonly #tenant: (name: string) => number;
  readonly #scope: (tenant: number, kind: string, name: string) => number;
  readonly #space: (name: string) => number;
  /** The scope that was asked for last: a batch asks for one again and again. */
  #last:
    | { readonly tenant: number; readonly kind: Scope["kind"]; readonly name: string; readonly id: number }
    | undefined;

  constructor(database: DatabaseSync) {
    const intern = (table: string, columns: readonly string[]): ((...values: (string | number)[]) => number) => {
      const where = columns.map((column) => `${column} = ?`).join(" AND ");
      const find = prepareQuery<{ id: number }>(database, `SELECT id FROM ${table} WHERE ${where}`);
      const places = columns.map(() => "?").join(", ");
      const add = prepareCommand(database, `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places})`);
      return (...values) => find.get(...values)?.id ?? Number(add.run(...values).lastInsertRowid);
    };
    this.#tenant = intern("tenants", ["name"]);
    this.#scope = intern("scopes", ["tenant", "kind", "name"]);
    this.#space = intern("spaces", ["name"]);
  }

  tenant(name: TenantId): number {
    return this.#remembered(`tenant ${name}`, () => this.#tenant(name));
  }

  scope(tenant: number, scope: Scope): number {
    const { kind, id: name = "" } = scope;
    if (this.#last?.tenant === tenant && this.#last.kind === kind && this.#last.name === name) return this.#last.id;
    const id = this.#remembered(`scope ${tenant} ${kind} ${name}`, () => this.#scope(tenant, kind, name));
    this.#last = { tenant, kind, name, id };
    return id;
  }

  space(name: EmbeddingSpaceId): number {
    return this.#remembered(`space ${name}`, () => this.#space(name));
  }

  /** Must be called after a rollback: the rows behind some ids may be gone. */
  forget(): void {
    this.#ids.clear();
    this.#last = undefined;
  }

  #remembered(key: string, find: () => number): number {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = find();
    if (this.#ids.size >= maxRemembered) this.#ids.clear();
    this.#ids.set(key, id);
    return id;
  }
}
