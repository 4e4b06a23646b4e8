import type { DatabaseSync } from "node:sqlite";
import type { TenantId } from "@loci/domain";
import type { Command, Query } from "../query.ts";
import { keptCommand, keptQuery } from "./kept-statements.ts";
import type { NumbersThere } from "./row-writer.ts";

/** Numbers of pieces that are taken together. */
const piecesAtOnce = 65_536;

/** Finds or makes the numbers of a tenant's rows in another file. */
export class FileNumbers implements NumbersThere {
  readonly tenant: number;
  readonly name: TenantId;
  readonly #scopes = new Map<number, number>();
  readonly #spaces = new Map<number, number>();
  readonly #nameOfSpace: Query<{ name: string }>;
  readonly #findSpace: Query<{ id: number }>;
  readonly #addSpace: Command;
  readonly #addScope: Command;
  readonly #pieces: Query<{ bytes: Uint8Array }>;
  readonly #addPiece: Command;
  readonly #lowest: Query<{ id: number | null }>;
  #nextPiece = 0;
  #piecesLeft = 0;

  constructor(source: DatabaseSync, target: DatabaseSync, name: TenantId) {
    this.name = name;
    keptCommand(target, "INSERT INTO tenants (name) VALUES (?) ON CONFLICT DO NOTHING").run(name);
    this.tenant = keptQuery<{ id: number }>(target, "SELECT id FROM tenants WHERE name = ?").get(name)?.id ?? 0;
    this.#nameOfSpace = keptQuery(source, "SELECT name FROM spaces WHERE id = ?");
    this.#findSpace = keptQuery(target, "SELECT id FROM spaces WHERE name = ?");
    this.#addSpace = keptCommand(target, "INSERT INTO spaces (name) VALUES (?)");
    this.#addScope = keptCommand(target, "INSERT INTO scopes (tenant, kind, name) VALUES (?, 'moving', ?)");
    this.#pieces = keptQuery(source, "SELECT bytes FROM vector_pieces WHERE id BETWEEN ? AND ? ORDER BY id");
    this.#addPiece = keptCommand(target, "INSERT INTO vector_pieces (id, bytes) VALUES (?, ?)");
    this.#lowest = keptQuery(target, "SELECT min(id) AS id FROM vector_pieces");
  }

  /** The scopes that have a number here, by the one that they have in the file that is left. */
  knownScopes(): Iterable<number> {
    return this.#scopes.keys();
  }

  /** One that was added since scopes were copied gets its name with what was changed. */
  scope(number: number): number {
    const known = this.#scopes.get(number);
    if (known !== undefined) return known;
    const there = Number(this.#addScope.run(this.tenant, String(number)).lastInsertRowid);
    this.#scopes.set(number, there);
    return there;
  }

  space(number: number): number {
    const known = this.#spaces.get(number);
    if (known !== undefined) return known;
    const name = this.#nameOfSpace.get(number)?.name ?? "";
    const there = this.#findSpace.get(name)?.id ?? Number(this.#addSpace.run(name).lastInsertRowid);
    this.#spaces.set(number, there);
    return there;
  }

  pieces(first: number, last: number): readonly [number, number] {
    const count = last - first + 1;
    if (count > this.#piecesLeft) {
      this.#piecesLeft = Math.max(count, piecesAtOnce);
      // Below all others: whoever writes this file at the same time takes numbers above them.
      this.#nextPiece = Math.min(0, this.#lowest.get()?.id ?? 0) - this.#piecesLeft;
    }
    const start = this.#nextPiece;
    for (const { bytes } of this.#pieces.all(first, last)) this.#addPiece.run(this.#nextPiece++, bytes);
    this.#piecesLeft -= count;
    return [start, start + count - 1];
  }
}
